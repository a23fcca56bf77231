import { Later, openByUrl } from '../../databases/by-url.ts'
import { placeOf } from '../../databases/postgres-url.ts'
import { sqlitePath } from '../../databases/sqlite-path.ts'
import type { TaskStore } from './task-store.ts'

export interface OpenOptions {
  /** What happens when the folder of a file is missing. */
  readonly folder?: 'must-exist' | 'make'
}

const EXPECTED = 'sqlite:PATH, postgres://USER:PASSWORD@HOST/DATABASE or memory:'

/**
 * A store by its URL: `sqlite:PATH`, `postgres://…` or `memory:`, opened when it is first used.
 * @example const store = openTaskStore('sqlite:tasks.db')
 */
export function openTaskStore(url: string, options: OpenOptions = {}): TaskStore {
  const openers = {
    'sqlite:': (rest: string) => {
      const path = sqlitePath(rest)
      return async () => (await import('./stores/sqlite.ts')).openSqliteTasks({ ...options, path })
    },
    'postgres:': (rest: string) => postgres(`postgres:${rest}`),
    'postgresql:': (rest: string) => postgres(`postgresql:${rest}`),
    'memory:': () => async () => (await import('./stores/memory.ts')).createMemoryTasks(),
  }
  return openLater(openByUrl<LoadStore>(url, openers, EXPECTED))
}

type LoadStore = () => Promise<TaskStore>

function postgres(url: string): LoadStore {
  placeOf(url)
  return async () => (await import('./stores/postgres.ts')).openPostgresTasks(url)
}

function openLater(load: LoadStore): TaskStore {
  const store = new Later(load)
  return {
    add: async (task, adding) => (await store.get()).add(task, adding),
    get: async (id) => (await store.get()).get(id),
    list: async (filter, page) => (await store.get()).list(filter, page),
    update: async (request, signal, checkRoom) => (await store.get()).update(request, signal, checkRoom),
    claim: async (request, signal) => (await store.get()).claim(request, signal),
    delete: async (request, signal) => (await store.get()).delete(request, signal),
    restore: async (request, signal, checkRoom) => (await store.get()).restore(request, signal, checkRoom),
    history: async (id) => (await store.get()).history(id),
    close: async () => (await store.used)?.close(),
  }
}
