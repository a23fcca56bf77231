interface Queued<Item, Result> {
  readonly item: Item
  resolve(result: Result): void
  reject(error: unknown): void
}

/** The most that is sent together. */
const MAX_TOGETHER = 200

/** Sends what has one name in the order in which it came: what comes at once goes together, and so does what waits behind it. */
export class Batches<Item, Result> {
  readonly #send: (name: string, items: readonly Item[]) => Promise<readonly Result[]>
  /** What waits behind what is on its way. */
  readonly #waiting = new Map<string, Queued<Item, Result>[]>()

  constructor(send: (name: string, items: readonly Item[]) => Promise<readonly Result[]>) {
    this.#send = send
  }

  add(name: string, item: Item): Promise<Result> {
    return new Promise((resolve, reject) => {
      const waiting = this.#waiting.get(name)
      waiting?.push({ item, resolve, reject })
      if (waiting !== undefined) return
      this.#waiting.set(name, [{ item, resolve, reject }])
      queueMicrotask(() => void this.#sendAll(name))
    })
  }

  async #sendAll(name: string): Promise<void> {
    for (let batch = this.#next(name); batch.length > 0; batch = this.#next(name))
      await this.#sendOne(name, batch)
    this.#waiting.delete(name)
  }

  #next(name: string): readonly Queued<Item, Result>[] {
    return this.#waiting.get(name)?.splice(0, MAX_TOGETHER) ?? []
  }

  async #sendOne(name: string, batch: readonly Queued<Item, Result>[]): Promise<void> {
    try {
      const items = batch.map(({ item }) => item)
      const results = await this.#send(name, items)
      for (const [index, one] of batch.entries()) one.resolve(results[index] as Result) // There is one for each.
    } catch (error) {
      for (const one of batch) one.reject(error)
    }
  }
}
