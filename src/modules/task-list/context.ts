import type { AuthorCall as Call } from '../../kernel/index.ts'
import type { Room } from './room.ts'
import { type Task, uriOf } from './task.ts'
import type { TaskStore } from './task-store.ts'

/** What the parts of the task list share. */
export interface Desk {
  readonly store: TaskStore
  readonly room: Room
  readonly now: () => Date
}

export const OPEN_URI = 'tasks://open'

export function checkFound(task: Task | undefined, id: string): Task {
  if (task === undefined) throw new Error(`error: task not found: ${id}`)
  return task
}

/** Whoever watches a task, or what is open, hears of the change; the task is passed on. */
export function tellChanged(task: Task, call: Call): Task {
  call.server.updated(uriOf(task.id))
  call.server.updated(OPEN_URI)
  return task
}
