import { it } from 'vitest'
import type { ContractTest } from '../../src/testing/index.ts'

/** Runs a contract; a test that is left out says why. */
export function runContract(tests: readonly ContractTest[]): void {
  for (const { name, skip, run } of tests) it(name, (test) => (skip === false ? run() : test.skip(skip)))
}
