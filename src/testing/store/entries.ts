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

const NAMES = [
  '',
  'a',
  'A',
  'a:b',
  'a/b',
  '{a}',
  '}a{',
  '{}',
  '%',
  '*',
  'a b',
  'Zürich ✓',
  "'",
  '"',
  'x'.repeat(500),
  'a\0b',
  Array.from({ length: 3000 }, (_, place) => ((place * 7919) % 9973).toString(36)).join(''),
]

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
    equal((await store.get('brief'))?.value, 'b')
  },

  async 'entries that have expired are put anew by one of many that race'({ store, pass }) {
    await store.put('key', 0, { ttlMs: 40 })
    await pass(200)
    const races = Array.from({ length: 10 }, (_one, number) => store.put('key', number, { ifVersion: 0 }))
    equal((await Promise.all(races)).filter((version) => version !== undefined).length, 1)
  },

  async 'entries have any name, and none is another'({ store }) {
    for (const [index, name] of NAMES.entries()) {
      await store.put(name, index)
      await store.append(name, index)
    }
    for (const [index, name] of NAMES.entries()) {
      equal((await store.get(name))?.value, index)
      deepEqual(await store.read(name, 0, 10), [{ number: 1, value: index }])
    }
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

  async 'entries are kept alive by a touch, as they are'({ store, pass }) {
    await store.put('key', 'a', { ttlMs: 100 })
    equal(await store.touch('key', 60_000), true)
    await pass(300)
    deepEqual(await store.get('key'), { value: 'a', version: 1 })
    equal(await store.put('key', 'b', { ifVersion: 1 }), 2)
  },

  async 'entries live as long as the last touch says, be that less'({ store, pass }) {
    await store.put('brief', 'a', { ttlMs: 60_000 })
    await store.put('lasting', 'a')
    equal(await store.touch('brief', 40), true)
    equal(await store.touch('lasting', 40), true)
    await pass(200)
    equal(await store.get('brief'), undefined)
    equal(await store.get('lasting'), undefined)
  },

  async 'entries that are gone are not brought back by a touch'({ store, pass }) {
    await store.put('brief', 'a', { ttlMs: 40 })
    await store.put('deleted', 'a')
    await store.delete('deleted')
    await pass(200)
    for (const key of ['brief', 'deleted', 'never there']) {
      equal(await store.touch(key, 60_000), false)
      equal(await store.get(key), undefined)
    }
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
