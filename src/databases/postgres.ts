import type { Pool, PoolClient, PoolConfig, QueryConfig } from 'pg'
import {
  type Database,
  type Migrations,
  newerSchema,
  printRewritten,
  type Rewriting,
  type Row,
  type Value,
} from './database.ts'
import { configOf, loadPg } from './postgres-client.ts'
import { explainPostgres } from './postgres-errors.ts'
import { placeOf } from './postgres-url.ts'

export interface PostgresOptions {
  readonly url: string
  /** Whose tables these are; several programs may share a database. */
  readonly owner: string
  readonly migrations: Migrations
  /** How long one statement may take. */
  readonly patienceMs?: number
}

/** A database of PostgreSQL's, connected to when it is first used, and again after it was lost. */
export function openPostgres(options: PostgresOptions): Database {
  return new PostgresDatabase(options, placeOf(options.url))
}

const LOCK_MS = 5000

const PATIENCE_MS = 10_000

/** The server is the first to give up; when it does not even say so, the network is to blame. */
const NETWORK_MS = 2000

class PostgresDatabase implements Database {
  readonly #options: PostgresOptions
  readonly #place: string
  #pool: Promise<Pool> | undefined

  constructor(options: PostgresOptions, place: string) {
    this.#options = options
    this.#place = place
  }

  async query(sql: string, values: readonly Value[] = [], signal?: AbortSignal): Promise<readonly Row[]> {
    const work = (client: Pool | PoolClient) => client.query(sql, [...values])
    return this.#explaining(
      (pool) => (signal === undefined ? work(pool) : inTransaction(pool, work, signal)),
      signal,
    )
  }

  /** In a transaction of its own: what it looks at is what there is once it has the lock. */
  alone(lock: string): Pick<Database, 'query'> {
    return {
      query: (sql, values = [], signal) => {
        const work = async (client: PoolClient) => {
          await client.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [lock])
          return client.query(sql, [...values])
        }
        return this.#explaining((pool) => inTransaction(pool, work, signal), signal)
      },
    }
  }

  async #explaining(
    work: (pool: Pool) => Promise<{ readonly rows: readonly unknown[] }>,
    signal: AbortSignal | undefined,
  ): Promise<readonly Row[]> {
    try {
      const pool = await this.#opened()
      signal?.throwIfAborted()
      return (await work(pool)).rows as Row[] // Each row is an object of its columns.
    } catch (error) {
      throw signal?.aborted === true ? signal.reason : explainPostgres(error, this.#place)
    }
  }

  async close(): Promise<void> {
    const pool = await this.#pool?.catch(() => undefined) // One that never opened has nothing to close.
    this.#pool = undefined
    await pool?.end()
  }

  #opened(): Promise<Pool> {
    this.#pool ??= open(this.#options, this.#place).catch((error: unknown) => {
      this.#pool = undefined
      throw error
    })
    return this.#pool
  }
}

async function open(options: PostgresOptions, place: string): Promise<Pool> {
  const pool = await createPool(options)
  try {
    await inTransaction(pool, (client) => migrate(client, options, place))
    return pool
  } catch (error) {
    await pool.end()
    throw error
  }
}

async function createPool({ url, patienceMs = PATIENCE_MS }: PostgresOptions): Promise<Pool> {
  const pg = await loadPg()
  const config: PoolConfig & { readonly verify: VerifyConnection } = {
    ...configOf(url),
    // To compile a statement takes longer than any of ours does. The type does not know that a new connection can be looked at.
    verify: (client, done) => client.query('SET jit = off', done),
    lock_timeout: LOCK_MS,
    statement_timeout: patienceMs,
    query_timeout: patienceMs + NETWORK_MS,
    allowExitOnIdle: true,
    types: {
      getTypeParser: (oid, format) => (oid === BIGINT ? Number : pg.types.getTypeParser(oid, format)),
    },
  }
  const pool = new pg.Pool(config)
  // A connection that is lost while idle is replaced by the next query, which reports what it finds.
  pool.on('error', () => {})
  // One that is lost amid a transaction says so to whoever waits for its answer; a second word would end the program.
  pool.on('connect', (client) => client.on('error', () => {}))
  return pool
}

type VerifyConnection = (client: PoolClient, done: (error: Error) => void) => void

/** The type of count() and of our numbers, which `pg` gives as a string because a bigint may be too large. */
const BIGINT = 20

/** A statement that waits for a lock goes on waiting at the server, so it is its transaction that is given up. */
async function inTransaction<T>(
  pool: Pool,
  work: (client: PoolClient) => Promise<T>,
  signal?: AbortSignal,
): Promise<T> {
  const client = await pool.connect()
  try {
    const result = await unlessAborted(signal, async () => {
      await client.query('BEGIN')
      return work(client)
    })
    signal?.throwIfAborted()
    await client.query('COMMIT')
    client.release()
    return result
  } catch (error) {
    client.release(true) // Without its connection, the transaction is rolled back.
    throw error
  }
}

/** Rejects as soon as the signal is aborted, whatever becomes of the work. */
async function unlessAborted<T>(signal: AbortSignal | undefined, work: () => Promise<T>): Promise<T> {
  if (signal === undefined) return work()
  signal.throwIfAborted()
  let abort = () => {}
  const aborted = new Promise<never>((_resolve, reject) => {
    abort = () => reject(signal.reason)
    signal.addEventListener('abort', abort, { once: true })
  })
  try {
    return await Promise.race([work(), aborted])
  } finally {
    signal.removeEventListener('abort', abort)
  }
}

/** Any number, as long as every program of ours takes the same. */
const ADVISORY_LOCK = 7_365_544_391

/** An index of many rows takes longer than anything else may. Its type does not know that a query has a time of its own. */
const MIGRATION_MS = 3_600_000

async function migrate(client: PoolClient, options: PostgresOptions, place: string): Promise<void> {
  const { owner, migrations } = options
  await client.query(`SELECT pg_advisory_xact_lock(${ADVISORY_LOCK})`)
  await client.query(
    'CREATE TABLE IF NOT EXISTS perigee_schema (owner TEXT PRIMARY KEY, version INTEGER NOT NULL)',
  )
  const { rows } = await client.query('SELECT version FROM perigee_schema WHERE owner = $1', [owner])
  const version = Number(rows[0]?.version ?? 0)
  if (version > migrations.length) throw newerSchema(place, version, migrations)
  if (version === migrations.length) return
  await client.query(`SET LOCAL statement_timeout = ${MIGRATION_MS}`)
  for (const step of migrations.slice(version)) {
    if (typeof step === 'string')
      await client.query({ text: step, query_timeout: MIGRATION_MS } as QueryConfig)
    else await rewrite(client, step)
  }
  await client.query(
    'INSERT INTO perigee_schema VALUES ($1, $2) ON CONFLICT (owner) DO UPDATE SET version = excluded.version',
    [owner, migrations.length],
  )
}

async function rewrite(client: PoolClient, step: Rewriting): Promise<void> {
  const after = async (place: Value) => (await client.query(step.read, [place])).rows as Row[] // As above.
  for (let rows = await after(0); rows.length > 0; rows = await after(Number(rows.at(-1)?.[step.key]))) {
    await client.query(step.write, [printRewritten(step, rows)])
  }
}
