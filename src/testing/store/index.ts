import { equal } from 'node:assert/strict'
import type { Store } from '../../kernel/index.ts'
import { type ContractTest, pause } from '../contract.ts'
import { BUCKETS } from './buckets.ts'
import { ENTRIES } from './entries.ts'
import { GROUPS } from './groups.ts'
import { LOGS } from './logs.ts'
import { SHARING } from './sharing.ts'
import { TOPICS } from './topics.ts'
import type { StoreTests } from './under-test.ts'

/** How the store to be tested is made. */
export interface StoreContract {
  /** A fresh store that nobody else uses. */
  create(): Store | Promise<Store>
  /** A second door to what the given store keeps, where two processes can share it. */
  share?(store: Store): Store | Promise<Store>
  /** Has so much time pass on the store's clock, where that can be set; otherwise the tests wait. */
  pass?(milliseconds: number): void | Promise<void>
}

const READINESS: StoreTests = {
  async 'a store that can be used is in no trouble'({ store }) {
    await store.get('key')
    equal(store.trouble(), undefined)
  },
}

/**
 * What every store must do.
 * @example
 * import { it } from 'node:test'
 * import { MemoryStore } from 'perigee'
 * for (const { name, run } of testStore({ create: () => new MemoryStore() })) it(name, run)
 */
export function testStore({ create, share, pass = pause }: StoreContract): readonly ContractTest[] {
  const alone = Object.entries({ ...ENTRIES, ...LOGS, ...TOPICS, ...BUCKETS, ...GROUPS, ...READINESS }).map(
    ([name, prove]) => ({
      name,
      skip: false as const,
      run: () => using(create, (store) => prove({ store, pass })),
    }),
  )
  if (share === undefined) return alone
  const shared = Object.entries(SHARING).map(([name, prove]) => ({
    name,
    skip: false as const,
    run: () =>
      using(create, (store) =>
        using(
          () => share(store),
          (other) => prove(store, other),
        ),
      ),
  }))
  return [...alone, ...shared]
}

async function using(
  create: () => Store | Promise<Store>,
  prove: (store: Store) => Promise<void>,
): Promise<void> {
  const store = await create()
  try {
    await prove(store)
  } finally {
    await store.close()
  }
}
