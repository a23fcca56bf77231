import { deepEqual, equal, notEqual } from 'node:assert/strict'
import type { Json } from '../../kernel/index.ts'
import type { StoreTests } from './under-test.ts'

const VALUES: { readonly [what: string]: Json } = {
  'a text': 'Zürich ✓',
  'a number': 1.5,
  null: null,
  false: false,
  'an array': [1, [2], { a: null }],
  'an object': { a: { b: 'c' }, ['__proto__']: 'just a name' },
}

const HOLDING: StoreTests = Object.fromEntries(
  Object.entries(VALUES).map(([what, value]) => [
    `entries hold ${what}`,
    async ({ store }) => {
      await store.put('key', value)
      deepEqual((await store.get('key'))?.value, value)
    },
  ]),
)

export const ENTRIES: StoreTests = {
  ...HOLDING,

  async 'entries are missing until they are put'({ store }) {
    equal(await store.get('key'), undefined)
    equal(await store.get('__proto__'), undefined)
  },

  async 'entries have versions that begin at 1 and grow'({ store }) {
    equal(await store.put('key', 'a'), 1)
    equal(await store.put('key', 'b'), 2)
    deepEqual(await store.get('key'), { value: 'b', version: 2 })
  },

  async 'entries are put only over the version that was named'({ store }) {
    equal(await store.put('key', 'a', { ifVersion: 1 }), undefined)
    equal(await store.put('key', 'a', { ifVersion: 0 }), 1)
    equal(await store.put('key', 'b', { ifVersion: 0 }), undefined)
    equal(await store.put('key', 'b', { ifVersion: 1 }), 2)
    equal(await store.put('key', 'c', { ifVersion: 1 }), undefined)
    deepEqual(await store.get('key'), { value: 'b', version: 2 })
  },

  async 'entries are won by one of many writers that race'({ store }) {
    await store.put('key', 0)
    const races = Array.from({ length: 10 }, (_one, number) => store.put('key', number, { ifVersion: 1 }))
    const won = (await Promise.all(races)).filter((version) => version !== undefined)
    deepEqual(won, [2])
  },

  async 'entries count right however many write'({ store }) {
    const increase = async (): Promise<unknown> => {
      const entry = await store.get('count')
      const next = Number(entry?.value ?? 0) + 1
      const version = await store.put('count', next, { ifVersion: entry?.version ?? 0 })
      return version ?? increase()
    }
    await Promise.all(Array.from({ length: 10 }, increase))
    equal((await store.get('count'))?.value, 10)
  },

  async 'entries expire'({ store, pass }) {
    await store.put('brief', 'a', { ttlMs: 40 })
    await store.put('lasting', 'a')
    await pass(200)
    equal(await store.get('brief'), undefined)
    equal((await store.get('lasting'))?.value, 'a')
    notEqual(await store.put('brief', 'b', { ifVersion: 0 }), undefined)
  },

  async 'entries do not expire before their time'({ store, pass }) {
    await store.put('key', 'a', { ttlMs: 60_000 })
    await pass(200)
    equal((await store.get('key'))?.value, 'a')
  },

  async 'entries live as long as the last put says'({ store, pass }) {
    await store.put('key', 'a', { ttlMs: 40 })
    await store.put('key', 'b')
    await pass(200)
    equal((await store.get('key'))?.value, 'b')
  },

  async 'entries are gone when they are deleted'({ store }) {
    await store.put('key', 'a')
    await store.put('other', 'a')
    await store.delete('key')
    await store.delete('never there')
    equal(await store.get('key'), undefined)
    equal((await store.get('other'))?.value, 'a')
  },
}
