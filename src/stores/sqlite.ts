import { randomUUID } from 'node:crypto'
import { clearInterval, setInterval } from 'node:timers' // Those of the platform itself may have no unref.
import type { Database, Row, Value } from '../databases/database.ts'
import { openSqlite } from '../databases/sqlite.ts'
import type {
  AppendOptions,
  EnterOptions,
  Entry,
  Item,
  Json,
  PutOptions,
  Rate,
  Store,
} from '../kernel/index.ts'
import { HAIR_MS, intervalOf } from './bucket.ts'
import { keptName } from './kept-name.ts'
import { parseKept } from './parse-kept.ts'
import { Notices } from './sqlite-notices.ts'
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
const RETRY_MS = 500

/** How long a notice waits for the other processes to look. */
const NOTICE_MS = 60_000

const SWEEPS = [SQL.sweepEntries, SQL.sweepLogs, SQL.sweepBuckets, SQL.sweepMembers]

export function openSqliteStore(options: SqliteStoreOptions): Store {
  return new SqliteStore(options)
}

/** Keeps everything in one file, which several processes may share. Every operation is one statement. */
class SqliteStore implements Store {
  readonly shared: boolean = true
  readonly #database: Database
  /** For what is of no use after a power cut: it does not wait for the disk. */
  readonly #passing: Database
  readonly #options: SqliteStoreOptions
  readonly #now: () => number
  readonly #notices: Notices
  /** What processes of an older version tell their own notices by. */
  readonly #sender = randomUUID()
  #sweeping: NodeJS.Timeout | undefined
  #trouble: string | undefined
  #trying: NodeJS.Timeout | undefined
  #closed = false

