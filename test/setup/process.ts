import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { once } from 'node:events'
import { Inbox } from './inbox.ts'

export interface ProcessOptions {
  readonly args?: readonly string[]
  readonly env?: { readonly [name: string]: string }
  readonly cwd?: string
}

/** A command under test: lines in, lines out. Whoever starts it calls `kill` in the end, come what may. */
export class LineProcess {
  /** What it has written to stdout and nobody has read yet. */
  readonly lines = new Inbox<string>()
  readonly #child: ChildProcessWithoutNullStreams
  readonly #closed: Promise<unknown>
  #stderr = ''

  /** Starts a script of JavaScript with the Node that runs the tests. */
  constructor(script: string, { args = [], env = {}, cwd }: ProcessOptions = {}) {
    this.#child = spawn(process.execPath, [script, ...args], { env: { ...process.env, ...env }, cwd })
    this.#closed = once(this.#child, 'close')
    this.#child.stdin.on('error', () => {}) // A process that has ended takes no more input; its exit code tells.
    this.#child.stderr.setEncoding('utf8').on('data', (text: string) => {
      this.#stderr += text
    })
    let begun = ''
    // Split by hand: readline also takes U+2028 for the end of a line, which JSON does not.
    this.#child.stdout.setEncoding('utf8').on('data', (text: string) => {
      const lines = `${begun}${text}`.split('\n')
      begun = lines.pop() ?? ''
      for (const line of lines) this.lines.push(line)
    })
    this.#child.stdout.on('close', () => this.lines.end())
  }

  get stderr(): string {
    return this.#stderr
  }

  write(text: string): void {
    this.#child.stdin.write(text)
  }

  signal(signal: NodeJS.Signals): void {
    this.#child.kill(signal)
  }

  /** Closes stdin and gives the exit code, or the name of the signal that ended it. */
  async end(): Promise<number | NodeJS.Signals | null> {
    this.#child.stdin.end()
    await this.#closed
    return this.#child.exitCode ?? this.#child.signalCode
  }

  /** Makes sure that it has ended. */
  async kill(): Promise<void> {
    this.#child.kill('SIGKILL')
    await this.#closed
  }
}
