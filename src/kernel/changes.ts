import type { Listener, ListName } from './methods/subscriptions.ts'

/** Lists that have changed and of which nobody has been told yet. However much one call changes, it is told once. */
export class Changes {
  readonly #listeners: Set<Listener>
  #waiting: ListName[] = []
  readonly #sinceCall = new Set<ListName>()

  constructor(listeners: Set<Listener>) {
    this.#listeners = listeners
  }

  add(list: ListName): void {
    if (this.#listeners.size === 0 || this.#sinceCall.has(list)) return
    if (this.#waiting.length === 0) queueMicrotask(() => this.tell())
    this.#sinceCall.add(list)
    this.#waiting.push(list)
  }

  /** What changes from here on is another call's doing, and told of by itself. */
  beginCall(): void {
    if (this.#sinceCall.size > 0) this.#sinceCall.clear()
  }

  /** At the latest, this happens when the turn is over. */
  tell(): void {
    if (this.#waiting.length === 0) return
    const lists = this.#waiting
    this.#waiting = []
    this.#sinceCall.clear()
    for (const listener of [...this.#listeners]) for (const list of lists) listener.tell({ list })
  }
}
