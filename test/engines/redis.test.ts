import { randomUUID } from 'node:crypto'
import { Redis } from 'ioredis'
import { beforeEach, expect, it, onTestFinished } from 'vitest'
import type { Engine } from '../../scripts/engine.d.mts'
import { startRedis } from '../../scripts/redis.mjs'
import { openStore } from '../../src/stores/index.ts'
import { openRedisStore } from '../../src/stores/redis.ts'
import { refusals } from '../stores/refused.ts'
import { startEngine } from './engine.ts'
import { describeAbsence, describeContract, openFor } from './store.ts'

const engineOr = await startEngine('Redis', startRedis)

describeContract('Redis', engineOr)
describeAbsence('Redis', engineOr)

let engine: Engine
beforeEach((context) => {
  engine = engineOr(context)
})

it('keeps everything under its prefix, with as long to live as it was given', async () => {
  const prefix = `${randomUUID()}:`
  const store = openFor(engine, prefix)
  const life = { ttlMs: 60_000 }
  await store.put('a', 1, life)
  await store.append('a', 1, life)
  await store.take('a', { burst: 60, perSecond: 1 })
  await store.enter('a', 'member', { ...life, limit: 2 })
  const client = new Redis(engine.url)
  onTestFinished(() => client.disconnect())
  const keys = (await client.keys('*')).filter((key) => key.includes(prefix)).sort()
  expect(keys).toEqual(['bucket', 'entry', 'group', 'items', 'log'].map((kind) => `${prefix}{a}${kind}`))
  for (const key of keys) {
    const left = await client.pttl(key)
    expect(left > 0 && left <= 60_000, `${key} lives ${left} ms`).toBe(true)
  }
  await store.delete('a')
  await store.leave('a', 'member')
  expect((await client.keys(`${prefix}*`)).sort()).toEqual([`${prefix}{a}bucket`])
})

it('keeps everything under perigee: where its URL names no prefix', async () => {
  const store = openStore(engine.url)
  onTestFinished(() => store.close())
  const key = randomUUID()
  await store.put(key, 1, { ttlMs: 60_000 })
  const client = new Redis(engine.url)
  onTestFinished(() => client.disconnect())
  expect(await client.keys(`*${key}*`)).toEqual([`perigee:{${key}}entry`])
})

it('is heard by nobody who uses another database of the same server', async () => {
  const heard: [db: number, said: string][] = []
  const stores = [0, 1, 2].map((db) => openStore(`${engine.url}/${db}?prefix=databases:`))
  onTestFinished(async () => void (await Promise.all(stores.map((store) => store.close()))))
  for (const [db, store] of stores.entries())
    await store.subscribe('topic', (one) => heard.push([db, String(one)]))
  for (const [db, store] of stores.entries()) await store.publish('topic', `said in ${db}`)
  for (const [db, store] of stores.entries()) await store.publish('topic', `last in ${db}`)
  await expect.poll(() => heard.filter(([, one]) => /last/.test(one)).length).toBe(3)
  expect(heard.map(([db, one]) => `${one}, heard in ${db}`).sort()).toEqual([
    'last in 0, heard in 0',
    'last in 1, heard in 1',
    'last in 2, heard in 2',
    'said in 0, heard in 0',
    'said in 1, heard in 1',
    'said in 2, heard in 2',
  ])
})

it.each([
  ['"theirs"', 'theirs'],
  ['no JSON', null],
])(
  'finds what somebody else has put in the place of an entry, %s, to be of no version',
  async (text, value) => {
    const prefix = `${randomUUID()}:`
    const client = new Redis(engine.url)
    onTestFinished(() => client.disconnect())
    await client.set(`${prefix}{key}entry`, text)
    expect(await openFor(engine, prefix).get('key')).toEqual({ value, version: 0 })
  },
)

it('goes on when its scripts were forgotten', async () => {
  const store = openFor(engine)
  expect(await store.put('key', 1)).toBe(1)
  const client = new Redis(engine.url)
  onTestFinished(() => client.disconnect())
  await client.script('FLUSH')
  expect(await store.put('key', 2)).toBe(2)
})

it.each([
  ['redis://:wrong@HOST', 'refused the user or the password: check both in the URL of the store'],
  ['redis://nobody:wrong@HOST', 'refused the user or the password: check both in the URL of the store'],
  ['redis://HOST', 'wants a password: write it into the URL of the store'],
  ['redis://:correct-horse@127.0.0.1:1', 'cannot be reached: nothing listens there'],
  ['redis://:correct-horse@no.such.host.invalid:1', 'cannot be reached: the name of the host'],
  ['rediss://:correct-horse@HOST', 'speaks no TLS: write redis:// instead of rediss://'],
  ['redis://:correct-horse@HOST/99', 'failed: ERR DB index is out of range'],
])('says what is wrong with %s', async (url, reason) => {
  const { host } = new URL(engine.url)
  const store = openStore(url.replace('HOST', host))
  onTestFinished(() => store.close())
  const refusal = await store.get('key').catch((error: unknown) => String(error))
  expect(refusal).toContain(reason)
  expect(refusal).toContain(url.includes('HOST') ? host : new URL(url).host)
  expect(refusal).not.toMatch(/correct-horse|wrong/)
})

it('does nothing more once it is closed', async () => {
  const store = openFor(engine)
  await store.subscribe('topic', () => {})
  await store.put('key', 'a')
  await store.close()
  await store.close()
  await expect(store.get('key')).rejects.toThrow('has been closed')
})

it('refuses whatever it is asked once it is closed', async () => {
  const store = await openRedisStore(engine.url)
  await store.close()
  expect(await refusals(store)).toEqual([expect.stringContaining('has been closed')])
})
