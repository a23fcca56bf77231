import { Ledger } from '../budgets/ledger.ts'
import { ownerOf } from '../callers/audience.ts'
import { Abandoned } from './abandoned.ts'
import type { Server } from './server.ts'

/** The accounts of what clients make us keep. */
export function createLedgers({
  budgets,
  usage,
}: Pick<Server, 'budgets' | 'usage'>): Pick<Server, 'held' | 'underway' | 'abandoned' | 'batched'> {
  return {
    held: new Ledger({
      budgets,
      usage,
      each: 'maxHeldPerSessionBytes',
      share: { budget: 'maxHeldPerCallerBytes', owner: ({ principal }) => ownerOf(principal) },
      all: 'maxHeldBytes',
    }),
    underway: new Ledger({
      budgets,
      usage,
      each: 'maxUnderwayPerCallerBytes',
      all: 'maxUnderwayBytes',
      exempt: ownerOf(undefined),
    }),
    abandoned: new Abandoned(
      new Ledger({
        budgets,
        usage,
        each: 'maxAbandonedPerCallerBytes',
        all: 'maxAbandonedBytes',
        exempt: ownerOf(undefined),
      }),
    ),
    batched: new Ledger({ budgets, usage, each: 'maxBatchAnswerBytes', all: 'maxBatchedBytes' }),
  }
}
