import { randomUUID } from 'node:crypto'
import { clearInterval, setInterval } from 'node:timers' // Those of the platform itself may have no unref.
import type { Database, Row, Value } from '../databases/database.ts'
import { openSqlite } from '../databases/sqlite.ts'
import type { AppendOptions, Entry, Item, Json, PutOptions, Store } from '../kernel/index.ts'
import { MIGRATIONS, SQL } from './sqlite-schema.ts'

export interface SqliteStoreOptions {
  readonly path: string
  /** What happens when the folder of the file is missing. */
  readonly folder?: 'must-exist' | 'make'
  /** How long to wait for other programs that hold the file. */
  readonly patienceMs?: number
  /** How often to look for what other processes have published, while somebody here listens. */
  readonly pollMs?: number
  /** How often to remove what has expired. */
  readonly sweepMs?: number
  /** The clock by which things expire; the same for all who share the file. */
  readonly now?: () => number
}

const POLL_MS = 200
const SWEEP_MS = 60_000

/** How long a notice waits for the other processes to look. */
const NOTICE_MS = 60_000

export function openSqliteStore(options: SqliteStoreOptions): Store {
  return new SqliteStore(options)
}

interface Subscriber {
  readonly topic: string
  readonly listener: (message: Json) => void
  /** The last notice from before it listened. */
  readonly after: number
}

/** Keeps everything in one file, which several processes may share. Every operation is one statement. */
class SqliteStore implements Store {
  readonly #database: Database
  readonly #options: SqliteStoreOptions
  readonly #now: () => number
  /** Tells our own notices, which were heard when they were made, from those of others. */
  readonly #sender = randomUUID()
  readonly #subscribers = new Set<Subscriber>()
  /** The last notice that was looked at. */
  #seen = 0
  #polling: NodeJS.Timeout | undefined
  #reading = false
  #sweeping: NodeJS.Timeout | undefined
  #closed = false

  constructor(options: SqliteStoreOptions) {
    const { path, folder = 'must-exist' } = options
    this.#options = options
    this.#now = options.now ?? Date.now
    const patience = options.patienceMs === undefined ? {} : { patienceMs: options.patienceMs }
    this.#database = openSqlite({ path, folder, migrations: MIGRATIONS, ...patience })
  }

  async get(key: string): Promise<Entry | undefined> {
    const [row] = await this.#query(SQL.get, [key, this.#now()])
    return row && { value: parse(row), version: Number(row['version']) }
  }

  async put(key: string, value: Json, { ttlMs, ifVersion }: PutOptions = {}): Promise<number | undefined> {
    const now = this.#now()
    const values = [key, JSON.stringify(value), expiry(ttlMs, now), ifVersion ?? null, now]
    const [row] = await this.#query(SQL.put, values)
    return row && Number(row['version'])
  }

  async delete(key: string): Promise<void> {
    await this.#query(SQL.delete, [key])
  }

  async append(log: string, value: Json, { ttlMs, keep }: AppendOptions = {}): Promise<number> {
    const now = this.#now()
    const kept = keep !== undefined && Number.isFinite(keep) ? keep : null
    const values = [log, JSON.stringify(value), expiry(ttlMs, now), kept, now]
    const [row] = await this.#query(SQL.append, values)
    return Number(row?.['number'])
  }

  async read(log: string, after: number, limit: number): Promise<readonly Item[]> {
    const values = [log, after, Math.min(limit, Number.MAX_SAFE_INTEGER), this.#now()]
    const rows = await this.#query(SQL.read, values)
    return rows.map((row) => ({ number: Number(row['number']), value: parse(row) }))
  }

  async publish(topic: string, message: Json): Promise<void> {
    const values = [topic, JSON.stringify(message), this.#sender, this.#now()]
    const [row] = await this.#query(SQL.publish, values)
    this.#tell(topic, message, Number(row?.['number']))
  }

  async subscribe(topic: string, listener: (message: Json) => void): Promise<() => Promise<void>> {
    const [row] = await this.#query(SQL.lastNotice)
    const subscriber = { topic, listener, after: Number(row?.['number']) }
    if (this.#subscribers.size === 0) this.#seen = subscriber.after
    this.#subscribers.add(subscriber)
    this.#polling ??= setInterval(() => void this.#poll(), this.#options.pollMs ?? POLL_MS).unref()
    return async () => {
      this.#subscribers.delete(subscriber)
      if (this.#subscribers.size === 0) this.#stopPolling()
    }
  }

  async close(): Promise<void> {
    this.#closed = true
    this.#subscribers.clear()
    this.#stopPolling()
    clearInterval(this.#sweeping)
    await this.#database.close()
  }

  /** To open the file once more would leave it open for good. */
  async #query(sql: string, values: readonly Value[] = []): Promise<readonly Row[]> {
    if (this.#closed) throw new Error(`The store ${this.#options.path} has been closed`)
    this.#sweeping ??= this.#beginSweeping()
    const rows = await this.#database.query(sql, values).catch((error: unknown) => {
      throw isForeign(error) ? foreign(this.#options.path, error) : error
    })
    return rows
  }

  #tell(topic: string, message: Json, number: number): void {
    for (const subscriber of [...this.#subscribers]) {
      // A listener may make another one leave.
      if (subscriber.topic !== topic || subscriber.after >= number || !this.#subscribers.has(subscriber))
        continue
      subscriber.listener(message)
    }
  }

  async #poll(): Promise<void> {
    if (this.#reading) return
    this.#reading = true
    const rows = await this.#query(SQL.notices, [this.#seen, this.#sender]).catch(() => []) // The next look may succeed.
    this.#reading = false
    for (const row of rows) {
      const number = Number(row['number'])
      this.#seen = Math.max(this.#seen, number)
      if (row['value'] !== null) this.#tell(String(row['topic']), parse(row), number)
    }
  }

  #stopPolling(): void {
    clearInterval(this.#polling)
    this.#polling = undefined
  }

  #beginSweeping(): NodeJS.Timeout {
    const sweep = async () => {
      const now = this.#now()
      await this.#query(SQL.sweepEntries, [now])
      await this.#query(SQL.sweepLogs, [now])
      await this.#query(SQL.sweepNotices, [now - NOTICE_MS])
    }
    const sweepMs = this.#options.sweepMs ?? SWEEP_MS
    return setInterval(() => void sweep().catch(() => {}), sweepMs).unref() // What is left goes with the next sweep.
  }
}

function parse(row: Row): Json {
  return JSON.parse(String(row['value']))
}

function expiry(ttlMs: number | undefined, now: number): number | null {
  return ttlMs === undefined || !Number.isFinite(ttlMs) ? null : Math.ceil(now + ttlMs)
}

/** A database with tables, but not with ours. */
function isForeign(error: unknown): boolean {
  return error instanceof Error && error.message.includes('no such table')
}

function foreign(path: string, cause: unknown): Error {
  return new Error(`The database ${path} belongs to another program: choose another file`, { cause })
}
