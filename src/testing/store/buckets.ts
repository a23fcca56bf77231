import { equal, ok } from 'node:assert/strict'
import type { StoreTests } from './under-test.ts'

/** So slow that nothing is added while a test runs, unless it passes the time. */
const SLOW = { burst: 3, perSecond: 0.001 }

export const BUCKETS: StoreTests = {
  async 'buckets are full at first, and tell how long it takes until there is one to take'({ store }) {
    for (let count = 0; count < 3; count++) equal(await store.take('bucket', SLOW), 0)
    const wait = await store.take('bucket', SLOW)
    ok(wait > 900_000 && wait <= 1_000_000, `expected almost 1000000, got ${wait}`)
    equal(await store.take('other', SLOW), 0)
  },

  async 'buckets lose nothing by being asked in vain'({ store, pass }) {
    const rate = { burst: 1, perSecond: 5 }
    equal(await store.take('bucket', rate), 0)
    for (let count = 0; count < 5; count++) await store.take('bucket', { burst: 1, perSecond: 0.001 })
    await pass(250)
    equal(await store.take('bucket', rate), 0)
  },

  async 'buckets get more as time passes, up to what they hold'({ store, pass }) {
    const rate = { burst: 2, perSecond: 10 }
    for (let count = 0; count < 2; count++) equal(await store.take('bucket', rate), 0)
    await pass(1000)
    const later = { burst: 2, perSecond: 0.001 }
    equal(await store.take('bucket', later), 0)
    equal(await store.take('bucket', later), 0)
    ok((await store.take('bucket', later)) > 0)
  },

  async 'buckets are full after a pause whose parts add up to a whole'({ store }) {
    for (const burst of [1, 2, 3, 7, 10, 60]) {
      const rate = { burst, perSecond: burst / 3_000_000 }
      for (let count = 0; count < burst; count++) equal(await store.take(`of ${burst}`, rate), 0)
      ok((await store.take(`of ${burst}`, rate)) > 0)
    }
  },

  async 'buckets give to no more of those who race than there is'({ store }) {
    const waits = await Promise.all(Array.from({ length: 20 }, () => store.take('bucket', SLOW)))
    equal(waits.filter((wait) => wait === 0).length, 3)
  },
}
