import { clearInterval, setInterval } from 'node:timers' // Those of the platform itself may have no unref.
import { type Database, DatabaseError, type Row, type Value } from '../databases/database.ts'
import { openPostgres } from '../databases/postgres.ts'
import { PostgresEar } from '../databases/postgres-ear.ts'
import { explainPostgres } from '../databases/postgres-errors.ts'
import { placeOf, splitPrefix } from '../databases/postgres-url.ts'
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
import { Appends } from './appends.ts'
import { HAIR_MS, intervalOf } from './bucket.ts'
import { keptName } from './kept-name.ts'
import { parseKept } from './parse-kept.ts'
import { MIGRATIONS, SQL } from './postgres-schema.ts'
import { PostgresTopics } from './postgres-topics.ts'

/** How long a statement may take; those of a store take a few milliseconds. */
const PATIENCE_MS = 3000

/** How many statements may wait for their turn. */
const MAX_PENDING = 10_000

const SWEEP_MS = 60_000
const SWEEP_AT_ONCE = 1000

/** How long a message waits for those who were told of it. */
const MESSAGE_MS = 60_000

export interface PostgresStoreOptions {
  readonly url: string
  /** How often to remove what has expired. */
  readonly sweepMs?: number
}

/** A store in PostgreSQL. Rejects with a sentence when it cannot be reached, or does not pass on what is published. */
export async function openPostgresStore({ url, sweepMs = SWEEP_MS }: PostgresStoreOptions): Promise<Store> {
  const { prefix, rest } = splitPrefix(url)
  const store = new PostgresStore(rest, prefix, placeOf(url))
  try {
    await store.open(sweepMs)
    return store
  } catch (error) {
    await store.close()
    throw error
  }
}

/** Every operation is one statement. What is appended to a log, or published, leaves in the order in which it came. */
class PostgresStore implements Store {
  readonly shared: boolean = true
  readonly #url: string
  readonly #place: string
  readonly #prefix: string
  readonly #database: Database
  readonly #topics: PostgresTopics
  readonly #appends: Appends
  #ear: PostgresEar | undefined
  #sweeping: NodeJS.Timeout | undefined
  #pending = 0
  #closed = false

