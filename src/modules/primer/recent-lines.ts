import { tame } from '../../kernel/index.ts'

const MOST_LINES = 1000
const LONGEST_LINE = 500

/** The last lines of a log; however many come, and however long, they take no more than this many characters. */
export class RecentLines {
  readonly #lines: string[] = []
  readonly #most: number
  #length = 0

  constructor(most: number) {
    this.#most = most
  }

  get length(): number {
    return this.#length
  }

  /** Whatever is in it, one line stays one line. */
  push(line: string): void {
    const printed = tame(line.length > LONGEST_LINE ? `${line.slice(0, LONGEST_LINE)}…` : line)
    this.#lines.push(printed)
    this.#length += printed.length + 1
    while (this.#lines.length > MOST_LINES || this.#length > this.#most) this.#forget()
  }

  text(): string {
    return this.#lines.join('\n')
  }

  #forget(): void {
    this.#length -= (this.#lines.shift()?.length ?? 0) + 1
  }
}
