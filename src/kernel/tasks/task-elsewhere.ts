import type { Json } from '../jsonrpc/message.ts'

/**
 * A call has become a task of another server.
 * @example const task = new TaskElsewhere({ state: { id: 't1' }, ttlMs: 60_000, abandon: () => {} })
 */
export class TaskElsewhere {
  /** What it takes to find it again. */
  readonly state: Json
  /** How long the other server keeps it; null is for ever. */
  readonly ttlMs: number | null
  /** Nobody will follow it. */
  readonly abandon: () => void

  constructor({ state, ttlMs, abandon }: TaskElsewhere) {
    this.state = state
    this.ttlMs = ttlMs
    this.abandon = abandon
  }
}