  constructor(url: string, prefix: string, place: string) {
    this.#url = url
    this.#place = place
    this.#prefix = prefix
    this.#database = openPostgres({ url, owner: 'store', migrations: MIGRATIONS, patienceMs: PATIENCE_MS })
    this.#appends = new Appends((log, values, options) => this.#append(log, values, options))
    this.#topics = new PostgresTopics({
      prefix,
      query: (sql, values) => this.#query(sql, values),
      listen: async (channels) => this.#ear?.listen(channels),
      unlisten: async (channel) => this.#ear?.unlisten(channel),
    })
  }

  async open(sweepMs: number): Promise<void> {
    await this.#query(SQL.get, ['']) // Makes the tables, where they are missing.
    this.#ear = await PostgresEar.open({
      url: this.#url,
      place: this.#place,
      hear: (channel, payload) => this.#topics.hear(channel, payload),
      // Its other connections may be dead without knowing; new ones are made when they are needed.
      onLoss: () => void this.#database.close().catch(() => {}),
      onReturn: () => this.#topics.rejoin(),
    })
    if (!(await this.#topics.canHear()))
      throw explainPostgres(Object.assign(new Error('EDEAF'), { code: 'EDEAF' }), this.#place)
    this.#sweeping = setInterval(
      () => void this.#sweep().catch(() => {}),
      sweepMs * (0.75 + Math.random() / 2),
    ) // What is left goes with the next sweep.
    this.#sweeping.unref()
  }

  async get(key: string): Promise<Entry | undefined> {
    const [row] = await this.#query(SQL.get, [this.#prefix + keptName(key)])
    return row && { value: parseKept(String(row['value'])), version: Number(row['version']) }
  }

  async put(key: string, value: Json, { ttlMs, ifVersion }: PutOptions = {}): Promise<number | undefined> {
    const values = [this.#prefix + keptName(key), bound(ttlMs), JSON.stringify(value)]
    const [row] = await (ifVersion === undefined
      ? this.#query(SQL.put, values)
      : ifVersion === 0
        ? this.#query(SQL.putNew, values)
        : this.#query(SQL.putOver, [...values, ifVersion]))
    return row && Number(row['version'])
  }

  async touch(key: string, ttlMs: number): Promise<boolean> {
    return (await this.#query(SQL.touch, [this.#prefix + keptName(key), bound(ttlMs)])).length > 0
  }

  async delete(key: string): Promise<void> {
    await this.#query(SQL.delete, [this.#prefix + keptName(key)])
  }

  async append(log: string, value: Json, options: AppendOptions = {}): Promise<number> {
    return this.#appends.add(log, value, options)
  }

  async read(log: string, after: number, limit: number): Promise<readonly Item[]> {
    const most = Math.min(limit, Number.MAX_SAFE_INTEGER)
    const rows = await this.#query(SQL.read, [this.#prefix + keptName(log), after, most])
    return rows.map((row) => ({ number: Number(row['number']), value: parseKept(String(row['value'])) }))
  }

  async publish(topic: string, message: Json): Promise<void> {
    await this.#topics.publish(topic, message)
  }

  async subscribe(
    topic: string,
    listener: (message: Json) => void,
    missed?: () => void,
  ): Promise<() => Promise<void>> {
    this.#check()
    return this.#topics.subscribe(topic, { listener, missed })
  }

  async take(bucket: string, rate: Rate): Promise<number> {
    const interval = intervalOf(rate)
    const [row] = await this.#query(SQL.take, [
      this.#prefix + keptName(bucket),
      interval,
      (rate.burst - 1) * interval,
    ])
    const wait = Number(row?.['wait'])
    return wait < HAIR_MS ? 0 : Math.ceil(wait)
  }

  async enter(group: string, member: string, { ttlMs, limit }: EnterOptions): Promise<boolean> {
    const [row] = await this.#query(SQL.enter, [this.#prefix + keptName(group), member, ttlMs, limit])
    return row?.['entered'] === true
  }

  async leave(group: string, member: string): Promise<void> {
    await this.#query(SQL.leave, [this.#prefix + keptName(group), member])
  }

  trouble(): string | undefined {
    return this.#ear?.trouble?.message
  }

  async close(): Promise<void> {
    this.#closed = true
    this.#topics.clear()
    clearInterval(this.#sweeping)
    await this.#ear?.close()
    await this.#database.close()
  }

  async #append(log: string, added: readonly string[], options: AppendOptions): Promise<number> {
    const bounds = [bound(options.ttlMs), bound(options.keep), bound(options.keepBytes)]
    const [row] = await this.#query(SQL.append, [
      this.#prefix + keptName(log),
      JSON.stringify(added),
      ...bounds,
    ])
    return Number(row?.['number'])
  }

  /** Nothing waits for a server that is known to be away. */
  #check(): void {
    if (this.#closed) throw new DatabaseError(`${this.#place} is no longer used: the store has been closed`)
    if (this.#ear?.trouble !== undefined) throw this.#ear.trouble
    if (this.#pending >= MAX_PENDING)
      throw explainPostgres(Object.assign(new Error('EBUSY'), { code: 'EBUSY' }), this.#place)
  }

  async #query(sql: string, values: readonly Value[]): Promise<readonly Row[]> {
    this.#check()
    this.#pending++
    try {
      return await this.#database.query(sql, values)
    } finally {
      this.#pending--
    }
  }

  async #sweep(): Promise<void> {
    for (let removed = SWEEP_AT_ONCE; removed >= SWEEP_AT_ONCE; ) {
      const [row] = await this.#query(SQL.sweep, [SWEEP_AT_ONCE, MESSAGE_MS])
      removed = Number(row?.['removed'])
    }
  }
}

function bound(most: number | undefined): number | null {
  return most === undefined || !Number.isFinite(most) ? null : most
}
