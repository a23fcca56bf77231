import { isObject, type JsonObject } from '../kernel/index.ts'

/** How a task stands, in whichever revision. */
export interface TaskState {
  readonly taskId: string
  readonly status: 'working' | 'input_required' | 'completed' | 'failed' | 'cancelled'
  readonly statusMessage?: string
  /** How long it is kept; null is for ever. */
  readonly ttlMs: number | null
  readonly pollIntervalMs?: number
  /** When it was begun, and when it last became something else, as ISO 8601 has it. */
  readonly createdAt?: string
  readonly lastUpdatedAt?: string
}

const STATUS: readonly unknown[] = ['working', 'input_required', 'completed', 'failed', 'cancelled']

/** A task as a server shows it; undefined where it shows none. */
export function readTask(value: unknown): TaskState | undefined {
  if (!isObject(value)) return undefined
  const { taskId, status, statusMessage, createdAt, lastUpdatedAt } = value
  if (typeof taskId !== 'string' || !STATUS.includes(status)) return undefined
  const pollIntervalMs = numberOf(value, 'pollIntervalMs', 'pollInterval')
  return {
    taskId,
    status: status as TaskState['status'], // As looked up.
    ...(typeof statusMessage === 'string' && { statusMessage }),
    ttlMs: numberOf(value, 'ttlMs', 'ttl') ?? null,
    ...(pollIntervalMs !== undefined && { pollIntervalMs }),
    ...(typeof createdAt === 'string' && { createdAt }),
    ...(typeof lastUpdatedAt === 'string' && { lastUpdatedAt }),
  }
}

/** The two revisions that have tasks have two names for each time. */
function numberOf(value: JsonObject, ...names: readonly string[]): number | undefined {
  return names.map((name) => value[name]).find((one) => typeof one === 'number')
}

export function isOver({ status }: TaskState): boolean {
  return status === 'completed' || status === 'failed' || status === 'cancelled'
}
