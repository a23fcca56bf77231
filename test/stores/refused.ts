import type { Store } from '../../src/kernel/index.ts'

/** What each operation of a store says against being asked; those that take it are named. */
export async function refusals(store: Store): Promise<readonly string[]> {
  const asked = {
    get: store.get('a'),
    put: store.put('a', 1),
    touch: store.touch('a', 1000),
    delete: store.delete('a'),
    append: store.append('a', 1),
    read: store.read('a', 0, 1),
    publish: store.publish('a', 1),
    take: store.take('a', { burst: 1, perSecond: 1 }),
    enter: store.enter('a', 'member', { ttlMs: 1000, limit: 1 }),
    leave: store.leave('a', 'member'),
  }
  const settled = await Promise.allSettled(Object.values(asked))
  const said = settled.map((one, place) =>
    one.status === 'rejected' ? String(one.reason) : `${Object.keys(asked)[place]} was taken`,
  )
  return [...new Set(said)]
}
