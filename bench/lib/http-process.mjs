import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { connect } from 'node:net'
import { join } from 'node:path'
import { HttpClient, pause } from '../../dist/bench/index.js'
import { freePort } from '../../scripts/free-port.mjs'

const PROBE = join(import.meta.dirname, '..', 'servers', 'memory-probe.mjs')
const START_MS = 20_000

/** Nothing outlives the benchmark, however it ends. */
const alive = new Set()
process.on('exit', () => {
  for (const child of alive) child.kill('SIGKILL')
})
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => process.exit(130))

/** A server process on a free port of 127.0.0.1, with a client for it. */
export class HttpProcess {
  /** Somebody else may take the port first, so it is tried more than once. */
  static async start(entry, options) {
    for (let tries = 0; tries < 3; tries++) {
      const started = await HttpProcess.#try(entry, options)
      if (started !== undefined) return started
    }
    throw new Error(`${entry.name} does not listen`)
  }

  static async #try({ program, args, revision, env: more = {} }, { answers = 'json', probe = false } = {}) {
    const port = await freePort()
    const flags = probe ? ['--expose-gc', '--import', PROBE] : []
    const env = {
      ...process.env,
      PORT: String(port),
      BENCH_ANSWERS: answers,
      NODE_ENV: 'production',
      ...more,
    }
    const stdio = ['ignore', 'ignore', 'ignore', ...(probe ? ['ipc'] : [])]
    const own = typeof args === 'function' ? args(port) : args
    const child = spawn(program ?? process.execPath, [...flags, ...own], { env, stdio })
    const url = new URL(`http://127.0.0.1:${port}/mcp`)
    const started = new HttpProcess(child, url, revision)
    if (await listens(port, child)) return started
    await started.stop()
    return undefined
  }

  constructor(child, url, revision) {
    alive.add(child)
    child.once('exit', () => alive.delete(child))
    this.child = child
    this.url = url
    this.client = new HttpClient({ url, revision })
  }

  get pid() {
    return this.child.pid
  }

  /** What it keeps after a collection, in KiB. */
  async memory() {
    const answer = once(this.child, 'message')
    this.child.send('memory')
    const [{ rss, kept }] = await answer
    return { rss: rss / 1024, kept: kept / 1024 }
  }

  /** Opens so many sessions, many at a time: one contender takes a second for each. */
  async openSessions(count) {
    const sessions = []
    let left = count
    const work = async () => {
      let connection = this.client.connect()
      while (left-- > 0) {
        if (!connection.open) connection = this.client.connect()
        sessions.push(await this.client.openSession(connection))
      }
      connection.close()
    }
    await Promise.all(Array.from({ length: Math.min(count, 128) }, work))
    return sessions
  }

  async stop() {
    if (this.child.exitCode !== null || this.child.signalCode !== null) return
    const exited = once(this.child, 'exit')
    this.child.kill('SIGTERM')
    const late = setTimeout(() => this.child.kill('SIGKILL'), 500)
    await exited
    clearTimeout(late)
  }
}

async function listens(port, child) {
  for (const end = performance.now() + START_MS; performance.now() < end; await pause(20)) {
    if (child.exitCode !== null) return false
    const socket = connect({ host: '127.0.0.1', port })
    const open = await once(socket, 'connect').then(
      () => true,
      () => false,
    )
    socket.destroy()
    if (open) return true
  }
  return false
}
