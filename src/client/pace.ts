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

/** What keeps us busy has one of so many parts of the time, beside what it may take at once; the longest rest from it. */
const [PARTS, FREE_MS, LONGEST_REST_MS] = [20, 500, 60_000]

/** How long to wait before doing what there is reason to do again and again: twice as long each time that the reason comes soon. */
export class Pace {
  readonly #options: PaceOptions
  #waitMs = 0
  /** For how long it has kept us busy beyond its part, when that was last counted. */
  #owedMs = 0
  #counted = 0
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
    const isSoon = this.#now() < this.#soon
    this.#waitMs = isSoon ? Math.max(startMs, longerMs, this.#rest(0)) : startMs
    this.done()
    this.#soon += this.#waitMs
    return this.#waitMs
  }

  /** What is soon counts from here: it has begun and is meant to last, or is over and has kept us busy for so long. */
  done(busyMs = 0): void {
    const { firstMs, longestMs, shortMs = 0 } = this.#options
    const soonMs = Math.min(2 * Math.max(this.#waitMs, firstMs), longestMs)
    this.#soon = this.#now() + Math.max(soonMs, shortMs, this.#rest(busyMs))
  }

  /** It was of use: the next time is like the first, however soon it comes. */
  reset(): void {
    this.#soon = 0
  }

  /** How long until it has had no more than its part. */
  #rest(busyMs: number): number {
    const now = this.#now()
    const paidMs = Math.max(0, now - this.#counted) / PARTS // A clock may be set back.
    this.#owedMs = Math.max(0, this.#owedMs - paidMs) + busyMs
    this.#counted = now
    return Math.min(PARTS * Math.max(0, this.#owedMs - FREE_MS), LONGEST_REST_MS)
  }

  #now(): number {
    return this.#options.now?.() ?? performance.now()
  }
}
