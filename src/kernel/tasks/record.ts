import type { Question } from '../asking/needs.ts'
import type { Principal } from '../callers/principal.ts'
import type { JsonObject, Request, Result, WireError } from '../jsonrpc/message.ts'

/** A call that goes on after it has been answered, as it is kept. */
export interface TaskRecord {
  /** Its version: records of another are of a server that is newer or older than this one. Those without are of the first. */
  readonly v?: 1
  readonly id: string
  /** Who may see it; null where callers are not told apart. */
  readonly principal: Principal | null
  /** The process that works on it. */
  readonly node: string
  /** How many processes have begun to work on it. */
  readonly runs: number
  readonly request: {
    readonly name: string
    readonly arguments: JsonObject
    readonly meta: JsonObject
    readonly front?: Request['front']
  }
  /** What the client said of itself, so that the task can be run again without it. */
  readonly revision: string
  readonly capabilities: JsonObject
  readonly createdAt: number
  readonly updatedAt: number
  readonly ttlMs: number | null
  /** What is said of how it stands. */
  readonly message?: string
  /** What the tool has been told in earlier rounds, by its own names for the questions. */
  readonly answers: JsonObject
  readonly state?: unknown
  /** Every key that a question of this task ever had, with the tool's own name for it. */
  readonly keys: { readonly [key: string]: string }
  /** What has been asked and not been answered. */
  readonly questions: { readonly [key: string]: Question }
  /** What has been answered by key, and the tool has not been run with yet. */
  readonly given: JsonObject
  readonly outcome: TaskOutcome
}

export type TaskOutcome =
  | { readonly status: 'working' | 'input_required' | 'cancelled' }
  | { readonly status: 'completed'; readonly result: Result }
  | { readonly status: 'failed'; readonly error: WireError }

/** Whether a record, as it was found, is of a version that can be read here. */
export function isReadable({ v = 1 }: JsonObject): boolean {
  return v === 1
}

export function isOver({ outcome }: TaskRecord): boolean {
  return outcome.status !== 'working' && outcome.status !== 'input_required'
}

/** Whether its tool is not running: it has asked, and has not been run with the answers yet. */
export function isWaiting({ outcome, given }: TaskRecord): boolean {
  return outcome.status === 'input_required' || Object.keys(given).length > 0
}

/** All that the tool has been told so far. */
export function answersOf({ answers, given, keys }: TaskRecord): JsonObject {
  const named = Object.entries(given).map(([key, answer]) => [keys[key] ?? key, answer])
  return { ...answers, ...Object.fromEntries(named) }
}

/** The record with those answers that it waits for; undefined when it waits for none of them. */
export function withAnswers(record: TaskRecord, answers: JsonObject): TaskRecord | undefined {
  const awaited = Object.entries(answers).filter(([key]) => Object.hasOwn(record.questions, key))
  if (awaited.length === 0) return undefined
  const given = { ...record.given, ...Object.fromEntries(awaited) }
  const left = Object.entries(record.questions).filter(([key]) => !Object.hasOwn(given, key))
  const status = left.length === 0 ? 'working' : 'input_required'
  return { ...record, given, questions: Object.fromEntries(left), outcome: { status } }
}

/** The record as over. */
export function ended(record: TaskRecord, outcome: TaskOutcome): TaskRecord {
  return { ...record, questions: {}, given: {}, outcome }
}
