import { deepEqual, equal } from 'node:assert/strict'
import type { Store } from '../../kernel/index.ts'
import type { StoreTests } from './under-test.ts'

/** With its quotes twelve long. */
const TEN = '0123456789'

export const LOGS: StoreTests = {
  async 'logs are empty until something is appended'({ store }) {
    deepEqual(await store.read('log', 0, 10), [])
  },

  async 'logs give numbers that begin at 1 and grow by one'({ store }) {
    equal(await store.append('log', 'a'), 1)
    equal(await store.append('log', { b: 1 }), 2)
    equal(await store.append('other', 'c'), 1)
    deepEqual(await store.read('log', 0, 10), [
      { number: 1, value: 'a' },
      { number: 2, value: { b: 1 } },
    ])
  },

  async 'logs keep the order in which was appended'({ store }) {
    const numbers = Array.from({ length: 50 }, (_one, index) => index + 1)
    deepEqual(await Promise.all(numbers.map((number) => store.append('log', number))), numbers)
    const items = await store.read('log', 0, 100)
    deepEqual(
      items.map(({ value }) => value),
      numbers,
    )
  },

  async 'logs are read from a number on, so many at a time'({ store }) {
    for (let count = 0; count < 5; count++) await store.append('log', 'x')
    deepEqual(await numbersIn(store, 'log', 2), [3, 4, 5])
    deepEqual(
      (await store.read('log', 1, 2)).map(({ number }) => number),
      [2, 3],
    )
    deepEqual(await numbersIn(store, 'log', 5), [])
    deepEqual(await numbersIn(store, 'log', 99), [])
  },

  async 'logs keep fewer when they are told to'({ store }) {
    for (let count = 0; count < 10; count++) await store.append('log', count, { keep: 8 })
    await store.append('log', 'last', { keep: 2 })
    const items = await store.read('log', 0, 100)
    deepEqual(
      items.map(({ value }) => value),
      [9, 'last'],
    )
  },

  async 'logs keep so many of their last items, and count on'({ store }) {
    for (let count = 0; count < 10; count++) await store.append('log', 'x', { keep: 3 })
    deepEqual(await numbersIn(store, 'log'), [8, 9, 10])
    equal(await store.append('log', 'x', { keep: 3 }), 11)
  },

  async 'logs keep so many bytes of their last items, and count on'({ store }) {
    for (let count = 0; count < 10; count++) await store.append('log', TEN, { keepBytes: 37 })
    deepEqual(await numbersIn(store, 'log'), [8, 9, 10])
    equal(await store.append('log', 1, { keepBytes: 37 }), 11)
    deepEqual(await numbersIn(store, 'log'), [8, 9, 10, 11])
    equal(await store.append('log', TEN, { keepBytes: 13 }), 12)
    deepEqual(await numbersIn(store, 'log'), [11, 12])
  },

  async 'logs keep the newest item, however long it is'({ store }) {
    await store.append('log', 1, { keepBytes: 5 })
    await store.append('log', TEN.repeat(100), { keepBytes: 5 })
    deepEqual(await numbersIn(store, 'log'), [2])
    await store.append('log', 2, { keepBytes: 5 })
    deepEqual(await numbersIn(store, 'log'), [3])
    await store.append('log', { a: [TEN] }, { keepBytes: 21 })
    deepEqual(await numbersIn(store, 'log'), [3, 4])
  },

  async 'logs keep to both bounds, and to bytes that were appended before there was one'({ store }) {
    for (let count = 0; count < 5; count++) await store.append('log', TEN)
    await store.append('log', TEN, { keep: 4, keepBytes: 1000 })
    deepEqual(await numbersIn(store, 'log'), [3, 4, 5, 6])
    await store.append('log', TEN, { keep: 4, keepBytes: 24 })
    deepEqual(await numbersIn(store, 'log'), [6, 7])
  },

  async 'logs that begin anew count their bytes anew'({ store, pass }) {
    for (let count = 0; count < 3; count++) await store.append('log', TEN, { ttlMs: 40, keepBytes: 36 })
    await pass(200)
    for (let count = 0; count < 3; count++) await store.append('log', TEN, { keepBytes: 36 })
    deepEqual(await numbersIn(store, 'log'), [1, 2, 3])
  },

  async 'logs expire some time after the last append'({ store, pass }) {
    await store.append('brief', 'a', { ttlMs: 40 })
    await store.append('lasting', 'a')
    await store.append('renewed', 'a', { ttlMs: 40 })
    await store.append('renewed', 'b', { ttlMs: 60_000 })
    await pass(200)
    deepEqual(await numbersIn(store, 'brief'), [])
    deepEqual(await numbersIn(store, 'lasting'), [1])
    deepEqual(await numbersIn(store, 'renewed'), [1, 2])
  },

  async 'logs that have expired begin anew, without what they held'({ store, pass }) {
    for (const value of ['a', 'b', 'c']) await store.append('log', value, { ttlMs: 40 })
    await pass(200)
    equal(await store.append('log', 'd'), 1)
    deepEqual(await store.read('log', 0, 10), [{ number: 1, value: 'd' }])
  },

  async 'logs are gone when they are deleted'({ store }) {
    await store.append('log', 'a')
    await store.append('other', 'a')
    await store.delete('log')
    deepEqual(await numbersIn(store, 'log'), [])
    deepEqual(await numbersIn(store, 'other'), [1])
    equal(await store.append('log', 'b'), 1)
    deepEqual(await store.read('log', 0, 10), [{ number: 1, value: 'b' }])
  },

  async 'logs are no entries'({ store }) {
    await store.append('name', 'item')
    await store.put('name', 'entry')
    deepEqual(await store.read('name', 0, 10), [{ number: 1, value: 'item' }])
    equal((await store.get('name'))?.value, 'entry')
  },
}

async function numbersIn(store: Store, log: string, after = 0): Promise<readonly number[]> {
  return (await store.read(log, after, 100)).map(({ number }) => number)
}
