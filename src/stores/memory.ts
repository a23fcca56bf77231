import {
  type AppendOptions,
  type Entry,
  type Item,
  type Json,
  type PutOptions,
  type Store,
  settle,
} from '../kernel/index.ts'

/** Node's own where there is a Node: those of Deno have no unref, and an import of them would load their promises too. */
const timers = () => globalThis.process?.getBuiltinModule?.('node:timers') ?? globalThis

interface StoredEntry {
  readonly entry: Entry
  readonly expires: number
}

interface Log {
  items: Item[]
  last: number
  expires: number
}

/** How a store in memory keeps time. */
export interface MemoryStoreOptions {
  /** How often to let go of what has expired. */
  readonly sweepMs?: number
  /** The clock by which things expire. */
  readonly now?: () => number
}

const DEFAULTS: Required<MemoryStoreOptions> = { sweepMs: 60_000, now: Date.now }

/** Keeps everything in this process; what has expired goes when it is met, or at the next sweep. */
export class MemoryStore implements Store {
  readonly #entries = new Map<string, StoredEntry>()
  readonly #logs = new Map<string, Log>()
  readonly #topics = new Map<string, Set<(message: Json) => void>>()
  readonly #sweepMs: number
  readonly #now: () => number
  #sweeping: NodeJS.Timeout | undefined

  constructor(options: MemoryStoreOptions = {}) {
    const { sweepMs, now } = settle('MemoryStore', DEFAULTS, options)
    this.#sweepMs = sweepMs
    this.#now = now
  }

  /** How many entries and logs it holds, with those that have expired and are yet to be let go. */
  get size(): number {
    return this.#entries.size + this.#logs.size
  }

  async get(key: string): Promise<Entry | undefined> {
    return this.#find(key)
  }

  async put(key: string, value: Json, { ttlMs, ifVersion }: PutOptions = {}): Promise<number | undefined> {
    const current = this.#find(key)?.version ?? 0
    if (ifVersion !== undefined && ifVersion !== current) return undefined
    this.#entries.set(key, { entry: { value, version: current + 1 }, expires: this.#expiry(ttlMs) })
    return current + 1
  }

  async delete(key: string): Promise<void> {
    this.#entries.delete(key)
    this.#logs.delete(key)
  }

  async append(
    name: string,
    value: Json,
    { ttlMs, keep = Number.POSITIVE_INFINITY }: AppendOptions = {},
  ): Promise<number> {
    const log = this.#findLog(name) ?? { items: [], last: 0, expires: 0 }
    log.last++
    log.items.push({ number: log.last, value })
    if (log.items.length > keep) log.items.splice(0, log.items.length - keep)
    log.expires = this.#expiry(ttlMs)
    this.#logs.set(name, log)
    return log.last
  }

  async read(name: string, after: number, limit: number): Promise<readonly Item[]> {
    const items = this.#findLog(name)?.items ?? []
    return items.filter(({ number }) => number > after).slice(0, limit)
  }

  async publish(topic: string, message: Json): Promise<void> {
    for (const listener of [...(this.#topics.get(topic) ?? [])]) listener(message)
  }

  async subscribe(topic: string, listener: (message: Json) => void): Promise<() => Promise<void>> {
    const listeners = this.#topics.get(topic) ?? new Set()
    this.#topics.set(topic, listeners.add(listener))
    return async () => {
      listeners.delete(listener)
      if (listeners.size === 0 && this.#topics.get(topic) === listeners) this.#topics.delete(topic)
    }
  }

  async close(): Promise<void> {
    timers().clearInterval(this.#sweeping)
    this.#entries.clear()
    this.#logs.clear()
    this.#topics.clear()
  }

  #find(key: string): Entry | undefined {
    const kept = this.#entries.get(key)
    return kept !== undefined && kept.expires > this.#now() ? kept.entry : undefined
  }

  #findLog(name: string): Log | undefined {
    const log = this.#logs.get(name)
    return log !== undefined && log.expires > this.#now() ? log : undefined
  }

  /** A store that holds nothing that expires needs no sweeping. */
  #expiry(ttlMs: number | undefined): number {
    if (ttlMs === undefined) return Number.POSITIVE_INFINITY
    if (this.#sweeping === undefined) {
      this.#sweeping = timers().setInterval(() => this.#sweep(), this.#sweepMs)
      this.#sweeping.unref?.() // A Worker's is a number.
    }
    return this.#now() + ttlMs
  }

  #sweep(): void {
    const now = this.#now()
    for (const [key, { expires }] of this.#entries) if (expires <= now) this.#entries.delete(key)
    for (const [name, { expires }] of this.#logs) if (expires <= now) this.#logs.delete(name)
    if (this.size > 0) return
    timers().clearInterval(this.#sweeping)
    this.#sweeping = undefined
  }
}
