import { deepEqual, equal } from 'node:assert/strict'
import type { Store } from '../../kernel/index.ts'
import { eventually } from '../contract.ts'

type SharingTests = { readonly [name: string]: (store: Store, other: Store) => Promise<void> }

/** For stores that several processes can use at once. */
export const SHARING: SharingTests = {
  async 'two doors lead to one truth'(store, other) {
    await store.put('key', 'a')
    equal((await other.get('key'))?.value, 'a')
    const races = [store.put('key', 'b', { ifVersion: 1 }), other.put('key', 'c', { ifVersion: 1 })]
    deepEqual(
      (await Promise.all(races)).filter((version) => version !== undefined),
      [2],
    )
    equal(await store.append('log', 1), 1)
    equal(await other.append('log', 2), 2)
  },

  async 'two doors let listeners on both sides hear'(store, other) {
    const heard: string[] = []
    await store.subscribe('topic', () => heard.push('here'))
    await other.subscribe('topic', () => heard.push('there'))
    await other.publish('topic', 1)
    await eventually(() => deepEqual(heard.toSorted(), ['here', 'there']))
  },
}
