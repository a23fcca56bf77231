import { closeSync, constants, mkdirSync, openSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type {
  DatabaseSyncInstance as Driver,
  StatementSyncInstance as Statement,
} from '@photostructure/sqlite'
import {
  type Database,
  type Migrations,
  newerSchema,
  printRewritten,
  type Rewriting,
  type Row,
  type Value,
} from './database.ts'
import { loadDriver } from './sqlite-driver.ts'
import { explainSqlite, isBroken, isBusy } from './sqlite-errors.ts'

export interface SqliteOptions {
  readonly path: string
  readonly migrations: Migrations
  /** What happens when the folder of the file is missing. */
  readonly folder?: 'must-exist' | 'make'
  /** How long to wait for other programs that hold the file. */
  readonly patienceMs?: number
  /** What is acknowledged is on the disk, unless it may be lost in a power cut; the file is whole either way. */
  readonly lasting?: 'through-power-cuts' | 'through-crashes'
}

const PATIENCE_MS = 5000

const MAX_STATEMENTS = 100

/** A file of SQLite's, opened when it is first used, and again after it was lost. */
export function openSqlite(options: SqliteOptions): Database {
  return new SqliteFile(options)
}

/** FULL and fullfsync: what was acknowledged survives a power cut. Waiting is our own business, see `query`. */
const SYNCHRONOUS = {
  'through-power-cuts': 'PRAGMA synchronous = FULL',
  'through-crashes': 'PRAGMA synchronous = NORMAL',
} as const

const PRAGMAS = `
  PRAGMA busy_timeout = 0;
  PRAGMA journal_mode = WAL;
  PRAGMA fullfsync = ON;
  PRAGMA checkpoint_fullfsync = ON;
  PRAGMA foreign_keys = ON;
`

class SqliteFile implements Database {
  readonly #options: SqliteOptions
  #driver: Driver | undefined
  #identity: string | undefined
  readonly #statements = new Map<string, Statement>()

  constructor(options: SqliteOptions) {
    this.#options = options
  }

  /** SQLite's own way of waiting for a lock would hold up every other call meanwhile. */
  async query(sql: string, values: readonly Value[] = [], signal?: AbortSignal): Promise<readonly Row[]> {
    const { path, patienceMs = PATIENCE_MS } = this.#options
    const end = performance.now() + patienceMs
    for (let attempt = 0; ; attempt++) {
      signal?.throwIfAborted()
      try {
        return this.#run(sql, values)
      } catch (error) {
        if (!isBusy(error) || performance.now() >= end) throw explainSqlite(error, path)
      }
      await sleep(pauseMs(attempt))
    }
  }

  /** A file has one writer at a time as it is. */
  alone(): Pick<Database, 'query'> {
    return this
  }

  async close(): Promise<void> {
    const driver = this.#forget()
    if (driver !== undefined) gather(driver)
    driver?.close()
  }

  #run(sql: string, values: readonly Value[]): readonly Row[] {
    try {
      return this.#prepare(sql).all(toNamed(values)) as Row[] // Each row is an object of its columns.
    } catch (error) {
      if (isBroken(error)) this.#drop()
      throw error
    }
  }

  /** A statement lives until it is collected as garbage, and its memory is not seen to be any, so few are made. */
  #prepare(sql: string): Statement {
    const driver = this.#opened()
    const known = this.#statements.get(sql)
    if (known !== undefined) return known
    if (this.#statements.size >= MAX_STATEMENTS) this.#statements.clear()
    const statement = driver.prepare(sql)
    this.#statements.set(sql, statement)
    return statement
  }

  /** A file that was replaced or removed would take writes that nobody ever sees again. */
  #opened(): Driver {
    if (this.#driver !== undefined && this.#identity !== identityOf(this.#options.path)) this.#drop()
    this.#driver ??= open(this.#options)
    this.#identity ??= identityOf(this.#options.path)
    return this.#driver
  }

  #drop(): void {
    try {
      this.#forget()?.close()
    } catch {
      // It is given up because it failed, and may fail once more.
    }
  }

  #forget(): Driver | undefined {
    const driver = this.#driver
    this.#driver = undefined
    this.#identity = undefined
    this.#statements.clear()
    return driver
  }
}

/** What was written ahead is put into the file, for whoever copies that alone: closing does so only where no statement is left. */
function gather(driver: Driver): void {
  try {
    driver.exec('PRAGMA wal_checkpoint(TRUNCATE)')
  } catch {
    // Whoever holds the file does it when they close, and until then it is safe beside it.
  }
}

function open(options: SqliteOptions): Driver {
  const { path, migrations, folder = 'must-exist' } = options
  const DatabaseSync = loadDriver()
  if (folder === 'make') mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  makePrivate(path)
  const driver = new DatabaseSync(path)
  try {
    driver.exec(PRAGMAS)
    driver.exec(SYNCHRONOUS[options.lasting ?? 'through-power-cuts'])
    migrate(driver, migrations, path)
    return driver
  } catch (error) {
    driver.close()
    throw error
  }
}

/** SQLite would let everybody read a new file; those that it puts beside it get the same rights. */
function makePrivate(path: string): void {
  try {
    closeSync(openSync(path, constants.O_CREAT | constants.O_NONBLOCK, 0o600))
  } catch {
    // SQLite finds the same thing wrong in a moment, and says which database it is.
  }
}

/** Nothing is written, and no lock is taken, when there is nothing to do. */
function migrate(driver: Driver, migrations: Migrations, path: string): void {
  if (checkVersion(driver, migrations, path) === migrations.length) return
  driver.exec('BEGIN IMMEDIATE')
  try {
    // Another process may have been faster.
    for (const step of migrations.slice(checkVersion(driver, migrations, path))) {
      if (typeof step === 'string') driver.exec(step)
      else rewrite(driver, step)
    }
    driver.exec(`PRAGMA user_version = ${migrations.length}`)
    driver.exec('COMMIT')
  } catch (error) {
    // Some failures have rolled back already.
    if (driver.isTransaction) driver.exec('ROLLBACK')
    throw error
  }
}

function rewrite(driver: Driver, step: Rewriting): void {
  const [reading, writing] = [driver.prepare(step.read), driver.prepare(step.write)]
  const after = (place: Value) => reading.all(toNamed([place])) as Row[] // Each row is an object of its columns.
  for (let rows = after(0); rows.length > 0; rows = after(Number(rows.at(-1)?.[step.key]))) {
    writing.run(toNamed([printRewritten(step, rows)]))
  }
}

function checkVersion(driver: Driver, migrations: Migrations, path: string): number {
  const row = driver.prepare('PRAGMA user_version').get() as Row | undefined // A pragma gives its one value as a row.
  const version = Number(row?.['user_version'])
  if (version > migrations.length) throw newerSchema(`The database ${path}`, version, migrations)
  return version
}

function toNamed(values: readonly Value[]): { readonly [name: string]: Value } {
  return Object.fromEntries(values.map((value, index) => [`$${index + 1}`, value]))
}

function identityOf(path: string): string | undefined {
  const found = statSync(path, { throwIfNoEntry: false })
  return found && `${found.dev}:${found.ino}`
}

const PAUSES_MS = [1, 2, 5, 10, 15, 20, 25]

function pauseMs(attempt: number): number {
  // The chance part keeps two programs from meeting at the lock again and again.
  return (PAUSES_MS[attempt] ?? 50) * (0.5 + Math.random())
}
