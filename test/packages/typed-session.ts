import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { once } from 'node:events'
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

/** A line that somebody types, and what they see then. */
export interface Typed {
  readonly command: string
  readonly seen: string
}

/** What a page shows of a terminal; each block is a session of its own. */
export function sessionsIn(page: string): readonly (readonly Typed[])[] {
  const blocks = [...page.matchAll(/^```console\n([\s\S]*?)^```$/gm)]
  return blocks.map(([, block = '']) =>
    [...block.matchAll(/^\$ (.*)\n((?:(?!\$ ).*\n)*)/gm)].map(([, command = '', seen = '']) => ({
      command,
      seen,
    })),
  )
}

/** A `…` on a page stands for anything: in a line, or, alone in one, for any lines. */
export function matcherOf(seen: string): RegExp {
  const lines = seen.split('\n').map((line) => {
    if (line === '…') return '(?:.*\n)*'
    return line === '' ? '' : `${line.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&').replaceAll('…', '.*')}\n`
  })
  return new RegExp(`^${lines.join('')}$`)
}

/** A slow machine has a command say what it waits for, which no page shows. */
const WAITING = /^waiting for .* \(--timeout SECONDS\)\n/gm

const END = '\u0004'
const PATIENCE_MS = 60_000

/** A shell that is typed into, and shows what a terminal would: one session, which ends with all it has started. */
export class Terminal {
  readonly #shell: ChildProcessWithoutNullStreams
  #shown = ''

  constructor(cwd: string, env: NodeJS.ProcessEnv) {
    this.#shell = spawn('sh', [], { cwd, env, detached: true }) // A group of its own, which can be ended whole.
    this.#shell.stdout.setEncoding('utf8').on('data', (text: string) => {
      this.#shown += text
    })
    this.#shell.stderr.resume()
  }

  /** Types a line and gives what is seen of it: until it ends, or, for what stays, until that is what was expected. */
  async type({ command, seen }: Typed, port: number): Promise<string> {
    this.#shown = ''
    if (!command.endsWith('&')) {
      this.#shell.stdin.write(`{ ${command}\n} 2>&1 </dev/null; printf '${END}'\n`)
      await this.#until(() => this.#shown.includes(END))
      const shown = this.#shown.slice(0, this.#shown.indexOf(END)).replaceAll(WAITING, '')
      return shown.replace(/.$/, '$&\n') // A last line without an end looks the same.
    }
    this.#shell.stdin.write(`{ ${command.slice(0, -1)}\n} 2>&1 &\n`)
    if (seen === '') await this.#until(() => isListening(port))
    else await this.#until(() => matcherOf(seen).test(this.#shown))
    return this.#shown
  }

  async close(): Promise<void> {
    const { pid } = this.#shell
    if (pid === undefined) return
    const closed = once(this.#shell, 'close')
    process.kill(-pid, 'SIGTERM')
    await closed
  }

  async #until(holds: () => boolean | Promise<boolean>): Promise<void> {
    const givenUp = Date.now() + PATIENCE_MS // What is missing then is shown by the comparison.
    while (!(await holds()) && Date.now() < givenUp) await sleep(20)
  }
}

function isListening(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    const settle = (listening: boolean) => {
      socket.destroy()
      resolve(listening)
    }
    socket.on('connect', () => settle(true)).on('error', () => settle(false))
  })
}
