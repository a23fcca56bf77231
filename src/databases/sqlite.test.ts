import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { open } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import type { Database } from './database.ts'
import { openSqlite, type SqliteOptions } from './sqlite.ts'

const MIGRATIONS = ['CREATE TABLE note (n INTEGER PRIMARY KEY, text TEXT)']

function createFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'sqlite-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

function openNotes(path: string, options: Partial<SqliteOptions> = {}): Database {
  const database = openSqlite({ path, migrations: MIGRATIONS, ...options })
  onTestFinished(() => database.close())
  return database
}

const write = (database: Database, text = 'x') =>
  database.query('INSERT INTO note (text) VALUES ($1) RETURNING n', [text])

const count = async (database: Database) =>
  (await database.query('SELECT count(*) AS count FROM note'))[0]?.['count']

it('binds values by number, null among them', async () => {
  const database = openNotes(join(createFolder(), 'a.db'))
  expect(await database.query('SELECT $2 AS b, $1 AS a, $2 AS c', ['x', null])).toEqual([
    { b: null, a: 'x', c: null },
  ])
})

it('writes ahead, syncs in full and minds foreign keys', async () => {
  const database = openNotes(join(createFolder(), 'a.db'))
  const pragma = async (name: string) => Object.values((await database.query(`PRAGMA ${name}`))[0] ?? {})
  expect(await pragma('journal_mode')).toEqual(['wal'])
  expect(await pragma('synchronous')).toEqual([2])
  expect(await pragma('fullfsync')).toEqual([1])
  expect(await pragma('foreign_keys')).toEqual([1])
  expect(await pragma('user_version')).toEqual([1])
})

it('does not wait for the disk where a power cut may take what was written', async () => {
  const database = openNotes(join(createFolder(), 'a.db'), { lasting: 'through-crashes' })
  expect(await database.query('PRAGMA synchronous')).toEqual([{ synchronous: 1 }])
  expect(await database.query('PRAGMA journal_mode')).toEqual([{ journal_mode: 'wal' }])
})

it('makes files that nobody else can read, and leaves the rights of those that are there', async () => {
  const folder = createFolder()
  const modes = () =>
    readdirSync(folder).map((name) => `${name} ${(statSync(join(folder, name)).mode & 0o777).toString(8)}`)
  await write(openNotes(join(folder, 'a.db')))
  expect(modes()).toEqual(['a.db 600', 'a.db-shm 600', 'a.db-wal 600'])
  writeFileSync(join(folder, 'b.db'), '', { mode: 0o640 })
  await write(openNotes(join(folder, 'b.db')))
  expect(modes().slice(3)).toEqual(['b.db 640', 'b.db-shm 640', 'b.db-wal 640'])
})

it('runs the migrations that a file has not seen', async () => {
  const path = join(createFolder(), 'a.db')
  const first = openNotes(path)
  await write(first)
  await first.close()
  const second = openNotes(path, { migrations: [...MIGRATIONS, "INSERT INTO note (text) VALUES ('second')"] })
  expect(await count(second)).toBe(2)
})

it('leaves nothing behind of a migration that failed', async () => {
  const path = join(createFolder(), 'a.db')
  const broken = openNotes(path, { migrations: [...MIGRATIONS, 'no SQL'] })
  await expect(write(broken)).rejects.toThrow(`The database ${path} failed: near "no": syntax error`)
  expect(await count(openNotes(path))).toBe(0)
})

it('refuses a file that a newer program has written, and leaves it alone', async () => {
  const path = join(createFolder(), 'a.db')
  const newer = openNotes(path, { migrations: [...MIGRATIONS, 'CREATE TABLE other (n)'] })
  await write(newer)
  await expect(write(openNotes(path))).rejects.toThrow(
    `The database ${path} was written by a newer program: its schema has version 2, and this one knows versions up to 1. `,
  )
  expect(await count(newer)).toBe(1)
})

it('lets several open a new file at once', async () => {
  const path = join(createFolder(), 'a.db')
  const all = Array.from({ length: 5 }, () => openNotes(path))
  await Promise.all(all.map((database) => write(database)))
  for (const database of all) expect(await count(database)).toBe(5)
})

it('makes a missing folder only when told to', async () => {
  const folder = join(createFolder(), 'deep', 'deeper')
  const path = join(folder, 'a.db')
  await expect(write(openNotes(path))).rejects.toThrow(
    `The database ${path} cannot be opened: there is no folder ${folder}. Create it first`,
  )
  await write(openNotes(path, { folder: 'make' }))
  expect(existsSync(path)).toBe(true)
})

it('says that a directory is none', async () => {
  const path = createFolder()
  await expect(write(openNotes(path))).rejects.toThrow(
    `The database ${path} is a directory: name a file in it`,
  )
})

