import { createRequire } from 'node:module'
import type { DatabaseSync } from '@photostructure/sqlite'
import { withoutExperimentalWarnings } from '../process/without-experimental-warnings.ts'
import { DatabaseError } from './database.ts'

type DriverClass = typeof DatabaseSync

/** What both of them export. */
interface Driver {
  readonly DatabaseSync: DriverClass
}

const own = () => process.getBuiltinModule('node:sqlite') as Driver | undefined
// Made when it is needed: what was bundled as CommonJS has no place to look from.
const installed = () => createRequire(import.meta.url)('@photostructure/sqlite') as Driver

/** The same interface twice: Node's own from 22.13 on, with full-text search from 22.16 on, and a package for older ones. */
const SOURCES: readonly (() => Driver | undefined)[] = [() => withWords(own()), installed, own]

function withWords(driver: Driver | undefined): Driver | undefined {
  if (driver === undefined) return undefined
  const database = new driver.DatabaseSync(':memory:')
  const found = database.prepare("SELECT sqlite_compileoption_used('ENABLE_FTS5') AS found").get()
  database.close()
  return found?.['found'] === 1 ? driver : undefined
}

let loaded: DriverClass | undefined

/** Loads SQLite on first use. */
export function loadDriver(): DriverClass {
  loaded ??= load()
  return loaded
}

function load(): DriverClass {
  let failure: unknown
  for (const source of SOURCES) {
    try {
      const driver = withoutExperimentalWarnings(source)
      if (driver !== undefined) return driver.DatabaseSync
    } catch (error) {
      failure = error
    }
  }
  throw new DatabaseError(
    'SQLite is in Node from 22.13 on; an older one needs a package: npm install @photostructure/sqlite',
    { cause: failure },
  )
}
