import { Later, openByUrl } from '../databases/by-url.ts'
import { sqlitePath } from '../databases/sqlite-path.ts'
import { type Store, text } from '../kernel/index.ts'
import { MemoryStore } from './memory.ts'

/** How a store is opened. */
export interface OpenStoreOptions {
  /** What happens when the folder of a file is missing. */
  readonly folder?: 'must-exist' | 'make'
}

const EXPECTED = 'sqlite:PATH or memory:'

/** A store by its URL: `sqlite:PATH`, opened when it is first used, or `memory:`. */
export function openStore(url: string, options: OpenStoreOptions = {}): Store {
  text(url, 'openStore')
  const openers = {
    'sqlite:': (rest: string) => {
      const path = sqlitePath(rest)
      return openLater(async () => (await import('./sqlite.ts')).openSqliteStore({ ...options, path }))
    },
    'memory:': () => new MemoryStore(),
  }
  return openByUrl<Store>(url, openers, EXPECTED)
}

/** A store that is used by several processes, opened when it is first used. */
function openLater(load: () => Promise<Store>): Store {
  const store = new Later(load)
  let opened: Store | undefined
  const open = async () => {
    opened = await store.get()
    return opened
  }
  return {
    shared: true,
    get: async (key) => (await open()).get(key),
    put: async (key, value, options) => (await open()).put(key, value, options),
    touch: async (key, ttlMs) => (await open()).touch(key, ttlMs),
    delete: async (key) => (await open()).delete(key),
    append: async (log, value, options) => (await open()).append(log, value, options),
    read: async (log, after, limit) => (await open()).read(log, after, limit),
    publish: async (topic, message) => (await open()).publish(topic, message),
    subscribe: async (topic, listener, missed) => (await open()).subscribe(topic, listener, missed),
    take: async (bucket, rate) => (await open()).take(bucket, rate),
    enter: async (group, member, options) => (await open()).enter(group, member, options),
    leave: async (group, member) => (await open()).leave(group, member),
    trouble: () => opened?.trouble(),
    close: async () => (await store.used)?.close(),
  }
}
