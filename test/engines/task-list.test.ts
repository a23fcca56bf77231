import pg from 'pg'
import { expect, it, type TestContext } from 'vitest'
import { startPostgres } from '../../scripts/postgres.mjs'
import { openPostgres } from '../../src/databases/postgres.ts'
import { openPostgresTasks } from '../../src/modules/task-list/stores/postgres.ts'
import type { Task } from '../../src/modules/task-list/task.ts'
import type { TaskStore } from '../../src/modules/task-list/task-store.ts'
import { describeCancelling } from '../task-list/cancelling.ts'
import { aTask, describeTaskStore } from '../task-list/contract.ts'
import { describeDeeds } from '../task-list/deeds-contract.ts'
import { startProxy } from '../task-list/proxy.ts'
import { startEngine } from './engine.ts'

const serverOr = await startEngine('PostgreSQL', startPostgres)

let databases = 0

/** A new database for each test; its URL. */
async function createDatabase(context: TestContext): Promise<string> {
  const { url } = serverOr(context)
  const name = `test_${++databases}`
  await administer(url, `CREATE DATABASE ${name}`)
  return urlOf(url, { pathname: `/${name}` })
}

async function administer(url: string, sql: string): Promise<void> {
  const client = new pg.Client(url)
  await client.connect()
  await client.query(sql)
  await client.end()
}

function urlOf(
  url: string,
  changes: Partial<Pick<URL, 'pathname' | 'password' | 'port' | 'username'>>,
): string {
  return Object.assign(new URL(url), changes).href
}

const openNew = async (context: TestContext) => openPostgresTasks(await createDatabase(context))

describeTaskStore('PostgreSQL', openNew)

describeDeeds('PostgreSQL', openNew)

describeCancelling('PostgreSQL', async (context) => {
  const url = await createDatabase(context)
  const store = openPostgresTasks(url)
  await store.list({}, { limit: 1 })
  const holder = new pg.Client(url)
  await holder.connect()
  return {
    store,
    lock: async () => {
      await holder.query('BEGIN; LOCK TABLE task_list IN SHARE MODE')
      return async () => {
        await holder.query('COMMIT')
        await holder.end()
      }
    },
    waiting: async (count) => {
      for (let waiting = 0; waiting < count; ) {
        const { rows } = await holder.query('SELECT count(*)::int AS count FROM pg_locks WHERE NOT granted')
        waiting = rows[0].count
      }
    },
  }
})

it('gives up what a server does not answer, and goes on when it does', async (context) => {
  const url = await createDatabase(context)
  const proxy = await startProxy(Number(new URL(url).port))
  const store = openPostgresTasks(urlOf(url, { port: `${proxy.port}` }), { patienceMs: 100 })
  const task = aTask()
  await store.add(task)
  proxy.silence()
  const refusals = await Promise.allSettled([
    store.get(task.id),
    store.delete({ id: task.id, at: task.createdAt }, AbortSignal.timeout(1e6)),
  ])
  expect(refusals.map((refusal) => (refusal as PromiseRejectedResult).reason.message)).toEqual([
    expect.stringMatching(/^The PostgreSQL database test_\d+ on 127.* does not answer/),
    expect.stringMatching(/^The PostgreSQL database test_\d+ on 127.* gave no connection in time/),
  ])
  proxy.speak()
  expect(await store.get(task.id)).toEqual(task)
  proxy.silence()
  await store.close()
  await proxy.stop()
})

it('gives up a statement that takes too long', async (context) => {
  const database = openPostgres({
    url: await createDatabase(context),
    owner: 'a',
    migrations: [],
    patienceMs: 50,
  })
  await expect(database.query('SELECT pg_sleep(60)')).rejects.toThrow('took too long')
  expect(await database.query('SELECT 1 AS one')).toEqual([{ one: 1 }])
  await database.close()
})

it('has more patience with a migration than with anything else', async (context) => {
  const database = openPostgres({
    url: await createDatabase(context),
    owner: 'slow',
    migrations: ['SELECT pg_sleep(3)'],
    patienceMs: 50,
  })
  expect(await database.query('SELECT 1 AS one')).toEqual([{ one: 1 }])
  await expect(database.query('SELECT pg_sleep(60)')).rejects.toThrow('took too long')
  await database.close()
})

it('can be closed twice, and before it was ever used', async (context) => {
  const database = openPostgres({ url: await createDatabase(context), owner: 'twice', migrations: [] })
  await database.close()
  await database.query('SELECT 1')
  await database.close()
  await expect(database.close()).resolves.toBeUndefined()
})

it('lets many open a new database at the same time', async (context) => {
  const url = await createDatabase(context)
  const stores = Array.from({ length: 5 }, () => openPostgresTasks(url))
  await Promise.all(stores.map((store) => store.add(aTask())))
  expect((await stores[0]?.list({}, { limit: 10 }))?.tasks).toHaveLength(5)
  await Promise.all(stores.map((store) => store.close()))
})

it('runs the migrations that a database has not seen, and gives counts as numbers', async (context) => {
  const url = await createDatabase(context)
  const first = openPostgres({ url, owner: 'a', migrations: ['CREATE TABLE a (n INT)'] })
  await first.query('INSERT INTO a VALUES ($1)', [1])
  const second = openPostgres({
    url,
    owner: 'a',
    migrations: ['CREATE TABLE a (n INT)', 'INSERT INTO a VALUES (2)'],
  })
  const other = openPostgres({ url, owner: 'b', migrations: ['CREATE TABLE b (n INT)'] })
  expect(await second.query('SELECT count(*) AS count FROM a')).toEqual([{ count: 2 }])
  expect(await other.query('SELECT * FROM b')).toEqual([])
  for (const database of [first, second, other]) await database.close()
})

