import { deepEqual, equal } from 'node:assert/strict'
import type { StoreTests } from './under-test.ts'

const TWO = { ttlMs: 60_000, limit: 2 }

export const GROUPS: StoreTests = {
  async 'groups hold so many members and no more'({ store }) {
    equal(await store.enter('group', 'a', TWO), true)
    equal(await store.enter('group', 'b', TWO), true)
    equal(await store.enter('group', 'c', TWO), false)
    equal(await store.enter('other', 'c', TWO), true)
    equal(await store.enter('none', 'a', { ...TWO, limit: 0 }), false)
  },

  async 'groups count a member once, however often it enters'({ store }) {
    for (let count = 0; count < 3; count++) equal(await store.enter('group', 'a', TWO), true)
    equal(await store.enter('group', 'b', TWO), true)
    equal(await store.enter('group', 'a', TWO), true)
    equal(await store.enter('group', 'a', { ...TWO, limit: 1 }), true)
  },

  async 'groups have room again when somebody leaves'({ store }) {
    await store.enter('group', 'a', TWO)
    await store.enter('group', 'b', TWO)
    await store.leave('group', 'a')
    await store.leave('group', 'never there')
    await store.leave('no group', 'a')
    equal(await store.enter('group', 'c', TWO), true)
    equal(await store.enter('group', 'a', TWO), false)
  },

  async 'groups forget members whose time is over'({ store, pass }) {
    equal(await store.enter('group', 'brief', { ...TWO, ttlMs: 40 }), true)
    equal(await store.enter('group', 'lasting', TWO), true)
    await pass(200)
    equal(await store.enter('group', 'new', TWO), true)
    equal(await store.enter('group', 'brief', TWO), false)
    equal(await store.enter('group', 'lasting', TWO), true)
  },

  async 'groups keep members that enter again in time'({ store, pass }) {
    await store.enter('group', 'a', { ttlMs: 40, limit: 1 })
    await store.enter('group', 'a', { ttlMs: 60_000, limit: 1 })
    await pass(200)
    equal(await store.enter('group', 'b', { ttlMs: 40, limit: 1 }), false)
    await store.enter('short', 'a', { ttlMs: 60_000, limit: 2 })
    await store.enter('short', 'b', { ttlMs: 40, limit: 2 })
    await pass(200)
    deepEqual(
      [
        await store.enter('short', 'a', TWO),
        await store.enter('short', 'c', TWO),
        await store.enter('short', 'd', TWO),
      ],
      [true, true, false],
    )
  },

  async 'groups let in no more of those who race than they hold'({ store }) {
    const members = Array.from({ length: 20 }, (_one, index) => `m${index}`)
    const entered = await Promise.all(
      members.map((member) => store.enter('group', member, { ...TWO, limit: 7 })),
    )
    equal(entered.filter(Boolean).length, 7)
  },
}
