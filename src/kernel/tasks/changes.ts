import { isObject, type Json } from '../jsonrpc/message.ts'
import type { Platform } from '../ports/platform.ts'
import { isReadable, type TaskRecord } from './record.ts'
import { type GuardedStore, toJson } from './store.ts'

const TOPIC = 'tasks'

/** How often somebody who waits for a task looks at it, should nobody tell of a change. */
const LOOK_MS = 2000

export interface TaskChangesOptions {
  readonly after: Platform['after']
  readonly store: GuardedStore
  /** Who we are among the processes that share the store. */
  readonly node: () => string
  /** Told of what other processes change, as long as anybody watches. */
  readonly heard: (record: TaskRecord) => void
}

export interface Pause {
  readonly over: Promise<void>
  readonly end: () => void
}

/** Those who wait for a task to change, and what processes tell each other of it. */
export class TaskChanges {
  readonly #options: TaskChangesOptions
  readonly #wakers = new Map<string, Set<() => void>>()
  #watchers = 0
  #subscribed: Promise<() => Promise<void>> | undefined

  constructor(options: TaskChangesOptions) {
    this.#options = options
  }

  /** Tells other processes of a change that is made: one that is not told sees it when it next looks. */
  async publish(record: TaskRecord): Promise<void> {
    const { store, node } = this.#options
    await store.publish(TOPIC, { node: node(), record: toJson(record) }).catch(() => {})
  }

  /** Has every change told here, whichever process makes it, until the function given back is called. */
  async watch(): Promise<() => void> {
    this.#watchers++
    this.#subscribed ??= this.#options.store.subscribe(TOPIC, (notice) => this.#hear(notice))
    const subscribed = this.#subscribed
    try {
      await subscribed
    } catch (error) {
      if (this.#subscribed === subscribed) this.#subscribed = undefined
      this.#unwatch()
      throw error
    }
    let left = false
    return () => {
      if (!left) this.#unwatch()
      left = true
    }
  }

  wake(id: string): void {
    for (const wake of [...(this.#wakers.get(id) ?? [])]) wake()
  }

  /** Over when the task has changed, when the signal is aborted, after a while, or when `end` is called. */
  pause(id: string, signal: AbortSignal): Pause {
    const wakers = this.#wakers.get(id) ?? new Set()
    let end = () => {}
    const over = new Promise<void>((resolve) => {
      const stopClock = this.#options.after(LOOK_MS, () => end())
      end = () => {
        stopClock()
        signal.removeEventListener('abort', end)
        wakers.delete(end)
        if (wakers.size === 0 && this.#wakers.get(id) === wakers) this.#wakers.delete(id)
        resolve()
      }
      signal.addEventListener('abort', end)
      this.#wakers.set(id, wakers.add(end))
    })
    return { over, end }
  }

  #unwatch(): void {
    if (--this.#watchers > 0) return
    const subscribed = this.#subscribed
    this.#subscribed = undefined
    void subscribed?.then((leave) => leave()).catch(() => {}) // A store that fails now has nobody to tell.
  }

  #hear(notice: Json): void {
    // Nobody who has tasks has said it, or somebody of another version.
    if (!isObject(notice) || !isObject(notice['record']) || !isReadable(notice['record'])) return
    const { node, record } = notice as unknown as { node: string; record: TaskRecord } // As published.
    if (node !== this.#options.node()) this.#options.heard(record)
  }
}
