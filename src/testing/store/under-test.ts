import type { Store } from '../../kernel/index.ts'

/** What the tests of a store are handed. */
interface StoreUnderTest {
  readonly store: Store
  /** Has so much time pass on the store's clock. */
  pass(milliseconds: number): void | Promise<void>
}

export type StoreTests = { readonly [name: string]: (tested: StoreUnderTest) => Promise<void> }
