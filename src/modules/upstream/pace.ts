export interface PaceOptions {
  readonly now: () => number
  readonly firstMs: number
  readonly longestMs: number
}

/** How long to wait before doing what there is reason to do again and again: twice as long each time that the reason comes soon. */
export class Pace {
  readonly #options: PaceOptions
  #waitMs = 0
  #soon = 0

  constructor(options: PaceOptions) {
    this.#options = options
  }

  next(): number {
    const { now, firstMs, longestMs } = this.#options
    this.#waitMs = now() < this.#soon ? Math.min(2 * this.#waitMs, longestMs) : firstMs
    this.done()
    return this.#waitMs
  }

  /** What has taken its time counts from its end. */
  done(): void {
    this.#soon = this.#options.now() + 2 * this.#waitMs
  }
}
