/** So many pieces stand by themselves until they are made one. */
const MANY = 100

/** Text that comes in pieces: however small those are, together they take little more than their letters do. */
export class TextPieces {
  #joined: string[] = []
  #single: string[] = []
  length = 0

  add(piece: string): void {
    this.length += piece.length
    if (this.#single.push(piece) === MANY) this.join()
  }

  /** Makes one of those that are single, so that none of them keeps the longer text that it was cut from. */
  join(): void {
    if (this.#single.length === 0) return
    this.#joined.push(this.#single.join(''))
    this.#single = []
  }

  take(): string {
    this.join()
    const text = this.#joined.length === 1 ? (this.#joined[0] ?? '') : this.#joined.join('')
    this.#joined = []
    this.length = 0
    return text
  }
}
