import { deepEqual, equal, ok } from 'node:assert/strict'
import type { Json, Store } from '../../kernel/index.ts'
import { eventually } from '../contract.ts'

type SharingTests = { readonly [name: string]: (store: Store, other: Store) => Promise<void> }

/** Has both do the same so many times each, at once. */
async function both<Value>(
  doors: readonly [Store, Store],
  times: number,
  run: (store: Store, number: number) => Promise<Value>,
): Promise<readonly Value[]> {
  return Promise.all(Array.from({ length: 2 * times }, (_one, index) => run(doors[index % 2 ? 1 : 0], index)))
}

/** For stores that several processes can use at once. */
export const SHARING: SharingTests = {
  async 'two doors lead to one truth'(store, other) {
    equal(store.shared, true)
    await store.put('key', 'a')
    equal((await other.get('key'))?.value, 'a')
    equal(await other.touch('key', 60_000), true)
    const races = [store.put('key', 'b', { ifVersion: 1 }), other.put('key', 'c', { ifVersion: 1 })]
    deepEqual(
      (await Promise.all(races)).filter((version) => version !== undefined),
      [2],
    )
    equal(await store.append('log', 1), 1)
    equal(await other.append('log', 2), 2)
    await other.delete('log')
    deepEqual(await store.read('log', 0, 10), [])
  },

  async 'two doors let one of many put over a version'(store, other) {
    for (const ifVersion of [0, 1, 2]) {
      const won = await both([store, other], 10, (door, number) => door.put('key', number, { ifVersion }))
      deepEqual(
        won.filter((version) => version !== undefined),
        [ifVersion + 1],
      )
    }
  },

  async 'two doors give each item of a log a number of its own, without gaps'(store, other) {
    const numbers = await both([store, other], 25, (door, number) =>
      door.append('log', number, { keep: 40, keepBytes: 10_000, ttlMs: 60_000 }),
    )
    deepEqual(
      numbers.toSorted((one, another) => one - another),
      Array.from({ length: 50 }, (_one, index) => index + 1),
    )
    const items = await other.read('log', 0, 100)
    deepEqual(
      items.map(({ number, value }) => [number, numbers[Number(value)]]),
      Array.from({ length: 40 }, (_one, index) => [index + 11, index + 11]),
    )
  },

  async 'two doors take from one bucket'(store, other) {
    const rate = { burst: 7, perSecond: 0.001 }
    const waits = await both([store, other], 10, (door) => door.take('bucket', rate))
    equal(waits.filter((wait) => wait === 0).length, 7)
    ok(waits.every((wait) => wait === 0 || wait > 900_000))
  },

  async 'two doors lead into one group, which holds no more than it may'(store, other) {
    const options = { ttlMs: 60_000, limit: 7 }
    const entered = await both([store, other], 10, (door, number) =>
      door.enter('group', `m${number}`, options),
    )
    equal(entered.filter(Boolean).length, 7)
    const members = entered.flatMap((isIn, number) => (isIn ? [`m${number}`] : []))
    for (const member of members) equal(await other.enter('group', member, options), true)
    await other.leave('group', members[0] ?? '')
    const again = await both([store, other], 5, (door, number) => door.enter('group', `n${number}`, options))
    equal(again.filter(Boolean).length, 1)
  },

  async 'two doors let listeners on both sides hear'(store, other) {
    const heard: string[] = []
    await store.subscribe('topic', () => heard.push('here'))
    await other.subscribe('topic', () => heard.push('there'))
    await other.publish('topic', 1)
    await eventually(() => deepEqual(heard.toSorted(), ['here', 'there']))
  },

  async 'two doors hear what both have said in the same order'(store, other) {
    const heard: [here: Json[], there: Json[]] = [[], []]
    await store.subscribe('topic', (message) => heard[0].push(message))
    await other.subscribe('topic', (message) => heard[1].push(message))
    for (let number = 0; number < 20; number++) {
      await Promise.all([store.publish('topic', `a${number}`), other.publish('topic', `b${number}`)])
    }
    await eventually(() => deepEqual([heard[0].length, heard[1].length], [40, 40]))
    deepEqual(heard[0], heard[1])
  },

  async 'two doors carry messages of any length, in order, and none is missed'(store, other) {
    const heard: Json[] = []
    await other.subscribe(
      'topic',
      (message) => heard.push(message),
      () => heard.push('missed'),
    )
    const sent = Array.from({ length: 20 }, (_one, index) => [
      index,
      'é'.repeat(index % 3 === 0 ? 20_000 : 1),
    ])
    for (const message of sent) await store.publish('topic', message)
    await eventually(() => equal(heard.length, sent.length))
    deepEqual(heard, sent)
  },
}
