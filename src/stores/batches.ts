interface Queued<Item, Result> {
  readonly item: Item
  resolve(result: Result): void
  reject(error: unknown): void
}

/** The most that is sent together. */
const MAX_TOGETHER = 200

/** Sends what has one name in the order in which it came: what comes while something is on its way waits, and goes together. */
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
      this.#waiting.set(name, [])
      void this.#run(name, [{ item, resolve, reject }])
    })
  }

  async #run(name: string, batch: readonly Queued<Item, Result>[]): Promise<void> {
    try {
      const items = batch.map(({ item }) => item)
      const results = await this.#send(name, items)
      for (const [index, one] of batch.entries()) one.resolve(results[index] as Result) // There is one for each.
    } catch (error) {
      for (const one of batch) one.reject(error)
    }
    const next = this.#waiting.get(name)?.splice(0, MAX_TOGETHER) ?? []
    if (next.length === 0) this.#waiting.delete(name)
    else void this.#run(name, next)
  }
}
