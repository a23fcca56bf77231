/** How long something may wait for others that take their time to be found. */
const MAX_WAIT_MS = 1

/** A turn that takes longer makes others wait. */
const LONG_TURN_MS = 2

/** What is kept back for a moment. */
export interface Flushed {
  /** Whether nothing is to follow, which would have to be written after it. */
  readonly ended: boolean
  /** Whether it takes so long to write that others go first. */
  readonly large?: boolean
  /** Throws nothing: others leave with it. */
  flush(): void
}

/**
 * What is written while messages are being read leaves when all of them have been: a peer that is woken once
 * for several costs both sides less than one that is woken for each.
 */
export class Flusher {
  /** Since when something has been taken up or answered in this turn; 0 before. */
  since = 0
  /** When whatever was begun last came to rest. */
  restedAt = 0
  #waiting: Flushed[] = []
  #large: Flushed[] = []
  #leftAt = 0
  #late = false

  add(flushed: Flushed): void {
    if (flushed.large) return this.#addLarge(flushed)
    const now = performance.now()
    if (this.since === 0) {
      this.since = now
      setImmediate(this.endTurn)
    }
    if (this.#late && flushed.ended) return flushed.flush()
    if (this.#waiting.push(flushed) === 1) this.#leftAt = now
    else if (now - this.#leftAt > MAX_WAIT_MS) this.#flushComplete(now)
  }

  #addLarge(flushed: Flushed): void {
    if (this.#large.push(flushed) === 1) setImmediate(this.#flushLarge)
  }

  /** Where a turn takes long, what is complete waits for nobody in the next. */
  readonly endTurn = (): void => {
    this.restedAt = performance.now()
    this.#late = this.restedAt - this.since > LONG_TURN_MS
    this.since = 0
    this.flush()
  }

  /** What is about to go on would otherwise be written twice. */
  #flushComplete(now: number): void {
    const waiting = this.#waiting
    this.#waiting = waiting.filter(({ ended }) => !ended)
    this.#leftAt = now
    for (const flushed of waiting) if (flushed.ended) flushed.flush()
  }

  readonly flush = (): void => {
    const leaving = this.#waiting
    this.#waiting = []
    for (const flushed of leaving) flushed.flush()
  }

  /** Much is written for a moment at a stretch. */
  readonly #flushLarge = (): void => {
    this.flush()
    const since = performance.now()
    do this.#large.shift()?.flush()
    while (this.#large.length > 0 && performance.now() - since < MAX_WAIT_MS)
    if (this.#large.length > 0) setImmediate(this.#flushLarge)
  }
}
