import { isObject, type JsonObject } from '../jsonrpc/message.ts'
import type { TaskRecord } from './record.ts'

/** How often a client may look without being a nuisance. */
const POLL_MS = 500

const RELATED_TASK = 'io.modelcontextprotocol/related-task'

/** Parameters or a result with the word by which 2025-11-25 says that a message belongs to a task. */
export function relatedTask(members: JsonObject | undefined, taskId: string): JsonObject {
  const meta = members?.['_meta']
  return { ...members, _meta: { ...(isObject(meta) && meta), [RELATED_TASK]: { taskId } } }
}

/** A task as 2025-11-25 shows it. */
export function toCoreTask(record: TaskRecord): JsonObject {
  return { ...common(record), ...coreStatus(record), ttl: record.ttlMs, pollInterval: POLL_MS }
}

/** A task as the extension shows it, without what came of it. */
export function toTask(record: TaskRecord): JsonObject {
  return { ...common(record), status: record.outcome.status, ttlMs: record.ttlMs, pollIntervalMs: POLL_MS }
}

/** The same with its result, its error, or what it waits for. */
export function toDetailedTask(record: TaskRecord): JsonObject {
  const { outcome, questions } = record
  const { status } = outcome
  return {
    ...toTask(record),
    ...(status === 'input_required' && { inputRequests: questions }),
    ...(status === 'completed' && { result: outcome.result }),
    ...(status === 'failed' && { error: outcome.error }),
  }
}

function common(record: TaskRecord): JsonObject {
  const { id, createdAt, updatedAt, outcome, message } = record
  return {
    taskId: id,
    createdAt: new Date(createdAt).toISOString(),
    lastUpdatedAt: new Date(updatedAt).toISOString(),
    ...(message !== undefined && { statusMessage: message }),
    ...(outcome.status === 'failed' && { statusMessage: outcome.error.message }),
  }
}

/** There a tool that reported a failure has failed; in the extension it has completed. */
function coreStatus({ outcome }: TaskRecord): JsonObject {
  const { status } = outcome
  return status === 'completed' && outcome.result['isError'] === true
    ? { status: 'failed', statusMessage: 'The tool reported a failure' }
    : { status }
}