it.each(['must-exist', 'make'] as const)('says that a folder is a file (%s)', async (folder) => {
  const file = join(createFolder(), 'file')
  writeFileSync(file, '')
  const path = join(file, 'a.db')
  await expect(write(openNotes(path, { folder }))).rejects.toThrow(
    `The database ${path} cannot be opened: ${file} is a file, not a folder`,
  )
})

it('waits for a lock without holding up anybody else, and writes when it is free', async () => {
  const path = join(createFolder(), 'a.db')
  const [holder, other] = [openNotes(path), openNotes(path)]
  await holder.query('BEGIN IMMEDIATE')
  const waiting = write(other)
  // Were it waiting in SQLite, nothing here would run before it gives up.
  await write(holder)
  await holder.query('COMMIT')
  await waiting
  expect(await count(other)).toBe(2)
})

it('gives up waiting for a lock, and works once it is free', async () => {
  const path = join(createFolder(), 'a.db')
  const [holder, other] = [openNotes(path), openNotes(path, { patienceMs: 30 })]
  await holder.query('BEGIN IMMEDIATE')
  await expect(write(other)).rejects.toThrow(
    `The database ${path} is locked by another program: close what holds it, or try again`,
  )
  expect(await count(other)).toBe(0)
  await holder.query('COMMIT')
  await write(other)
})

it('says that a file is no database, and uses the one that takes its place', async () => {
  const path = join(createFolder(), 'a.db')
  writeFileSync(path, 'This is a shopping list, and a long one.\n'.repeat(100))
  const database = openNotes(path)
  const refusal = `The database ${path} is not an SQLite database: choose another file, or move this one away`
  await expect(write(database)).rejects.toThrow(refusal)
  renameSync(path, `${path}.old`)
  await write(database)
  expect(await count(database)).toBe(1)
})

it('says that a file is damaged', async () => {
  const path = join(createFolder(), 'a.db')
  const before = openNotes(path)
  for (let n = 0; n < 50; n++) await write(before, 'x'.repeat(1000))
  await before.query('PRAGMA wal_checkpoint(TRUNCATE)')
  await before.close()
  const file = await open(path, 'r+')
  await file.write(Buffer.alloc(8192, 0xa5), 0, 8192, 4096)
  await file.close()
  const database = openNotes(path)
  await expect(database.query('SELECT * FROM note')).rejects.toThrow(
    `The database ${path} is damaged: restore it from a backup, or move it away to begin anew`,
  )
})

it('says that the disk is full, and goes on when it no longer is', async () => {
  const path = join(createFolder(), 'a.db')
  const database = openNotes(path)
  await write(database)
  await database.query('PRAGMA max_page_count = 4')
  const fill = async () => {
    for (;;) await write(database, 'x'.repeat(3000))
  }
  await expect(fill()).rejects.toThrow(
    `The database ${path} cannot grow, because the disk is full: free some space and try again`,
  )
  const kept = Number(await count(database))
  await database.query('PRAGMA max_page_count = 1000')
  await write(database, 'x'.repeat(3000))
  expect(await count(database)).toBe(kept + 1)
  expect(await database.query('PRAGMA integrity_check')).toEqual([{ integrity_check: 'ok' }])
})

it('writes to the file that is there, not to the one that was', async () => {
  const folder = createFolder()
  const path = join(folder, 'a.db')
  const database = openNotes(path)
  await write(database)
  mkdirSync(join(folder, 'away'))
  for (const end of ['', '-wal', '-shm']) renameSync(path + end, join(folder, 'away', `a.db${end}`))
  await write(database)
  expect(await count(openNotes(path))).toBe(1)
  expect(await count(openNotes(join(folder, 'away', 'a.db')))).toBe(1)
})

it('reports a mistake in SQL with the name of the file', async () => {
  const path = join(createFolder(), 'a.db')
  await expect(openNotes(path).query('SELECT absent FROM note')).rejects.toThrow(
    `The database ${path} failed: no such column: absent`,
  )
})

it('is whole in its one file once it is closed', async () => {
  const path = join(createFolder(), 'a.db')
  const database = openNotes(path)
  await write(database)
  expect(await count(database)).toBe(1)
  await database.close()
  expect(await count(openNotes(copyAlone(path)))).toBe(1)
})

it('is closed at once where somebody else has it open, and loses nothing', async () => {
  const path = join(createFolder(), 'a.db')
  const [one, other] = [openNotes(path), openNotes(path)]
  await write(one)
  await other.query('BEGIN IMMEDIATE')
  await one.close()
  await other.query('ROLLBACK')
  expect(await count(other)).toBe(1)
  await other.close()
  expect(await count(openNotes(copyAlone(path)))).toBe(1)
})

/** The file without those that SQLite puts beside it, as a backup would have it. */
function copyAlone(path: string): string {
  const copy = `${path}.copy`
  copyFileSync(path, copy)
  return copy
}
