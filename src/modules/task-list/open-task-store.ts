import { placeOf } from '../../databases/postgres-url.ts'
import { sqlitePath } from '../../databases/sqlite-path.ts'
import type { TaskStore } from './task-store.ts'

export interface OpenOptions {
  /** What happens when the folder of a file is missing. */
  readonly folder?: 'must-exist' | 'make'
}

/**
 * A store by its URL: `sqlite:PATH`, `postgres://…` or `memory:`. A wrong URL is an Error at once; the place itself is
 * opened when it is first used, and tried again by the next call when that fails.
 */
export function openTaskStore(url: string, options: OpenOptions = {}): TaskStore {
  const scheme = url.slice(0, url.indexOf(':') + 1)
  const open = Object.hasOwn(OPENERS, scheme) ? OPENERS[scheme] : undefined
  if (open === undefined) throw new Error(`store: expected ${EXPECTED}, got ${describe(url, scheme)}`)
  return openLater(open(url.slice(scheme.length), options))
}

const EXPECTED = 'sqlite:PATH, postgres://USER:PASSWORD@HOST/DATABASE or memory:'

type Load = () => Promise<TaskStore>

/** Checks what follows the scheme, and gives what loads the adapter. */
const OPENERS: { readonly [scheme: string]: (rest: string, options: OpenOptions) => Load } = {
  'sqlite:': (rest, options) => {
    const path = sqlitePath(rest)
    return async () => (await import('./stores/sqlite.ts')).openSqliteTasks({ ...options, path })
  },
  'postgres:': (rest) => postgres(`postgres:${rest}`),
  'postgresql:': (rest) => postgres(`postgresql:${rest}`),
  'memory:': () => async () => (await import('./stores/memory.ts')).createMemoryTasks(),
}

function postgres(url: string): Load {
  placeOf(url)
  return async () => (await import('./stores/postgres.ts')).openPostgresTasks(url)
}

/** What has no scheme of ours may hold a password, so little of it is repeated. */
function describe(url: string, scheme: string): string {
  if (scheme === '') return `${JSON.stringify(url)}. For a file: sqlite:${url}`
  return `the scheme ${JSON.stringify(scheme)}`
}

/** One store for all calls; one that could not be opened is tried anew. */
function openLater(load: Load): TaskStore {
  let opened: Promise<TaskStore> | undefined
  const store = () => {
    opened ??= load().catch((error: unknown) => {
      opened = undefined
      throw error
    })
    return opened
  }
  return {
    add: async (task) => (await store()).add(task),
    get: async (id) => (await store()).get(id),
    list: async (filter, page) => (await store()).list(filter, page),
    update: async (request) => (await store()).update(request),
    delete: async (id) => (await store()).delete(id),
    close: async () => (await opened)?.close(),
  }
}
