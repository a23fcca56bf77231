import { sqlitePath } from '../databases/sqlite-path.ts'
import type { Store } from '../kernel/index.ts'
import { MemoryStore } from './memory.ts'

export interface OpenStoreOptions {
  /** What happens when the folder of a file is missing. */
  readonly folder?: 'must-exist' | 'make'
}

/**
 * A store by its URL: `sqlite:PATH` or `memory:`. A wrong URL is an Error at once; the place itself is opened when it
 * is first used, and tried again by the next operation when that fails.
 */
export function openStore(url: string, options: OpenStoreOptions = {}): Store {
  const scheme = url.slice(0, url.indexOf(':') + 1)
  const open = Object.hasOwn(OPENERS, scheme) ? OPENERS[scheme] : undefined
  if (open === undefined) throw new Error(`store: expected ${EXPECTED}, got ${describe(url, scheme)}`)
  return open(url.slice(scheme.length), options)
}

const EXPECTED = 'sqlite:PATH or memory:'

const OPENERS: { readonly [scheme: string]: (rest: string, options: OpenStoreOptions) => Store } = {
  'sqlite:': (rest, options) => {
    const path = sqlitePath(rest)
    return openLater(async () => (await import('./sqlite.ts')).openSqliteStore({ ...options, path }))
  },
  'memory:': () => new MemoryStore(),
}

/** What has no scheme of ours may hold a password, so little of it is repeated. */
function describe(url: string, scheme: string): string {
  if (scheme === '') return `${JSON.stringify(url)}. For a file: sqlite:${url}`
  return `the scheme ${JSON.stringify(scheme)}`
}

/** One store for all; what could not be loaded is tried anew. */
function openLater(load: () => Promise<Store>): Store {
  let opened: Promise<Store> | undefined
  const store = () => {
    opened ??= load().catch((error: unknown) => {
      opened = undefined
      throw error
    })
    return opened
  }
  return {
    get: async (key) => (await store()).get(key),
    put: async (key, value, options) => (await store()).put(key, value, options),
    delete: async (key) => (await store()).delete(key),
    append: async (log, value, options) => (await store()).append(log, value, options),
    read: async (log, after, limit) => (await store()).read(log, after, limit),
    publish: async (topic, message) => (await store()).publish(topic, message),
    subscribe: async (topic, listener) => (await store()).subscribe(topic, listener),
    close: async () => (await opened)?.close(),
  }
}
