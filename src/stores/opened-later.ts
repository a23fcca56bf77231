import { Later } from '../databases/by-url.ts'
import type { Store } from '../kernel/index.ts'

const RETRY_MS = 1000

/** A store that several processes use, opened when it is first used; while it cannot be, that is tried again and again. */
export function openLater(load: () => Promise<Store>, place: string): Store {
  const opening = new LateOpening(load)
  const open = () => opening.open()
  return {
    shared: true,
    place,
    get: async (key) => (await open()).get(key),
    put: async (key, value, options) => (await open()).put(key, value, options),
    touch: async (key, ttlMs) => (await open()).touch(key, ttlMs),
    delete: async (key) => (await open()).delete(key),
    append: async (log, value, options) => (await open()).append(log, value, options),
    read: async (log, after, limit) => (await open()).read(log, after, limit),
    publish: async (topic, message) => (await open()).publish(topic, message),
    subscribe: async (topic, listener, missed) => (await open()).subscribe(topic, listener, missed),
    take: async (bucket, rate) => (await open()).take(bucket, rate),
    enter: async (group, member, options) => (await open()).enter(group, member, options),
    leave: async (group, member) => (await open()).leave(group, member),
    trouble: () => opening.trouble,
    close: () => opening.close(),
  }
}

/** Whoever is told that a store cannot be used does not use it, so it finds out by itself when it can be. */
class LateOpening {
  readonly #store: Later<Store>
  #opened: Store | undefined
  #failure: string | undefined
  #retrying: NodeJS.Timeout | undefined
  #closed = false

  constructor(load: () => Promise<Store>) {
    this.#store = new Later(load)
  }

  get trouble(): string | undefined {
    return this.#opened === undefined ? this.#failure : this.#opened.trouble()
  }

  async open(): Promise<Store> {
    if (this.#closed) throw new Error('The store has been closed')
    try {
      this.#opened = await this.#store.get()
      return this.#opened
    } catch (error) {
      this.#failure = error instanceof Error ? error.message : String(error)
      this.#retryLater()
      throw error
    }
  }

  async close(): Promise<void> {
    this.#closed = true
    clearTimeout(this.#retrying)
    const opened = await this.#store.used?.catch(() => undefined) // One that never opened has nothing to close.
    await opened?.close()
  }

  #retryLater(): void {
    if (this.#closed || this.#retrying !== undefined) return
    this.#retrying = setTimeout(() => {
      this.#retrying = undefined
      this.open().catch(() => {}) // It is tried again.
    }, RETRY_MS)
    this.#retrying.unref?.()
  }
}
