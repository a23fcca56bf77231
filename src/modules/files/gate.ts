/** Lets so many be at work at once; whoever comes later waits, in order, unless it gives up. */
export class Gate {
  #inside = 0
  readonly #waiting = new Set<() => void>()

  get inside(): number {
    return this.#inside
  }

  async pass<T>(most: number, work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    if (this.#inside < most) this.#inside++
    else await this.#turn(signal)
    try {
      return await work()
    } finally {
      // What was made leaves first: it takes as much room as what is made next.
      setImmediate(() => this.#leave())
    }
  }

  #turn(signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve, reject) => {
      const enter = () => {
        signal?.removeEventListener('abort', giveUp)
        resolve()
      }
      const giveUp = () => {
        this.#waiting.delete(enter)
        reject(signal?.reason)
      }
      this.#waiting.add(enter)
      if (signal?.aborted === true) giveUp()
      else signal?.addEventListener('abort', giveUp, { once: true })
    })
  }

  /** The place goes to whoever has waited longest. */
  #leave(): void {
    const [next] = this.#waiting
    if (next === undefined) this.#inside--
    else {
      this.#waiting.delete(next)
      next()
    }
  }
}
