import { existsSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { Database } from '../../src/databases/database.ts'
import { openSqlite } from '../../src/databases/sqlite.ts'
import type { Store } from '../../src/kernel/index.ts'
import { openStore } from '../../src/stores/index.ts'
import { openSqliteStore } from '../../src/stores/sqlite.ts'
import { MIGRATIONS } from '../../src/stores/sqlite-schema.ts'
import { testStore } from '../../src/testing/index.ts'
import { holdIntervals } from '../setup/held-intervals.ts'
import { LineProcess } from '../setup/process.ts'
import { SlowMotion } from '../setup/slow-motion.ts'
import { runContract } from '../testing/run-contract.ts'
import { refusals } from './refused.ts'

const OTHER = join(import.meta.dirname, 'other-process.mjs')

function createPath(): string {
  const folder = mkdtempSync(join(tmpdir(), 'store-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return join(folder, 'store.db')
}

function open(path: string, more: { readonly sweepMs?: number; readonly patienceMs?: number } = {}): Store {
  const store = openSqliteStore({ path, pollMs: 20, ...more })
  onTestFinished(() => store.close())
  return store
}

/** A clock that the tests set. */
let time = 0
const paths = new WeakMap<Store, string>()

function openWithClock(path: string): Store {
  const store = openSqliteStore({ path, pollMs: 20, sweepMs: 30, now: () => time })
  paths.set(store, path)
  return store
}

describe('the store in a file', () => {
  const contract = testStore({
    create: () => openWithClock(createPath()),
    share: (store) => openWithClock(paths.get(store) ?? ''),
    pass: (milliseconds) => {
      time += milliseconds
    },
  })
  runContract(contract)
})

it('keeps what it was given when it is opened again', async () => {
  const path = createPath()
  const first = open(path)
  await first.put('key', { a: 1 })
  await first.append('log', 'a')
  await first.close()
  const second = open(path)
  expect(await second.get('key')).toEqual({ value: { a: 1 }, version: 1 })
  expect(await second.append('log', 'b')).toBe(2)
})

it('another process counts along, hears and is heard', async () => {
  const path = createPath()
  const store = open(path)
  const heard: unknown[] = []
  await store.subscribe('topic', (message) => heard.push(message))
  const other = new LineProcess(OTHER, { args: [`sqlite:${path}`] })
  onTestFinished(() => other.kill())
  expect(await other.lines.next(), other.stderr).toBe('listening')
  await Promise.all(Array.from({ length: 50 }, () => store.append('log', 'here')))
  await store.publish('topic', 'from here')
  expect(await other.lines.next(), other.stderr).toBe('heard "from here", appended 50')
  await expect.poll(() => heard).toEqual(['from here', 'from there'])
  const items = await store.read('log', 0, 1000)
  expect(items.map(({ number }) => number)).toEqual(Array.from({ length: 100 }, (_one, index) => index + 1))
  expect(await other.end()).toBe(0)
})

it('what has expired is removed from the file now and then', async () => {
  const path = createPath()
  const store = open(path, { sweepMs: 20 })
  await store.put('brief', 'a', { ttlMs: 1 })
  await store.append('brief', 'a', { ttlMs: 1 })
  await store.append('renewed', 'a', { ttlMs: 5000 })
  await store.append('renewed', 'b')
  const database = openSqlite({ path, migrations: MIGRATIONS })
  onTestFinished(() => database.close())
  const left = () =>
    database.query('SELECT key AS name, version FROM entry UNION ALL SELECT log, number FROM item')
  await expect.poll(left).toEqual([
    { name: 'renewed', version: 1 },
    { name: 'renewed', version: 2 },
  ])
})

it('says what is wrong with its file', async () => {
  const path = createPath()
  writeFileSync(path, 'This is a shopping list, and a long one.\n'.repeat(100))
  await expect(open(path).get('key')).rejects.toThrow(`The database ${path} is not an SQLite database`)
  await expect(open(join(path, 'deeper', 'a.db')).get('key')).rejects.toThrow('cannot be opened')
})

it('says that a database belongs to something else', async () => {
  const path = createPath()
  const database = openSqlite({ path, migrations: ['CREATE TABLE note (text TEXT)'] })
  await database.query('SELECT * FROM note')
  await database.close()
  await expect(open(path).get('key')).rejects.toThrow(
    `The database ${path} belongs to another program: choose another file`,
  )
})

it('does nothing more once it is closed', async () => {
  const path = createPath()
  const store = open(path)
  await store.put('key', 'a')
  await store.close()
  await store.close()
  expect(await refusals(store)).toEqual([`Error: The store ${path} has been closed`])
  await expect(store.subscribe('topic', () => {})).rejects.toThrow('has been closed')
})

it('is closed when both its connections are, one after the other', async () => {
  const path = createPath()
  const store = open(path)
  await store.put('key', 'a')
  const files = Object.getPrototypeOf(openSqlite({ path, migrations: MIGRATIONS })) as Pick<Database, 'close'>
  const slow = new SlowMotion().slow(files, ['close'])
  onTestFinished(() => slow.end())
  await store.close()
  expect([slow.asked, slow.underWay]).toEqual([['close', 'close'], []])
})

it('has told those who listen here of what is published when that is said to be done', async () => {
  const path = createPath()
  const [store, other] = [openSqliteStore({ path, pollMs: 3_600_000 }), open(path)]
  onTestFinished(() => store.close())
  const heard: unknown[] = []
  await store.subscribe('topic', (message) => heard.push(message))
  await other.publish('topic', 'theirs')
  await store.publish('topic', 'ours')
  expect(heard).toEqual(['theirs', 'ours'])
})

it('says nothing of a sweep that fails at any point, since the next one sweeps the rest', async () => {
  const sweeps = holdIntervals()
  const path = createPath()
  const store = open(path)
  await store.put('brief', 1, { ttlMs: 0 })
  const file = openSqlite({ path, migrations: MIGRATIONS })
  onTestFinished(() => file.close())
  await file.query('ALTER TABLE notice RENAME TO hidden')
  for (const sweep of sweeps) sweep()
  await expect.poll(() => store.trouble()).toContain('belongs to another program')
  expect(await file.query('SELECT * FROM entry')).toEqual([])
  await store.close()
  for (const sweep of sweeps) sweep()
  for (let turn = 0; turn < 5; turn++) await new Promise(setImmediate) // What nobody has caught is told of by then.
})

it('can be locked by others for a while', async () => {
  const path = createPath()
  const [store, impatient] = [open(path), open(path, { patienceMs: 20 })]
  await store.put('key', 'a')
  const holder = openSqlite({ path, migrations: MIGRATIONS })
  onTestFinished(() => holder.close())
  await holder.query('BEGIN IMMEDIATE')
  const waiting = store.put('key', 'b')
  await expect(impatient.put('key', 'c')).rejects.toThrow('is locked by another program')
  await holder.query('COMMIT')
  expect(await waiting).toBe(2)
})

const EXPECTED =
  'store: expected redis://HOST, postgres://USER:PASSWORD@HOST/DATABASE, sqlite:PATH or memory:'

it.each([
  ['store.db', `${EXPECTED}, got "store.db". For a file: sqlite:store.db`],
  ['mysql://user:hunter2@localhost', `${EXPECTED}, got the scheme "mysql:"`],
  ['redis://user:hunter2#@localhost', 'store: expected redis://USER:PASSWORD@HOST:PORT/NUMBER?prefix=TEXT'],
  ['redis://user:hunter2%@localhost', 'store: expected redis://USER:PASSWORD@HOST:PORT/NUMBER?prefix=TEXT'],
  ['redis://user:hunter2/@localhost', 'store: expected redis://USER:PASSWORD@HOST:PORT/NUMBER?prefix=TEXT'],
  ['redis://localhost?password=hunter2', 'store: a redis:// URL takes ?prefix= alone'],
  ['constructor:x', `${EXPECTED}, got the scheme "constructor:"`],
  ['sqlite:', 'store: expected the path of a file after sqlite:'],
  ['sqlite::memory:', 'store: expected memory: for what is not kept'],
])('refuses %j at once', (url, said) => {
  expect(() => openStore(url)).toThrow(said)
  expect(() => openStore(url)).not.toThrow('hunter2')
})

it.each(['memory:', 'sqlite:'])('is opened by its URL: %s', async (scheme) => {
  const store = openStore(scheme === 'sqlite:' ? scheme + createPath() : scheme)
  expect(await store.put('key', 'a')).toBe(1)
  expect(await store.get('key')).toEqual({ value: 'a', version: 1 })
  expect(await store.append('log', 'a', { keep: 1 })).toBe(1)
  expect(await store.read('log', 0, Number.POSITIVE_INFINITY)).toHaveLength(1)
  const heard: unknown[] = []
  const leave = await store.subscribe('topic', (message) => heard.push(message))
  await store.publish('topic', 1)
  await leave()
  await store.publish('topic', 2)
  expect(heard).toEqual([1])
  await store.delete('key')
  expect(await store.get('key')).toBeUndefined()
  await store.close()
})

it('can be closed before it was ever used', async () => {
  const path = createPath()
  await openStore(`sqlite:${path}`).close()
  expect(existsSync(path)).toBe(false)
})

it('sweeps what has expired, and notices that everybody has had time to read', async () => {
  const path = createPath()
  const store = open(path, { sweepMs: 20 })
  await store.put('brief', 1, { ttlMs: 1 })
  await store.append('brief', 1, { ttlMs: 1 })
  await store.put('lasting', 1)
  await store.append('lasting', 1)
  await store.enter('group', 'brief', { ttlMs: 1, limit: 5 })
  await store.enter('group', 'lasting', { ttlMs: 60_000, limit: 5 })
  await store.take('full', { burst: 1, perSecond: 1000 })
  await store.take('emptied', { burst: 1, perSecond: 0.001 })
  await store.publish('topic', 'old')
  const file = openSqlite({ path, folder: 'must-exist', migrations: MIGRATIONS })
  onTestFinished(() => file.close())
  await file.query('UPDATE notice SET at = at - 3600000')
  await store.publish('topic', 'new')
  const rows = async (table: string) => (await file.query(`SELECT * FROM ${table}`)).length
  await expect
    .poll(() => Promise.all(['entry', 'item', 'notice', 'member', 'bucket'].map(rows)))
    .toEqual([1, 1, 1, 1, 1])
})

it('tells listeners that they may have missed something when nobody looked for too long', async () => {
  const path = createPath()
  let late = 0
  const store = openSqliteStore({ path, pollMs: 20, now: () => Date.now() + late })
  onTestFinished(() => store.close())
  const heard: string[] = []
  await store.subscribe(
    'topic',
    () => heard.push('heard'),
    () => heard.push('missed'),
  )
  await open(path).publish('topic', 1)
  await expect.poll(() => heard).toEqual(['heard'])
  late = 3_600_000
  await expect.poll(() => heard).toEqual(['heard', 'missed'])
  await open(path).publish('topic', 2)
  await expect.poll(() => heard).toEqual(['heard', 'missed', 'heard'])
})

it('tells listeners that they may have missed something when the file is another one', async () => {
  const path = createPath()
  const store = open(path)
  const heard: unknown[] = []
  await store.publish('topic', 'before')
  await store.publish('topic', 'before')
  await store.subscribe(
    'topic',
    (message) => heard.push(message),
    () => heard.push('missed'),
  )
  for (const end of ['', '-wal', '-shm']) renameSync(path + end, `${path}.old${end}`)
  await open(path).publish('topic', 'in the new one')
  await expect.poll(() => heard).toEqual(['in the new one', 'missed'])
})

it('is in trouble while its file cannot be used, and finds out by itself when it can be', async () => {
  const path = createPath()
  const store = open(path, { patienceMs: 20 })
  await store.put('key', 'a')
  const holder = openSqlite({ path, migrations: MIGRATIONS })
  onTestFinished(() => holder.close())
  await holder.query('BEGIN IMMEDIATE')
  await expect(store.put('key', 'b')).rejects.toThrow('is locked by another program')
  expect(store.trouble()).toContain('is locked by another program')
  await holder.query('COMMIT')
  await expect.poll(() => store.trouble()).toBeUndefined()
})

it('sweeps again after it could not', async () => {
  const path = createPath()
  const store = open(path, { patienceMs: 5, sweepMs: 10 })
  const holder = openSqlite({ path, migrations: MIGRATIONS })
  onTestFinished(() => holder.close())
  await store.put('brief', 'a', { ttlMs: 1 })
  await holder.query('BEGIN IMMEDIATE')
  await expect.poll(() => store.trouble()).toContain('is locked by another program')
  await holder.query('COMMIT')
  await expect.poll(() => holder.query('SELECT * FROM entry')).toEqual([])
})

it('takes over a file of before buckets and groups were kept', async () => {
  const path = createPath()
  const before = openSqlite({ path, migrations: MIGRATIONS.slice(0, 1) })
  await before.query(`INSERT INTO item (log, number, value) VALUES ('log', 1, '"${'x'.repeat(50)}"')`)
  await before.close()
  const store = open(path)
  expect(await store.append('log', 'y', { keepBytes: 10 })).toBe(2)
  expect(await store.append('log', 'z', { keepBytes: 10 })).toBe(3)
  expect((await store.read('log', 0, 10)).at(-1)).toEqual({ number: 3, value: 'z' })
  expect(await store.take('bucket', { burst: 1, perSecond: 0.001 })).toBe(0)
})
