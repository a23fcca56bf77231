import type { Budgets } from '../../kernel/index.ts'

/** What matters over HTTP alone. */
export const HTTP_BUDGETS = [
  'maxBodyBytes',
  'maxArrivingBytes',
  'maxCalls',
  'maxCallsPerCaller',
  'maxQuestions',
  'maxSessions',
  'maxSessionsPerCaller',
  'maxStreams',
  'maxStreamsPerSession',
  'maxStreamsPerCaller',
  'maxUnreadBytes',
  'maxUnsentBytes',
  'maxConnections',
  'maxPipelined',
  'maxEventsPerStream',
  'maxKeptPerStreamBytes',
  'maxKeptPerSessionBytes',
  'maxKeptBytes',
] as const satisfies readonly (keyof Budgets)[]

/** Budgets that are the server's own unless given here. */
export type HttpBudgets = Pick<Budgets, (typeof HTTP_BUDGETS)[number]>
