import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { freePort } from '../free-port.mjs'

/** A node that takes longer to listen has failed. */
const START_MS = 20_000

/** What was started does not outlive whoever started it. */
const children = new Set()
process.once('exit', () => {
  for (const child of children) child.kill('SIGKILL')
})

/** A server in a process of its own, which can be killed and started again on the same port. */
export class Node {
  name
  port
  /** This start of it: `{ name, begun, killed?, gone? }`; a busy machine takes its time between the two. */
  life
  #command
  #child
  #starts = 0

  constructor(name, port, command) {
    this.name = name
    this.port = port
    this.#command = command
  }

  async start() {
    const life = {
      name: `${this.name}.${++this.#starts}`,
      begun: Date.now(),
      killed: undefined,
      gone: undefined,
    }
    const { program = process.execPath, args, env } = this.#command({ name: life.name, port: this.port })
    const child = spawn(program, args, {
      env: { ...process.env, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    this.#child = child
    children.add(child)
    this.life = life
    this.errors = ''
    child.stderr.on('data', (chunk) => (this.errors = (this.errors + chunk).slice(-20_000)))
    const ended = once(child, 'exit').then(([code]) => {
      life.gone = Date.now()
      children.delete(child)
      if (life.killed === undefined) Object.assign(life, { crashed: code ?? 'a signal', killed: Date.now() })
      throw new Error(`node ${life.name} ended with ${code}: ${this.errors.slice(-2000)}`)
    })
    ended.catch(() => {}) // Whoever waits for it to listen hears of it.
    await Promise.race([listening(child), ended])
    child.stdout.resume()
  }

  /** Ends without goodbye. */
  async kill() {
    const child = this.#child
    if (child.exitCode !== null || child.signalCode !== null) return
    this.life.killed = Date.now()
    const gone = once(child, 'exit')
    child.kill('SIGKILL')
    await gone
  }
}

async function listening({ stdout }) {
  const signal = AbortSignal.timeout(START_MS)
  let said = ''
  while (!/listening at|^http:/m.test(said)) said += (await once(stdout, 'data', { signal }))[0]
}

/** Starts so many nodes, one after the other: a store prepares itself once. */
export async function startNodes(count, command) {
  const nodes = []
  for (let number = 1; number <= count; number++) {
    nodes.push(new Node(`n${number}`, await freePort(), command))
    await nodes.at(-1).start()
  }
  return nodes
}
