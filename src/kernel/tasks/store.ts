import { Fault } from '../faults.ts'
import { isObject, type Json } from '../jsonrpc/message.ts'
import type { Store } from '../ports/store.ts'
import { isReadable, type TaskRecord } from './record.ts'

export type GuardedStore = Pick<Store, 'get' | 'put' | 'append' | 'read' | 'publish' | 'subscribe'>

/** A store whose failures are told to `failed` with their details, and to clients without. */
export function guardStore(store: Store, failed: (error: unknown) => void): GuardedStore {
  const guard = <Value>(operation: Promise<Value>): Promise<Value> =>
    operation.catch((error: unknown) => {
      failed(error)
      throw new Fault('internalError', 'Internal error: tasks cannot be kept or found right now')
    })
  return {
    get: (key) => guard(store.get(key)),
    put: (key, value, options) => guard(store.put(key, value, options)),
    append: (log, value, options) => guard(store.append(log, value, options)),
    read: (log, after, limit) => guard(store.read(log, after, limit)),
    publish: (topic, message) => guard(store.publish(topic, message)),
    subscribe: (topic, listener, missed) => guard(store.subscribe(topic, listener, missed)),
  }
}

/** A task as it was read, with what tells whether it has changed since. */
export interface KeptTask {
  readonly record: TaskRecord
  readonly version: number
}

export async function readTask(store: GuardedStore, id: string): Promise<KeptTask | undefined> {
  const entry = await store.get(keyOf(id))
  if (!isObject(entry?.value)) return undefined
  if (!isReadable(entry.value)) throw new Fault('invalidParams', FOREIGN)
  return { record: entry.value as unknown as TaskRecord, version: entry.version } // Only records are put there.
}

/** What a server of another version has begun is not listed, and keeps nothing else from being so. */
export function unlessForeign(error: unknown): undefined {
  if (!(error instanceof Fault) || error.message !== FOREIGN) throw error
}

const FOREIGN =
  'Invalid params: taskId: the task was begun by a server of another version, which this one cannot read'

export async function putTask(store: GuardedStore, record: TaskRecord): Promise<void> {
  const { id, ttlMs } = record
  await store.put(keyOf(id), toJson(record), ttlMs === null ? {} : { ttlMs })
}

/** Puts a task for what is left of its time, unless it has changed since it was read; says whether it did. */
export async function replaceTask(
  store: GuardedStore,
  { record, version }: KeptTask,
  now: number,
): Promise<boolean> {
  const { id, ttlMs, createdAt } = record
  const rest = ttlMs === null ? {} : { ttlMs: Math.max(1, createdAt + ttlMs - now) }
  return (await store.put(keyOf(id), toJson(record), { ifVersion: version, ...rest })) !== undefined
}

export function toJson(record: TaskRecord): Json {
  return record as unknown as Json // Records are JSON.
}

const keyOf = (id: string) => `tasks/${id}`
