/** What is told of a line. */
const LONGEST_LINE = 1000

/** How many lines are told in a second; the rest is counted. */
const LINES_A_SECOND = 50

export interface ChildLogOptions {
  readonly name: string
  readonly now: () => number
  readonly note: (message: string) => void
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

  hear(text: string): void {
    for (const line of text.split('\n')) if (line.trim() !== '') this.#tell(line)
  }

  #tell(line: string): void {
    const { name, now, note } = this.#options
    const second = Math.floor(now() / 1000)
    if (second !== this.#second) {
      if (this.#left > 0) note(`${name}: … and ${this.#left} lines more`)
      this.#second = second
      this.#told = 0
      this.#left = 0
    }
    if (this.#told++ < LINES_A_SECOND) note(`${name}: ${line.slice(0, LONGEST_LINE)}`)
    else this.#left++
  }
}
