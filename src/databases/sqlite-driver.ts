import { createRequire } from 'node:module'
import type { DatabaseSync } from '@photostructure/sqlite'
import { withoutExperimentalWarnings } from '../process/without-experimental-warnings.ts'
import { DatabaseError } from './database.ts'

type DriverClass = typeof DatabaseSync

/** What both of them export. */
interface Driver {
  readonly DatabaseSync: DriverClass
}

const require = createRequire(import.meta.url)

/** The same interface twice: Node's own from 22.13 on, a package for older ones. */
const SOURCES = ['node:sqlite', '@photostructure/sqlite']

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
      return withoutExperimentalWarnings(() => require(source) as Driver).DatabaseSync
    } catch (error) {
      failure = error
    }
  }
  throw new DatabaseError(
    'SQLite is in Node from 22.13 on; an older one needs a package: npm install @photostructure/sqlite',
    { cause: failure },
  )
}
