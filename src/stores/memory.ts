import {
  type AppendOptions,
  type EnterOptions,
  type Entry,
  type Item,
  type Json,
  type PutOptions,
  type Rate,
  type Store,
  settle,
} from '../kernel/index.ts'
import { intervalOf, waitFor } from './bucket.ts'

/** Node's own where there is a Node: those of Deno have no unref, and an import of them would load their promises too. */
const timers = () => globalThis.process?.getBuiltinModule?.('node:timers') ?? globalThis

interface StoredEntry {
  readonly entry: Entry
  readonly expires: number
}

/** How a store in memory keeps time. */
export interface MemoryStoreOptions {
  /** How often to let go of what has expired. */
  readonly sweepMs?: number
  /** The clock by which things expire. */
  readonly now?: () => number
}

const DEFAULTS: Required<MemoryStoreOptions> = { sweepMs: 60_000, now: Date.now }

/**
 * Keeps everything in this process; what has expired goes when it is met, or at the next sweep.
 * @example const server = defineServer({ name: 'sums', version: '1.0.0', store: new MemoryStore() })
 */
export class MemoryStore implements Store {
  readonly shared: boolean = false
  readonly place: string = 'memory:'
  readonly #entries = new Map<string, StoredEntry>()
  readonly #logs = new Map<string, MemoryLog>()
  /** When each is full again. */
  readonly #buckets = new Map<string, number>()
  /** When each member is forgotten. */
  readonly #groups = new Map<string, Map<string, number>>()
  readonly #topics = new Map<string, Set<(message: Json) => void>>()
  readonly #sweepMs: number
  readonly #now: () => number
  #sweeping: NodeJS.Timeout | undefined

  constructor(options: MemoryStoreOptions = {}) {
    const { sweepMs, now } = settle('MemoryStore', DEFAULTS, options)
    this.#sweepMs = sweepMs
    this.#now = now
  }

  /** How many entries, logs, buckets and groups it holds, with those that have expired and are yet to be let go. */
  get size(): number {
    return this.#entries.size + this.#logs.size + this.#buckets.size + this.#groups.size
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

  async touch(key: string, ttlMs: number): Promise<boolean> {
    const entry = this.#find(key)
    if (entry !== undefined) this.#entries.set(key, { entry, expires: this.#expiry(ttlMs) })
    return entry !== undefined
  }

  async delete(key: string): Promise<void> {
    this.#entries.delete(key)
    this.#logs.delete(key)
  }

  async append(name: string, value: Json, options: AppendOptions = {}): Promise<number> {
    const log = this.#findLog(name) ?? new MemoryLog()
    log.expires = this.#expiry(options.ttlMs)
    this.#logs.set(name, log)
    return log.append(value, options)
  }

  async read(name: string, after: number, limit: number): Promise<readonly Item[]> {
    return this.#findLog(name)?.read(after, limit) ?? []
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

  async take(bucket: string, rate: Rate): Promise<number> {
    const now = this.#now()
    const fullAt = Math.max(now, this.#buckets.get(bucket) ?? 0)
    const wait = waitFor(fullAt, rate, now)
    if (wait === 0) this.#buckets.set(bucket, this.#expiry(fullAt - now + intervalOf(rate)))
    return wait
  }

  async enter(name: string, member: string, { ttlMs, limit }: EnterOptions): Promise<boolean> {
    const group = this.#groups.get(name) ?? new Map<string, number>()
    if (group.size >= limit) removeExpired(group, this.#now())
    if (group.size >= limit && !group.has(member)) return false
    this.#groups.set(name, group.set(member, this.#expiry(ttlMs)))
    return true
  }

  async leave(name: string, member: string): Promise<void> {
    const group = this.#groups.get(name)
    group?.delete(member)
    if (group?.size === 0) this.#groups.delete(name)
  }

  trouble(): undefined {
    return undefined
  }

  async close(): Promise<void> {
    timers().clearInterval(this.#sweeping)
    for (const kept of [this.#entries, this.#logs, this.#topics, this.#buckets, this.#groups]) kept.clear()
  }

  #find(key: string): Entry | undefined {
    const kept = this.#entries.get(key)
    return kept !== undefined && kept.expires > this.#now() ? kept.entry : undefined
  }

  #findLog(name: string): MemoryLog | undefined {
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
    removeExpired(this.#buckets, now)
    for (const [name, group] of this.#groups) {
      removeExpired(group, now)
      if (group.size === 0) this.#groups.delete(name)
    }
    if (this.size > 0) return
    timers().clearInterval(this.#sweeping)
    this.#sweeping = undefined
  }
}

function removeExpired(times: Map<string, number>, now: number): void {
  for (const [name, expires] of times) if (expires <= now) times.delete(name)
}

/** The last items of a log, whose numbers have no gaps. What was let go of is cut off once it is as much as what is left. */
class MemoryLog {
  /** When it expires. */
  expires = 0
  #items: Item[] = []
  /** How many at the front were let go of. */
  #gone = 0
  #last = 0
  /** How long the printed items are, once somebody has asked to have that bounded. */
  #sizes: number[] | undefined
  #bytes = 0

  append(value: Json, { keep = Number.POSITIVE_INFINITY, keepBytes }: AppendOptions): number {
    this.#last++
    this.#items.push({ number: this.#last, value })
    if (keepBytes !== undefined) this.#measure()
    else if (this.#sizes !== undefined) this.#count(value)
    while (
      this.#left > Math.max(1, keep) ||
      (this.#left > 1 && keepBytes !== undefined && this.#bytes > keepBytes)
    )
      this.#drop()
    this.#compact()
    return this.#last
  }

  read(after: number, limit: number): readonly Item[] {
    const skipped = Math.max(0, after - (this.#last - this.#left))
    const start = this.#gone + skipped
    return this.#items.slice(start, start + limit)
  }

  get #left(): number {
    return this.#items.length - this.#gone
  }

  #measure(): void {
    if (this.#sizes === undefined) {
      this.#cutOff() // What has been let go of is not measured any more.
      this.#sizes = []
    }
    for (const { value } of this.#items.slice(this.#sizes.length)) this.#count(value)
  }

  #count(value: Json): void {
    const size = sizeOf(value)
    this.#sizes?.push(size)
    this.#bytes += size
  }

  #drop(): void {
    this.#bytes -= this.#sizes?.[this.#gone] ?? 0
    // A place that is empty holds nothing up, until it is cut off with the others.
    this.#items[this.#gone] = NOTHING
    this.#gone++
  }

  #compact(): void {
    if (this.#gone > this.#left) this.#cutOff()
  }

  #cutOff(): void {
    this.#items = this.#items.slice(this.#gone)
    this.#sizes = this.#sizes?.slice(this.#gone)
    this.#gone = 0
  }
}

const NOTHING: Item = { number: 0, value: null }

/** What is text already is not printed once more to be measured. */
function sizeOf(value: Json): number {
  return typeof value === 'string' ? value.length + 2 : JSON.stringify(value).length
}
