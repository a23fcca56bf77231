import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { beforeEach, expect, it, onTestFinished } from 'vitest'
import type { Engine } from '../../scripts/engine.d.mts'
import { startPgBouncer } from '../../scripts/pgbouncer.mjs'
import { startPostgres } from '../../scripts/postgres.mjs'
import { PostgresEar } from '../../src/databases/postgres-ear.ts'
import { openStore } from '../../src/stores/index.ts'
import { openPostgresStore } from '../../src/stores/postgres.ts'
import { holdIntervals } from '../setup/held-intervals.ts'
import { SlowMotion } from '../setup/slow-motion.ts'
import { refusals } from '../stores/refused.ts'
import { startEngine } from './engine.ts'
import { describeAbsence, describeContract, openFor, urlWithPrefix } from './store.ts'

const engineOr = await startEngine('PostgreSQL', startPostgres)

describeContract('PostgreSQL', engineOr)
describeAbsence('PostgreSQL', engineOr)

let engine: Engine
beforeEach((context) => {
  engine = engineOr(context)
})

async function queryEngine(sql: string): Promise<readonly pg.QueryResultRow[]> {
  const client = new pg.Client(engine.url)
  await client.connect()
  try {
    return (await client.query(sql)).rows
  } finally {
    await client.end()
  }
}

/** Has the connection that listens take its time to close. */
function slowEar(): SlowMotion {
  const slow = new SlowMotion().slow(PostgresEar.prototype, ['close'])
  onTestFinished(() => slow.end())
  return slow
}

it('keeps everything under its prefix, and sweeps what has expired, whoever left it', async () => {
  const prefix = `${randomUUID()}:`
  const [leaving, sweeping] = [openFor(engine, prefix), urlWithPrefix(engine)]
  const life = { ttlMs: 1 }
  await leaving.put('a', 1, life)
  await leaving.append('a', 1, life)
  await leaving.take('a', { burst: 60, perSecond: 1000 })
  await leaving.enter('a', 'member', { ...life, limit: 2 })
  await leaving.put('lasting', 1, { ttlMs: 3_600_000 })
  await leaving.append('lasting', 1)
  const left = () =>
    queryEngine(`SELECT key FROM (
      SELECT 'entry ' || key AS key FROM perigee_entry UNION ALL SELECT 'item ' || log FROM perigee_item
      UNION ALL SELECT 'log ' || name FROM perigee_log UNION ALL SELECT 'bucket ' || key FROM perigee_bucket
      UNION ALL SELECT 'member ' || team FROM perigee_member) AS kept WHERE key LIKE '% ${prefix}%' ORDER BY key`)
  expect((await left()).map(({ key }) => key)).toEqual(
    [
      'bucket a',
      'entry a',
      'entry lasting',
      'item a',
      'item lasting',
      'log a',
      'log lasting',
      'member a',
    ].map((one) => one.replace(' ', ` ${prefix}`)),
  )
  const sweeper = await openPostgresStore({ url: sweeping, sweepMs: 20 })
  onTestFinished(() => sweeper.close())
  await expect
    .poll(async () => (await left()).map(({ key }) => key))
    .toEqual(['entry', 'item', 'log'].map((kind) => `${kind} ${prefix}lasting`))
})

it('sweeps the messages that were too long for a notification', async () => {
  const store = await openPostgresStore({ url: urlWithPrefix(engine), sweepMs: 20 })
  onTestFinished(() => store.close())
  await store.publish('topic', 'x'.repeat(10_000))
  const count = async () =>
    (await queryEngine('SELECT count(*)::int AS count FROM perigee_message'))[0]?.['count']
  expect(await count()).toBeGreaterThan(0)
  await queryEngine("UPDATE perigee_message SET at = at - interval '61 seconds'")
  await expect.poll(count).toBe(0)
})

it('tells a listener that it missed a message which is no longer there', async () => {
  const prefix = `${randomUUID()}:`
  const store = openFor(engine, prefix)
  const heard: unknown[] = []
  await store.subscribe(
    'topic',
    (message) => heard.push(message),
    () => heard.push('missed'),
  )
  await queryEngine(
    `CREATE OR REPLACE FUNCTION forget() RETURNS TRIGGER LANGUAGE plpgsql AS $$ BEGIN RETURN NULL; END $$;
     CREATE TRIGGER forgetful BEFORE INSERT ON perigee_message FOR EACH ROW EXECUTE FUNCTION forget()`,
  )
  onTestFinished(async () => void (await queryEngine('DROP TRIGGER forgetful ON perigee_message')))
  await store.publish('topic', 'x'.repeat(10_000))
  await store.publish('topic', 'short')
  await expect.poll(() => heard).toEqual(['missed', 'short'])
})

it('hears messages that are alike as often as they are published, however many at once', async () => {
  const store = openFor(engine)
  const heard: unknown[] = []
  await store.subscribe('topic', (message) => heard.push(message))
  const sent = Array.from({ length: 300 }, (_one, index) => (index < 200 ? 'alike' : index))
  await Promise.all(sent.map((message) => store.publish('topic', message)))
  await expect.poll(() => heard).toEqual(sent)
})

