import { createInterface, type Interface } from 'node:readline'

/** A person who can be asked: questions go to stderr, since stdout may be read by a program. */
export class Terminal {
  readonly #reader: Interface
  readonly #lines: AsyncIterator<string>
  /** The line that is waited for; whoever asked for it may have left. */
  #next: Promise<IteratorResult<string>> | undefined

  /** While it is open, Ctrl-C is a key like others, which ends what is typed. */
  constructor(interrupt: () => void = () => {}) {
    this.#reader = createInterface({ input: process.stdin, output: process.stderr })
    this.#lines = this.#reader[Symbol.asyncIterator]()
    this.#reader.once('SIGINT', () => {
      this.#reader.close()
      interrupt()
    })
  }

  /** Gives the line that was typed; undefined when there will be no more of them, or nobody wants it any more. */
  async ask(question: string, signal?: AbortSignal): Promise<string | undefined> {
    this.#reader.setPrompt(question)
    this.#reader.prompt()
    this.#next ??= this.#lines.next()
    const line = await Promise.race([this.#next, withdrawn(signal)])
    if (line === undefined) return undefined
    this.#next = undefined
    return line.done === true ? undefined : line.value.trim()
  }

  tell(text: string): void {
    process.stderr.write(`${text}\n`)
  }

  close(): void {
    this.#reader.close()
  }
}

function withdrawn(signal: AbortSignal | undefined): Promise<undefined> {
  return new Promise((resolve) => {
    if (signal?.aborted === true) resolve(undefined)
    signal?.addEventListener('abort', () => resolve(undefined), { once: true })
  })
}

/** Whether somebody sits there. */
export function isTerminal(): boolean {
  return process.stdin.isTTY === true && process.stderr.isTTY === true
}
