import { statSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseError } from './database.ts'

/** SQLite's result codes, and those of the file system, that somebody can do something about. */
const REASONS: { readonly [code: string | number]: (path: string) => string } = {
  3: denied,
  5: locked,
  6: locked,
  8: readOnly,
  10: () => 'could not be read or written: check its disk, and the space left there',
  11: () => 'is damaged: restore it from a backup, or move it away to begin anew',
  13: full,
  14: whyNotOpened,
  26: () => 'is not an SQLite database: choose another file, or move this one away',
  EACCES: denied,
  EPERM: denied,
  EROFS: readOnly,
  ENOSPC: full,
  EDQUOT: full,
  ENOTDIR: whyNotOpened,
  EEXIST: whyNotOpened,
}

/** Whether another program holds the file, which passes. */
export function isBusy(error: unknown): boolean {
  return [5, 6].includes(Number(codeOf(error)))
}

/** Whether the open file is no longer to be trusted; to open it anew may help. */
export function isBroken(error: unknown): boolean {
  return [8, 10, 11, 14, 26].includes(Number(codeOf(error)))
}

/** One sentence that names the file and says what to do. */
export function explainSqlite(error: unknown, path: string): Error {
  if (error instanceof DatabaseError) return error
  const code = codeOf(error)
  const reason = code === undefined ? undefined : REASONS[code]?.(path)
  if (error instanceof Error && error.message === 'no such module: fts5') return noWords(error)
  const said = reason ?? `failed: ${error instanceof Error ? error.message : String(error)}`
  return new DatabaseError(`The database ${path} ${said}`, { cause: error })
}

function noWords(error: Error): DatabaseError {
  const means = 'use Node 22.16 or newer, or npm install @photostructure/sqlite'
  return new DatabaseError(`The SQLite of this Node has no full-text search: ${means}`, { cause: error })
}

/** The primary result code, which is the low byte of the extended one, or the code of a failed system call. */
function codeOf(error: unknown): string | number | undefined {
  if (!(error instanceof Error)) return undefined
  if ('errcode' in error && typeof error.errcode === 'number') return error.errcode & 0xff
  const code = 'code' in error ? String(error.code) : undefined
  return code === 'ERR_SQLITE_ERROR' ? CODES[error.message] : code
}

/** SQLite's own words: @photostructure/sqlite leaves the code out where a statement fails among its rows. */
const CODES: { readonly [message: string]: number } = {
  'access permission denied': 3,
  'database is locked': 5,
  'database table is locked': 6,
  'attempt to write a readonly database': 8,
  'disk I/O error': 10,
  'database disk image is malformed': 11,
  'database or disk is full': 13,
  'unable to open database file': 14,
  'file is not a database': 26,
}

function locked(): string {
  return 'is locked by another program: close what holds it, or try again'
}

function readOnly(): string {
  return 'is read-only: allow writing to the file and its folder, or choose another store'
}

function denied(): string {
  return 'may not be used: allow reading and writing of the file and its folder, or choose another store'
}

function full(): string {
  return 'cannot grow, because the disk is full: free some space and try again'
}

/** SQLite does not say why a file cannot be opened, so the file system is asked. */
function whyNotOpened(path: string): string {
  const folder = dirname(path)
  if (kindOf(path) === 'directory') return 'is a directory: name a file in it'
  if (kindOf(folder) === 'missing') return `cannot be opened: there is no folder ${folder}. Create it first`
  if (kindOf(folder) === 'file') return `cannot be opened: ${folder} is a file, not a folder`
  return denied()
}

function kindOf(path: string): 'missing' | 'directory' | 'file' {
  try {
    const found = statSync(path, { throwIfNoEntry: false })
    if (found === undefined) return 'missing'
    return found.isDirectory() ? 'directory' : 'file'
  } catch {
    return 'missing' // What cannot even be looked at is not there for us.
  }
}
