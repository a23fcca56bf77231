import type { Question } from '../asking/needs.ts'
import type { JsonObject, Result, WireError } from '../jsonrpc/message.ts'

/** A call that goes on after it has been answered, as it is kept. */
export interface TaskRecord {
  readonly id: string
  /** Who may see it; null where callers are not told apart. */
  readonly principal: string | null
  /** The process that works on it. */
  readonly node: string
  readonly request: { readonly name: string; readonly arguments: JsonObject; readonly meta: JsonObject }
  /** What the client said of itself, so that the task can be run again without it. */
  readonly revision: string
  readonly capabilities: JsonObject
  readonly createdAt: number
  readonly updatedAt: number
  readonly ttlMs: number | null
  readonly answers: JsonObject
  readonly state: unknown
  /** What has been asked and not been answered. */
  readonly questions: { readonly [key: string]: Question }
  readonly outcome: Outcome
}

export type Outcome =
  | { readonly status: 'working' | 'input_required' | 'cancelled' }
  | { readonly status: 'completed'; readonly result: Result }
  | { readonly status: 'failed'; readonly error: WireError }

export function isOver({ outcome }: TaskRecord): boolean {
  return outcome.status !== 'working' && outcome.status !== 'input_required'
}
