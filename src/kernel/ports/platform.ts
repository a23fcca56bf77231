import type { Store } from './store.ts'
import type { Validator } from './validator.ts'

/** Closes a text so that nobody but us can read or change it, and only together with the same `bound`. */
export interface Sealer {
  /** Whether others were given the same secrets, and can open what it seals. */
  readonly shared: boolean
  seal(text: string, bound: string): string
  /** Gives undefined for anything we did not seal for exactly this `bound`. */
  open(sealed: string, bound: string): string | undefined
}

/**
 * The longest that a timer can be set for; what is set for longer rings at once.
 * @example setTimeout(() => {}, LONGEST_MS)
 */
export const LONGEST_MS = 2 ** 31 - 1

/** All the kernel needs of the machine it runs on. */
export interface Platform {
  now(): number
  /**
   * Calls `run` once after a while; the function given back calls it off. A process that has nothing else to do ends
   * before that, unless somebody waits for it.
   */
  after(milliseconds: number, run: () => void, waitedFor?: 'waited-for'): () => void
  randomId(): string
  readonly sealer: Sealer
  readonly validator: Validator
  /** Where what must outlive a request is kept. */
  readonly store: Store
}