it('asks its listening connection one thing after the other, as pg wants it', async () => {
  const store = openFor(engine)
  const warnings: Error[] = []
  const note = (warning: Error) => warnings.push(warning)
  process.on('warning', note)
  onTestFinished(() => void process.off('warning', note))
  const topics = Array.from({ length: 50 }, (_one, index) => `topic ${index}`)
  const leaving = await Promise.all(topics.map((topic) => store.subscribe(topic, () => {})))
  await Promise.all(leaving.map((leave) => leave()))
  await new Promise(setImmediate) // Warnings are told in the next turn.
  expect(warnings).toEqual([])
})

it('answers more statements than may wait, where they have had their turn', async () => {
  const store = openFor(engine)
  for (let turn = 0; turn < 21; turn++)
    await Promise.all(Array.from({ length: 500 }, () => store.get('nothing')))
  expect(await store.get('nothing')).toBe(undefined)
})

it('has ten thousand statements wait, and refuses the next', async () => {
  const store = openFor(engine)
  await store.get('nothing')
  let refused = 0
  for (let statement = 0; statement <= 10_000; statement++) store.get('nothing').catch(() => refused++)
  await new Promise(setImmediate)
  expect(refused).toBe(1)
})

it('opens a new database from many sides at once', async () => {
  await queryEngine('CREATE DATABASE many_sides')
  const url = Object.assign(new URL(engine.url), { pathname: '/many_sides' }).href
  const stores = Array.from({ length: 5 }, () => openStore(url))
  onTestFinished(async () => void (await Promise.all(stores.map((store) => store.close()))))
  const versions = await Promise.all(stores.map((store) => store.put('key', 1)))
  expect(new Set(versions)).toEqual(new Set([1, 2, 3, 4, 5]))
})

it.each([
  ['postgres://perigee:wrong@HOST/postgres', 'refused the user or the password'],
  ['postgres://perigee:correct-horse@HOST/absent', 'does not exist: create it with createdb'],
  ['postgres://perigee:correct-horse@127.0.0.1:1/postgres', 'cannot be reached: nothing listens there'],
])('says what is wrong with %s', async (url, reason) => {
  const { host } = new URL(engine.url)
  const store = openStore(url.replace('HOST', host))
  onTestFinished(() => store.close())
  const refusal = await store.get('key').catch((error: unknown) => String(error))
  expect(refusal).toContain(reason)
  expect(refusal).not.toMatch(/correct-horse|wrong/)
  expect(store.trouble()).toContain(reason)
})

it('lets go of its connections where it cannot be opened', async () => {
  await queryEngine("CREATE ROLE guest LOGIN PASSWORD 'guest'")
  await queryEngine('CREATE DATABASE guarded')
  const url = Object.assign(new URL(engine.url), {
    pathname: '/guarded',
    username: 'guest',
    password: 'guest',
  })
  await expect(openPostgresStore({ url: url.href })).rejects.toThrow()
  const connections = () => queryEngine("SELECT state FROM pg_stat_activity WHERE usename = 'guest'")
  await expect.poll(connections).toEqual([])
})

const IGNORED = { ignore_startup_parameters: 'statement_timeout,lock_timeout' }

it.each([
  [{ pool_mode: 'session', ...IGNORED }, undefined],
  [{ pool_mode: 'session' }, 'write ignore_startup_parameters = statement_timeout,lock_timeout'],
  [{ pool_mode: 'transaction', ...IGNORED }, 'a PgBouncer in between has to be in session mode'],
])('works behind a PgBouncer, or says what it needs: %j', async (settings, refusal) => {
  const bouncer = await startPgBouncer(engine.url, settings)
  onTestFinished(() => bouncer.stop())
  const slow = slowEar()
  const store = openStore(bouncer.url)
  onTestFinished(() => store.close())
  const said = await store
    .subscribe('topic', () => {})
    .then(
      () => undefined,
      (error: Error) => error.message,
    )
  if (refusal === undefined) expect(said).toBe(undefined)
  else expect(said).toContain(refusal)
  expect(slow.underWay).toEqual([])
})

it('does nothing more once it is closed', async () => {
  const store = openFor(engine)
  await store.subscribe('topic', () => {})
  await store.close()
  await store.close()
  await expect(store.get('key')).rejects.toThrow('has been closed')
})

const connections = () => process.getActiveResourcesInfo().filter((name) => name === 'TCPSocketWrap').length

it('has let go of every connection once it is closed, and refuses whatever it is asked', async () => {
  const before = connections()
  const store = await openPostgresStore({ url: urlWithPrefix(engine) })
  const slow = slowEar()
  await store.close()
  expect([connections(), slow.asked, slow.underWay]).toEqual([before, ['close'], []])
  expect(await refusals(store)).toEqual([expect.stringContaining('has been closed')])
})

it('sweeps all there is at once, however much that is', async () => {
  const sweeps = holdIntervals()
  const store = await openPostgresStore({ url: urlWithPrefix(engine) })
  onTestFinished(() => store.close())
  await queryEngine(`INSERT INTO perigee_message (id, value, at)
    SELECT gen_random_uuid(), 'old', now() - interval '1 hour' FROM generate_series(1, 2500)`)
  for (const sweep of sweeps) sweep()
  await expect
    .poll(() => queryEngine("SELECT count(*)::int AS count FROM perigee_message WHERE value = 'old'"))
    .toEqual([{ count: 0 }])
})