  constructor(options: SqliteStoreOptions) {
    const { path, folder = 'must-exist', pollMs = POLL_MS } = options
    this.#options = options
    this.#now = options.now ?? Date.now
    const patience = options.patienceMs === undefined ? {} : { patienceMs: options.patienceMs }
    const file = { path, folder, migrations: MIGRATIONS, ...patience }
    this.#database = openSqlite(file)
    this.#passing = openSqlite({ ...file, lasting: 'through-crashes' })
    this.#notices = new Notices({
      query: (sql, values) => this.#query(sql, values, this.#passing),
      now: this.#now,
      pollMs,
      lifeMs: NOTICE_MS,
    })
  }

  async get(key: string): Promise<Entry | undefined> {
    const [row] = await this.#query(SQL.get, [keptName(key), this.#now()])
    return row && { value: parse(row), version: Number(row['version']) }
  }

  async put(key: string, value: Json, { ttlMs, ifVersion }: PutOptions = {}): Promise<number | undefined> {
    const now = this.#now()
    const values = [keptName(key), JSON.stringify(value), expiry(ttlMs, now), ifVersion ?? null, now]
    const [row] = await this.#query(SQL.put, values)
    return row && Number(row['version'])
  }

  async touch(key: string, ttlMs: number): Promise<boolean> {
    const now = this.#now()
    return (await this.#query(SQL.touch, [keptName(key), expiry(ttlMs, now), now], this.#passing)).length > 0
  }

  async delete(key: string): Promise<void> {
    await this.#query(SQL.delete, [keptName(key)])
  }

  async append(log: string, value: Json, options: AppendOptions = {}): Promise<number> {
    const now = this.#now()
    const [keep, keepBytes] = [bound(options.keep), bound(options.keepBytes)]
    const values = [keptName(log), JSON.stringify(value), expiry(options.ttlMs, now), keep, now, keepBytes]
    const [row] = await this.#query(SQL.append, values)
    return Number(row?.['number'])
  }

  async read(log: string, after: number, limit: number): Promise<readonly Item[]> {
    const values = [keptName(log), after, Math.min(limit, Number.MAX_SAFE_INTEGER), this.#now()]
    const rows = await this.#query(SQL.read, values)
    return rows.map((row) => ({ number: Number(row['number']), value: parse(row) }))
  }

  async publish(topic: string, message: Json): Promise<void> {
    const values = [topic, JSON.stringify(message), this.#sender, this.#now()]
    const [row] = await this.#query(SQL.publish, values, this.#passing)
    await this.#notices.published(topic, message, Number(row?.['number']))
  }

  async subscribe(
    topic: string,
    listener: (message: Json) => void,
    missed?: () => void,
  ): Promise<() => Promise<void>> {
    return this.#notices.subscribe({ topic, hear: listener, missed })
  }

  async take(bucket: string, rate: Rate): Promise<number> {
    const interval = intervalOf(rate)
    const values = [keptName(bucket), this.#now(), interval, (rate.burst - 1) * interval]
    const [row] = await this.#query(SQL.take, values, this.#passing)
    const wait = Number(row?.['wait'])
    return wait < HAIR_MS ? 0 : Math.ceil(wait)
  }

  async enter(group: string, member: string, { ttlMs, limit }: EnterOptions): Promise<boolean> {
    const now = this.#now()
    const rows = await this.#query(
      SQL.enter,
      [keptName(group), member, Math.ceil(now + ttlMs), now, limit],
      this.#passing,
    )
    return rows.length > 0
  }

  async leave(group: string, member: string): Promise<void> {
    await this.#query(SQL.leave, [keptName(group), member], this.#passing)
  }

  trouble(): string | undefined {
    return this.#trouble
  }

  async close(): Promise<void> {
    this.#closed = true
    this.#notices.close()
    clearInterval(this.#sweeping)
    clearInterval(this.#trying)
    await this.#database.close()
    await this.#passing.close()
  }

  /** To open the file once more would leave it open for good. */
  async #query(
    sql: string,
    values: readonly Value[] = [],
    database: Database = this.#database,
  ): Promise<readonly Row[]> {
    if (this.#closed) throw new Error(`The store ${this.#options.path} has been closed`)
    this.#sweeping ??= this.#beginSweeping()
    try {
      const rows = await database.query(sql, values)
      // A file that is locked or full can still be read.
      if (!sql.startsWith('SELECT')) this.#recover()
      return rows
    } catch (error) {
      throw this.#suffer(isForeign(error) ? foreign(this.#options.path, error) : error)
    }
  }

  /** Whoever is told that it cannot be used does not use it, so it looks for itself whether it can be again. */
  #suffer(error: unknown): unknown {
    this.#trouble = error instanceof Error ? error.message : String(error)
    if (!this.#closed)
      this.#trying ??= setInterval(() => void this.touch('', 0).catch(() => {}), RETRY_MS).unref() // Its failure is known.
    return error
  }

  #recover(): void {
    this.#trouble = undefined
    clearInterval(this.#trying)
    this.#trying = undefined
  }

  #beginSweeping(): NodeJS.Timeout {
    const sweep = async () => {
      const now = this.#now()
      for (const sql of SWEEPS) await this.#query(sql, [now])
      await this.#query(SQL.sweepNotices, [now - NOTICE_MS])
    }
    const sweepMs = this.#options.sweepMs ?? SWEEP_MS
    return setInterval(() => void sweep().catch(() => {}), sweepMs).unref() // What is left goes with the next sweep.
  }
}

function parse(row: Row): Json {
  return parseKept(String(row['value']))
}

function expiry(ttlMs: number | undefined, now: number): number | null {
  return ttlMs === undefined || !Number.isFinite(ttlMs) ? null : Math.ceil(now + ttlMs)
}

function bound(most: number | undefined): number | null {
  return most !== undefined && Number.isFinite(most) ? most : null
}

/** A database with tables, but not with ours. */
function isForeign(error: unknown): boolean {
  return error instanceof Error && error.message.includes('no such table')
}

function foreign(path: string, cause: unknown): Error {
  return new Error(`The database ${path} belongs to another program: choose another file`, { cause })
}
