import { setImmediate as giveWay } from 'node:timers/promises'

/** Has work done piece by piece, and lets others have their turn between two. */
export class Turns {
  readonly #most: number
  #waiting = 0
  #last: Promise<unknown> = Promise.resolve()

  /** How many may wait at most. */
  constructor(most: number) {
    this.#most = most
  }

  get isFull(): boolean {
    return this.#waiting >= this.#most
  }

  async take<Value>(work: () => Value | Promise<Value>): Promise<Value> {
    this.#waiting++
    const before = this.#last
    const done = (async () => {
      await before
      await giveWay()
      return await work()
    })().finally(() => this.#waiting--)
    this.#last = done.catch(() => undefined) // Whoever asked for it hears of it.
    return done
  }
}
