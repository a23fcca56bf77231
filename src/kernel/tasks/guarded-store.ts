import { Fault } from '../faults.ts'
import type { Store } from '../store.ts'

export type GuardedStore = Omit<Store, 'delete' | 'close'>

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
    subscribe: (topic, listener) => guard(store.subscribe(topic, listener)),
  }
}
