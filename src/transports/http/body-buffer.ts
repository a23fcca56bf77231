const SMALLEST = 4096

/** Bytes that arrive in pieces of any size; however small they are, they cost no more than twice what they hold. */
export class BodyBuffer {
  /** The first piece is kept as it came: most bodies have no other. */
  #bytes: Uint8Array = NOTHING
  #own = false
  #length = 0

  get length(): number {
    return this.#length
  }

  add(piece: Uint8Array): void {
    const length = this.#length + piece.length
    if (this.#length === 0) this.#bytes = piece
    else {
      this.#makeRoom(length)
      this.#bytes.set(piece, this.#length)
    }
    this.#length = length
  }

  take(): Uint8Array {
    return this.#bytes.length === this.#length ? this.#bytes : this.#bytes.subarray(0, this.#length)
  }

  /** A piece may be a view of a much larger buffer, which must not be written to nor kept. */
  #makeRoom(length: number): void {
    if (this.#own && length <= this.#bytes.length) return
    const larger = new Uint8Array(Math.max(SMALLEST, length, this.#own ? 2 * this.#bytes.length : 0))
    larger.set(this.take())
    this.#bytes = larger
    this.#own = true
  }
}

const NOTHING = new Uint8Array(0)
