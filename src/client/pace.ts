export interface PaceOptions {
  /** How long to wait at first. */
  readonly firstMs: number
  /** How long at most, unless it takes long what is done. */
  readonly longestMs: number
  /** What is over sooner than this was not there for long. */
  readonly shortMs?: number
  /** Whether the first time waits for nothing. */
  readonly atOnce?: boolean
  readonly now?: () => number
}

/** That of streams, and of what goes with them when they break. */
export const STREAM_PACE: PaceOptions = { firstMs: 200, longestMs: 30_000, shortMs: 5000 }

/** How many times as long as it took there is rest from what is done again and again, and how long at most. */
const [RESTS, LONGEST_REST_MS] = [20, 60_000]

/** How long to wait before doing what there is reason to do again and again: twice as long each time that the reason comes soon. */
export class Pace {
  readonly #options: PaceOptions
  #waitMs = 0
  #restMs = 0
  /** Until when the next reason comes soon. */
  #soon = 0

  constructor(options: PaceOptions) {
    this.#options = options
  }

  /** Never less than what was asked for. */
  next(leastMs = 0): number {
    const { firstMs, longestMs, atOnce } = this.#options
    const startMs = Math.max(leastMs, atOnce === true ? 0 : firstMs)
    const longerMs = Math.min(Math.max(2 * this.#waitMs, firstMs), longestMs)
    this.#waitMs = this.#now() < this.#soon ? Math.max(startMs, longerMs, this.#restMs) : startMs
    this.done()
    this.#soon += this.#waitMs
    return this.#waitMs
  }

  /** What is soon counts from here: it has begun and is meant to last, or is over and has kept us busy for so long. */
  done(busyMs = 0): void {
    const { firstMs, longestMs, shortMs = 0 } = this.#options
    this.#restMs = Math.min(RESTS * busyMs, LONGEST_REST_MS)
    const soonMs = Math.min(2 * Math.max(this.#waitMs, firstMs), longestMs)
    this.#soon = this.#now() + Math.max(soonMs, shortMs, this.#restMs)
  }

  /** It was of use: the next time is like the first, however soon it comes. */
  reset(): void {
    this.#soon = 0
  }

  #now(): number {
    return this.#options.now?.() ?? performance.now()
  }
}
