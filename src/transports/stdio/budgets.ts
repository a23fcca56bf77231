import type { Budgets } from '../../kernel/index.ts'

/** What matters on stdin and stdout alone. */
export const PIPE_BUDGETS = [
  'maxLineBytes',
  'maxCallsPerPipe',
  'maxReadAheadBytes',
  'maxReadAheadMessages',
  'maxUnsentPerPipeBytes',
] as const satisfies readonly (keyof Budgets)[]

/** How much a client may make a conversation hold. */
export type PipeBudgets = Pick<Budgets, (typeof PIPE_BUDGETS)[number]>
