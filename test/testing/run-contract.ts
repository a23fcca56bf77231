import { it } from 'vitest'
import type { ContractTest } from '../../src/testing/index.ts'

/** Runs what of a contract is asked of this one. */
export function runContract(tests: readonly ContractTest[]): void {
  for (const { name, skip, run } of tests) if (skip === false) it(name, run)
}
