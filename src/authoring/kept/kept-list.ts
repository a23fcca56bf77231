import type { AuthorServer, Json, Server } from '../../kernel/index.ts'
import { KeptRecords } from './kept-records.ts'
import type { AnyKeptOptions } from './options.ts'

/** How often what has expired is let go, at least. */
const MAX_SWEEP_MS = 3_600_000

/** What is kept of one server's list: by its owners, here and in the store. */
export class KeptList {
  readonly #server: AuthorServer
  readonly #kernel: Server
  readonly #options: AnyKeptOptions
  readonly #records: KeptRecords
  readonly #own = new Map<string, Map<string, Json>>()
  readonly #touchedAt = new Map<string, number>()
  /** What is done for an owner is done one after the other. */
  readonly #turns = new Map<string, Promise<unknown>>()
  #isOpen = false
  #metForeign = false
  #opening: Promise<void> | undefined
  #leave = async () => {}
  #stopSweep = () => {}

  constructor(server: AuthorServer, options: AnyKeptOptions) {
    this.#server = server
    this.#kernel = server as Server // The same object, as the kernel knows it.
    this.#options = options
    const { store } = this.#kernel.platform
    const { name, ttlMs } = options
    this.#records = new KeptRecords({ store, name, ttlMs, foreign: () => this.#noteForeign() })
  }

  get shared(): boolean {
    return this.#kernel.platform.store.shared
  }

