/** Of a million, few are taken for one another. */
const BITS = 1 << 20

const PRIME = 0x01000193

/** Nobody knows which texts are taken for one another, to send those. */
export const SEED: number = Math.floor(Math.random() * 2 ** 32)

/** The hash of what has this hash, with one more number after it. */
export function hashOn(hash: number, next: number): number {
  return Math.imul(hash ^ next, PRIME)
}

/** Hashes, of which it is known whether they were there before, nearly always, in little room. */
export class SeenHashes {
  readonly #seen = new Uint8Array(BITS / 8)

  /** Whether it was not there before. */
  add(hash: number): boolean {
    const bit = (hash ^ (hash >>> 16)) & (BITS - 1)
    const known = this.#seen[bit >>> 3] ?? 0
    const mask = 1 << (bit & 7)
    this.#seen[bit >>> 3] = known | mask
    return (known & mask) === 0
  }
}
