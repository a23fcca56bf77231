import { createInterface, type Interface } from 'node:readline'

/** A person who can be asked: questions go to stderr, since stdout may be read by a program. */
export class Terminal {
  readonly #reader: Interface
  readonly #lines: AsyncIterator<string>

  constructor() {
    this.#reader = createInterface({ input: process.stdin, output: process.stderr })
    this.#lines = this.#reader[Symbol.asyncIterator]()
  }

  /** Gives the line that was typed; undefined when there will be no more of them. */
  async ask(question: string): Promise<string | undefined> {
    this.#reader.setPrompt(question)
    this.#reader.prompt()
    const { done, value } = await this.#lines.next()
    return done === true ? undefined : value.trim()
  }

  tell(text: string): void {
    process.stderr.write(`${text}\n`)
  }

  close(): void {
    this.#reader.close()
  }
}

/** Whether somebody sits there. */
export function isTerminal(): boolean {
  return process.stdin.isTTY === true && process.stderr.isTTY === true
}
