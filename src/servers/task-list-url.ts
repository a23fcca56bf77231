import { extname } from 'node:path'
import type { ServerContext } from './ready-server.ts'

interface TaskListUrl {
  readonly url: string
  /** What the operator may not expect, if anything. */
  readonly note?: string
}

interface ListPlaces {
  /** Where it is when nobody says anything. */
  readonly otherwise: string
  /** Whether a file that `--store` names is the list's own, or has one beside it. */
  readonly file: 'own' | 'beside'
}

/** Where a task list is kept: where `--tasks` says, or else in what `--store` names, if that can hold one. */
export function taskListUrl(
  { settings, sources }: ServerContext,
  { otherwise, file }: ListPlaces,
): TaskListUrl {
  const { tasks, store } = settings
  // A variable may be there for long; what was typed is meant now.
  const typed = sources['store'] === '--store' && sources['tasks'] !== '--tasks'
  if (tasks !== undefined && !(typed && file === 'own')) return { url: tasks }
  if (store === undefined) return { url: tasks ?? otherwise }
  if (!/^rediss?:/.test(store)) return { url: file === 'beside' ? besideFile(store) : store }
  const url = tasks ?? otherwise
  const where = url === 'memory:' ? 'in the memory of this process' : `in ${url.replace(/^sqlite:/, '')}`
  return tasks === undefined
    ? { url, note: `the task list is not in Redis, but ${where}: --tasks names another place` }
    : { url }
}

/** A file holds one kind of thing, so the list has one beside it. */
function besideFile(url: string): string {
  if (!url.startsWith('sqlite:')) return url
  const end = extname(url)
  return `${url.slice(0, url.length - end.length)}-tasks${end}`
}
