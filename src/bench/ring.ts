import { Buffer } from 'node:buffer'
import { FIRST_ID, ID_LENGTH, ID_OFFSET } from './messages.ts'

/** Lines that were printed beforehand, each with an id of its own, taken round and round. */
export class Ring {
  readonly #bytes: Buffer
  readonly #lineLength: number
  readonly #count: number
  /** Which of them are under way. */
  readonly #open: Uint8Array
  #next = 0

  constructor(message: string, count: number) {
    const line = Buffer.from(`${message}\n`)
    this.#lineLength = line.length
    this.#count = count
    this.#open = new Uint8Array(count)
    this.#bytes = Buffer.alloc(line.length * count)
    for (let at = 0; at < count; at++) {
      line.write(String(FIRST_ID + at), ID_OFFSET, ID_LENGTH, 'latin1')
      line.copy(this.#bytes, at * line.length)
    }
  }

  /** Takes an answer; tells whether there was a call under way with this id. */
  answer(id: number): boolean {
    const at = id - FIRST_ID
    if (this.#open[at] !== 1) return false
    this.#open[at] = 0
    return true
  }

  /** Hands over so many lines, in one piece or in several. */
  take(count: number, write: (bytes: Buffer) => void): void {
    for (let left = count; left > 0; ) {
      const taken = Math.min(left, this.#count - this.#next)
      write(this.#bytes.subarray(this.#next * this.#lineLength, (this.#next + taken) * this.#lineLength))
      this.#open.fill(1, this.#next, this.#next + taken)
      this.#next = (this.#next + taken) % this.#count
      left -= taken
    }
  }
}
