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

/** What matters on a socket beside that, as over HTTP. */
export const SHARED_BUDGETS = [
  'maxConnections',
  'maxCalls',
  'maxArrivingBytes',
  'maxUnsentBytes',
] as const satisfies readonly (keyof Budgets)[]

/** How much all clients of a socket may make their server hold, and each of them. */
export type SocketBudgets = PipeBudgets & Pick<Budgets, (typeof SHARED_BUDGETS)[number]>