  /** Has what is kept be there before the first call is answered; gives nothing back where there is nothing to wait for. */
  open(): Promise<void> | undefined {
    if (this.#isOpen || !this.shared) return undefined
    this.#opening ??= this.#open()
      .then(() => {
        this.#isOpen = true
      })
      .catch((error: unknown) => this.#report(error)) // The next call tries again.
      .finally(() => {
        this.#opening = undefined
      })
    return this.#opening
  }

  async #open(): Promise<void> {
    const { store } = this.#kernel.platform
    const hear = (owner: Json) => {
      if (typeof owner === 'string') this.#inBackground(this.refresh(owner))
    }
    this.#leave = await store.subscribe(this.#topic, hear, () => this.#inBackground(this.#refreshAll()))
    try {
      await this.#refreshAll()
    } catch (error) {
      await this.#leave() // Whoever tries again listens anew.
      throw error
    }
    this.#sweepLater()
  }

  async close(): Promise<void> {
    await this.#opening
    this.#isOpen = false
    this.#stopSweep()
    await this.#leave()
  }

  /** Gives nothing back where there is nothing to wait for. */
  add(owner: string, data: Json): Promise<void> | undefined {
    if (this.shared) return this.#inTurn(owner, () => this.#addShared(owner, data))
    this.#put(owner, data)
    return undefined
  }

  remove(owner: string, key: string): boolean | Promise<boolean> {
    if (this.shared) return this.#inTurn(owner, () => this.#removeShared(owner, key))
    return this.#take(owner, key)
  }

  /** Has what is there be what the store has. */
  refresh(owner: string): Promise<void> {
    return this.#inTurn(owner, async () => {
      const values = await this.#records.read(owner)
      if (values === undefined) return // It is told of, and left as it is.
      this.#apply(owner, values)
      if (values.length === 0) await this.#records.forget(owner)
    })
  }

  /** What its owner uses stays. */
  used(owner: string): void {
    const { now } = this.#kernel.platform
    if (!this.shared || !this.#own.has(owner)) return
    if (now() - (this.#touchedAt.get(owner) ?? 0) < this.#options.ttlMs / 4) return
    this.#touchedAt.set(owner, now())
    this.#inBackground(this.#records.touch(owner))
  }

  async #addShared(owner: string, data: Json): Promise<void> {
    await this.#records.change(owner, (values) => {
      this.#apply(owner, values)
      const key = this.#put(owner, data)
      return { values: [...values, data], undo: () => void this.#take(owner, key) }
    })
    await this.#tell(owner)
  }

  async #removeShared(owner: string, key: string): Promise<boolean> {
    const { keyOf } = this.#options
    const removed = await this.#records.change(owner, (values) => {
      this.#apply(owner, values)
      const left = values.filter((data) => keyOf(data) !== key)
      return left.length === values.length ? undefined : { values: left }
    })
    if (!removed) return false
    this.#take(owner, key)
    if (!this.#own.has(owner)) await this.#records.forget(owner)
    await this.#tell(owner)
    return true
  }

  /** Throws when there is no room, or when it cannot be offered. */
  #put(owner: string, data: Json): string {
    const { admit, define, list, keyOf, added } = this.#options
    const key = keyOf(data)
    admit?.(this.#server, owner, data)
    this.#server[list].add(define(data) as never, owner) // Of the list's own kind, as the author has it.
    const own = this.#own.get(owner) ?? new Map<string, Json>()
    this.#own.set(owner, own.set(key, data))
    added?.(this.#server, owner, data)
    return key
  }

  #take(owner: string, key: string): boolean {
    const own = this.#own.get(owner)
    const data = own?.get(key)
    if (own === undefined || data === undefined) return false
    own.delete(key)
    if (own.size === 0) this.#own.delete(owner)
    this.#server[this.#options.list].remove(key, owner)
    this.#options.removed?.(this.#server, owner, data)
    return true
  }

  /** Whoever listens here is told; other nodes tell theirs. */
  #apply(owner: string, values: readonly Json[]): void {
    const wanted = new Map(values.map((data) => [this.#options.keyOf(data), data]))
    const own = new Map(this.#own.get(owner))
    const isSame = (key: string) => JSON.stringify(own.get(key)) === JSON.stringify(wanted.get(key))
    const gone = [...own.keys()].filter((key) => !isSame(key))
    const missing = [...wanted].filter(([key]) => !isSame(key))
    if (gone.length + missing.length === 0) return
    this.#kernel.changes.fromElsewhere(() => {
      for (const key of gone) this.#take(owner, key)
      for (const [key, data] of missing) this.#offer(owner, key, data)
    })
  }

  /** What another node could offer and this one cannot, as one of another version, is told of and left out. */
  #offer(owner: string, key: string, data: Json): void {
    try {
      this.#put(owner, data)
    } catch (error) {
      const message = `${this.#options.name}: ${key} cannot be offered here: ${(error as Error).message}`
      this.#kernel.observe({ kind: 'noted', level: 'warning', message })
    }
  }

  /** Said once: it is met with every look at the store. */
  #noteForeign(): void {
    if (this.#metForeign) return
    this.#metForeign = true
    const message = `${this.#options.name}: some of what is kept was written by a server of another version: it is not offered here, and left as it is`
    this.#kernel.observe({ kind: 'noted', level: 'warning', message })
  }

  async #refreshAll(): Promise<void> {
    const owners = new Set([...(await this.#records.owners()), ...this.#own.keys()])
    for (const owner of owners) await this.refresh(owner)
  }

  #sweepLater(): void {
    const ms = Math.min(MAX_SWEEP_MS, this.#options.ttlMs / 4)
    this.#stopSweep = this.#kernel.platform.after(ms, () => {
      this.#inBackground(this.#refreshAll())
      this.#sweepLater()
    })
  }

  async #tell(owner: string): Promise<void> {
    this.#touchedAt.set(owner, this.#kernel.platform.now())
    await this.#kernel.platform.store.publish(this.#topic, owner)
  }

  #inTurn<Result>(owner: string, run: () => Promise<Result>): Promise<Result> {
    const turn = (this.#turns.get(owner) ?? Promise.resolve()).then(run)
    const settled = turn.catch(() => {}) // Whoever waits for it is told.
    this.#turns.set(owner, settled)
    void settled.then(() => {
      if (this.#turns.get(owner) === settled) this.#turns.delete(owner)
    })
    return turn
  }

  #inBackground(done: Promise<unknown>): void {
    done.catch((error: unknown) => this.#report(error))
  }

  /** A store that is away says so itself. */
  #report(error: unknown): void {
    const { platform, observe } = this.#kernel
    if (platform.store.trouble() === undefined) observe({ kind: 'crashed', error, method: 'kept' })
  }

  get #topic(): string {
    return `kept/${this.#options.name}`
  }
}
