/** Of a longer line its beginning is heard. */
const LONGEST_LINE = 8192

/** How much of its last lines is kept. */
const LAST_WORDS = 2000

/** What a process says on stderr, by whole lines however it comes: in half of one nobody would know half a secret. */
export class StderrLines {
  readonly #tell: (lines: string) => void
  /** Its last lines, as far as they are not too many. */
  lastWords = ''
  /** What has come of a line that is not whole yet. */
  #pending = ''

  constructor(tell: (lines: string) => void = () => {}) {
    this.#tell = tell
  }

  hear(text: string): void {
    const pieces = text.split('\n')
    const rest = pieces.pop() ?? ''
    if (pieces.length > 0) {
      pieces[0] = this.#pending + pieces[0]
      this.#pending = ''
      this.#take(pieces.map((line) => line.slice(0, LONGEST_LINE)))
    }
    if (this.#pending.length < LONGEST_LINE) this.#pending = (this.#pending + rest).slice(0, LONGEST_LINE)
  }

  /** What stands after the last newline when it ends is a line too. */
  end(): void {
    if (this.#pending !== '') this.#take([this.#pending])
    this.#pending = ''
  }

  #take(lines: readonly string[]): void {
    this.lastWords = lastOf(`${this.lastWords}\n${lines.join('\n')}`).trim()
    this.#tell(`${lines.join('\n')}\n`)
  }
}

/** The last whole lines, or the beginning of the last one. */
function lastOf(text: string): string {
  if (text.length <= LAST_WORDS) return text
  const end = text.indexOf('\n', text.length - LAST_WORDS - 1)
  return end < 0 ? text.slice(text.lastIndexOf('\n') + 1).slice(0, LAST_WORDS) : text.slice(end + 1)
}
