import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { ROOT } from '../../outside.mjs'

const PROBE = join(import.meta.dirname, 'probe.mjs')

/** As much as a process under attack may keep. */
const HEAP_MIB = 256

const PATIENCE_MS = 30_000

/** A server that is about to be attacked: a real process with a small heap, and a probe inside it. */
export async function startVictim({ script, args = [], env = {}, stderr = 'ignore', transport = 'http' }) {
  const flags = [`--max-old-space-size=${HEAP_MIB}`, '--expose-gc', '--import', PROBE]
  const file = script ?? join(ROOT, 'dist', 'cli', 'bin', 'perigee.js')
  const child = spawn(process.execPath, [...flags, file, ...args], {
    env: { ...process.env, ...env },
    stdio: ['pipe', 'pipe', stderr, 'ipc'],
  })
  child.stdin.on('error', () => {}) // One that has died takes no more, and its exit code tells.
  const exited = once(child, 'exit')
  const victim = {
    child,
    pid: child.pid,
    ask,
    stop,
    alive: () => child.exitCode === null && !child.signalCode,
  }
  if (transport === 'http') {
    victim.url = await Promise.race([listening(child), exited.then(ended)])
    victim.port = Number(new URL(victim.url).port)
  }
  return victim

  /** Asks the probe; one that does not answer is dead, or holds its loop. */
  async function ask(question) {
    child.send(question)
    const late = AbortSignal.timeout(PATIENCE_MS)
    for (;;) {
      const [answer] = await once(child, 'message', { signal: late })
      if (answer.question === question) return answer
    }
  }

  async function stop() {
    if (victim.alive()) child.kill('SIGKILL')
    await exited
  }
}

/** Where it listens, by its own word; what it says after that is read and dropped. */
function listening({ stdout }) {
  let said = ''
  return new Promise((resolve) => {
    stdout.on('data', (chunk) => {
      if (said === undefined) return
      said += chunk
      const [, url] = /listening at (\S+)/.exec(said) ?? /^(http:\S+)$/m.exec(said) ?? []
      if (url === undefined) return
      said = undefined
      resolve(url)
    })
  })
}

function ended([code, signal]) {
  throw new Error(`the server ended with ${code ?? signal} before it listened`)
}
