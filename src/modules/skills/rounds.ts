/**
 * Work that many ask for at once, done once for all of them. Whoever asks has what began after they asked, so that it
 * shows what they have just written: those who ask while it is done share the next round.
 */
export class Rounds<Value> {
  readonly #running = new Map<string, Promise<void>>()
  readonly #next = new Map<string, Promise<Value>>()

  ask(key: string, work: () => Promise<Value>): Promise<Value> {
    const waiting = this.#next.get(key)
    if (waiting !== undefined) return waiting
    const running = this.#running.get(key)
    if (running === undefined) return this.#begin(key, work)
    const next = running.then(() => {
      this.#next.delete(key)
      return this.#begin(key, work)
    })
    this.#next.set(key, next)
    return next
  }

  #begin(key: string, work: () => Promise<Value>): Promise<Value> {
    const coming = work()
    const end = () => void this.#running.delete(key)
    this.#running.set(key, coming.then(end, end))
    return coming
  }
}
