/** What is told of a line. */
const LONGEST_LINE = 1000

/** How many lines are told in a second; the rest is counted. */
const LINES_A_SECOND = 50

export interface ChildLogOptions {
  readonly name: string
  readonly now: () => number
  readonly note: (message: string) => void
  /** Takes out what is nobody else's business, before it could be cut in two. */
  readonly hide: (line: string) => string
}

/** Tells what a process says on stderr under its name, and not more of it than anybody can read. */
export class ChildLog {
  readonly #options: ChildLogOptions
  #second = 0
  #told = 0
  #left = 0

  constructor(options: ChildLogOptions) {
    this.#options = options
  }

  /** Hears whole lines. */
  hear(lines: string): void {
    for (const line of lines.split('\n')) if (line.trim() !== '') this.#tell(line)
  }

  #tell(line: string): void {
    const { name, now, note, hide } = this.#options
    const second = Math.floor(now() / 1000)
    if (second !== this.#second) {
      if (this.#left > 0) note(`${name}: … and ${this.#left} lines more`)
      this.#second = second
      this.#told = 0
      this.#left = 0
    }
    if (this.#told++ < LINES_A_SECOND) note(`${name}: ${hide(line).slice(0, LONGEST_LINE)}`)
    else this.#left++
  }
}
