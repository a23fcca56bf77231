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

function openLater(load: () => Promise<Store>): Store {
  const store = new Later(load)
  return {
    get: async (key) => (await store.get()).get(key),
    put: async (key, value, options) => (await store.get()).put(key, value, options),
    delete: async (key) => (await store.get()).delete(key),
    append: async (log, value, options) => (await store.get()).append(log, value, options),
    read: async (log, after, limit) => (await store.get()).read(log, after, limit),
    publish: async (topic, message) => (await store.get()).publish(topic, message),
    subscribe: async (topic, listener) => (await store.get()).subscribe(topic, listener),
    close: async () => (await store.used)?.close(),
  }
}
