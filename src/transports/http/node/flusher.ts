/** How long something may wait for others that take their time to be found. */
const MAX_WAIT_MS = 1

/** What is kept back for a moment. */
export interface Flushed {
  /** Whether nothing is to follow, which would have to be written after it. */
  readonly ended: boolean
  flush(): void
}

/**
 * What is written while messages are being read leaves when all of them have been: a peer that is woken once
 * for several costs both sides less than one that is woken for each.
 */
export class Flusher {
  #waiting: Flushed[] = []
  #since = 0

  add(flushed: Flushed): void {
    const now = performance.now()
    if (this.#waiting.push(flushed) === 1) {
      this.#since = now
      setImmediate(this.flush)
    } else if (now - this.#since > MAX_WAIT_MS) this.#flushComplete(now)
  }

  /** What is about to go on would otherwise be written twice. */
  #flushComplete(now: number): void {
    const waiting = this.#waiting
    this.#waiting = waiting.filter(({ ended }) => !ended)
    this.#since = now
    for (const flushed of waiting) if (flushed.ended) flushed.flush()
  }

  readonly flush = (): void => {
    const leaving = this.#waiting
    this.#waiting = []
    for (const flushed of leaving) flushed.flush()
  }
}
