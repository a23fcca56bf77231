const BLOCK = 4096

/** Bytes that arrive in pieces of any size; however small they are, they cost no more than twice what they hold. */
export class BytePieces {
  /** Most bodies have one piece; what is large is kept as it came, since to copy it takes time that it may not be worth. */
  readonly #kept: Uint8Array[] = []
  /** Where small pieces are put together, and how far it is full. */
  #block = NOTHING
  #filled = 0
  #length = 0

  get length(): number {
    return this.#length
  }

  add(piece: Uint8Array): void {
    if (this.#length === 0 || isWorthKeeping(piece)) this.#keep(piece)
    else this.#copy(piece)
    this.#length += piece.length
  }

  take(): Uint8Array {
    this.#closeBlock()
    const [first = NOTHING] = this.#kept
    if (this.#kept.length <= 1) return first
    const all = new Uint8Array(this.#length)
    let at = 0
    for (const piece of this.#kept.splice(0)) {
      all.set(piece, at)
      at += piece.length
    }
    this.#kept.push(all)
    return all
  }

  #keep(piece: Uint8Array): void {
    this.#closeBlock()
    this.#kept.push(piece)
  }

  #copy(piece: Uint8Array): void {
    if (this.#filled + piece.length > this.#block.length) {
      this.#closeBlock()
      this.#block = new Uint8Array(Math.max(BLOCK, piece.length))
    }
    this.#block.set(piece, this.#filled)
    this.#filled += piece.length
  }

  #closeBlock(): void {
    if (this.#filled > 0) this.#kept.push(this.#block.subarray(0, this.#filled))
    this.#block = NOTHING
    this.#filled = 0
  }
}

const NOTHING = new Uint8Array(0)

/** A piece may also be a view of a much larger buffer, which must not be kept for its sake. */
function isWorthKeeping({ length, buffer }: Uint8Array): boolean {
  return length >= BLOCK && buffer.byteLength <= 2 * length
}