it('refuses a database that a newer program has written', async (context) => {
  const url = await createDatabase(context)
  const newer = openPostgres({
    url,
    owner: 'a',
    migrations: ['CREATE TABLE a (n INT)', 'CREATE TABLE b (n INT)'],
  })
  await newer.query('SELECT 1')
  const older = openPostgres({ url, owner: 'a', migrations: ['CREATE TABLE a (n INT)'] })
  await expect(older.query('SELECT 1')).rejects.toThrow(/database test_\d+ on .* newer program.*version 2/)
  for (const database of [newer, older]) await database.close()
})

it('leaves nothing behind of a migration that failed', async (context) => {
  const url = await createDatabase(context)
  const broken = openPostgres({ url, owner: 'a', migrations: ['CREATE TABLE a (n INT)', 'no SQL'] })
  await expect(broken.query('SELECT 1')).rejects.toThrow('syntax error')
  const mended = openPostgres({ url, owner: 'a', migrations: ['CREATE TABLE a (n INT)'] })
  expect(await mended.query('SELECT * FROM a')).toEqual([])
  for (const database of [broken, mended]) await database.close()
})

const WRONG = [
  ['a wrong password', { password: 'hunter2' }, 'refused the user or the password'],
  ['an unknown user', { username: 'nobody' }, 'refused the user or the password'],
  ['an unknown database', { pathname: '/nowhere' }, 'database nowhere on 127.0.0.1:'],
  ['a port where nothing listens', { port: '1' }, 'on 127.0.0.1:1 cannot be reached'],
] as const

it.for(WRONG)('says what is wrong with %s, and never the password', async ([, changes, said], context) => {
  const store = openPostgresTasks(urlOf(serverOr(context).url, changes))
  const failure: Error = await store.get('task_x').then(
    () => new Error('it worked'),
    (error: Error) => error,
  )
  expect(failure.message).toContain(said)
  expect(failure.message).not.toMatch(/correct-horse|hunter2/)
  await store.close()
})

it('does not take a URL apart that hides a password in the wrong place', () => {
  for (const url of [
    'postgres://u:pa/ss@host/db',
    'postgres://u:12/34@host/db',
    'postgres://u:p#w@host/db',
  ]) {
    expect(() => openPostgresTasks(url), url).toThrow(/^store: expected postgres:\/\/USER:PASSWORD/)
  }
})

it('goes on when the server comes back', async (context) => {
  const { start, halt } = serverOr(context)
  const store = openPostgresTasks(await createDatabase(context))
  const task = aTask()
  await store.add(task)
  await halt()
  await expect(store.get(task.id)).rejects.toThrow(/The PostgreSQL database test_\d+ on 127\.0\.0\.1/)
  await start()
  expect(await store.get(task.id)).toEqual(task)
  await store.close()
})

it('tells whoever waits for it, and nobody else, that the server was killed amid a transaction', async (context) => {
  const { start, halt } = serverOr(context)
  const database = openPostgres({ url: await createDatabase(context), owner: 'amid', migrations: [] })
  const told = expect(database.alone('amid').query('SELECT pg_sleep(9)')).rejects.toThrow(
    /The PostgreSQL database test_\d+ on 127\.0\.0\.1/,
  )
  const asleep = "SELECT 1 FROM pg_stat_activity WHERE query = 'SELECT pg_sleep(9)'"
  while ((await database.query(asleep)).length === 0);
  await halt()
  await told
  await start()
  expect(await database.query('SELECT 1 AS one')).toEqual([{ one: 1 }])
  await database.close()
})

/** The table as it was when a database had one list. */
const FIRST = `CREATE TABLE task_list (number BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY, id TEXT NOT NULL UNIQUE,
  description TEXT NOT NULL, folded TEXT NOT NULL, status TEXT NOT NULL, priority TEXT NOT NULL, due TEXT,
  due_end TEXT COLLATE "C", tags TEXT NOT NULL, created_at TEXT COLLATE "C" NOT NULL,
  updated_at TEXT COLLATE "C" NOT NULL, completed_at TEXT COLLATE "C")`

it('has a list for each prefix, and what was there before is in the one of a URL without', async (context) => {
  const url = await createDatabase(context)
  const before = openPostgres({ url, owner: 'task-list', migrations: [FIRST] })
  await before.query(`INSERT INTO task_list
    (id, description, folded, status, priority, tags, created_at, updated_at)
    VALUES ('old', 'old', 'old', 'pending', 'normal', '[]', '', '')`)
  await before.close()
  const plain = openPostgresTasks(url)
  const [one, two] = [openPostgresTasks(`${url}?prefix=one:`), openPostgresTasks(`${url}?prefix=two:`)]
  const task = aTask()
  await one.add(task)
  const idsOf = async (store: TaskStore) =>
    (await store.list({}, { limit: 10 })).tasks.map(({ id }: Task) => id)
  expect([await idsOf(plain), await idsOf(one), await idsOf(two)]).toEqual([['old'], [task.id], []])
  expect(await two.get(task.id)).toBeUndefined()
  expect(await two.update({ id: task.id, changes: { priority: 'high' }, at: 'now' })).toBeUndefined()
  expect(await two.delete({ id: task.id, at: 'now' })).toBeUndefined()
  expect(await one.get(task.id)).toEqual(task)
  await Promise.all([plain, one, two].map((store) => store.close()))
})
