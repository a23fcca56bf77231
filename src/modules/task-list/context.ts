import type { AuthorCall as Call } from '../../kernel/index.ts'
import type { Room } from './room.ts'
import { type Task, uriOf } from './task.ts'
import type { DeleteRequest, TaskStore } from './task-store.ts'

/** What the parts of the task list share. */
export interface Desk {
  readonly store: TaskStore
  readonly room: Room
  readonly now: () => Date
  /** Where whoever the list is of lives; where the process runs unless said. */
  readonly zone: string | undefined
}

export const OPEN_URI = 'tasks://open'

export function checkFound(task: Task | undefined, id: string): Task {
  if (task === undefined) throw new Error(`error: task not found: ${id}`)
  return task
}

interface KnownTask {
  readonly id: string
  readonly expectedUpdatedAt?: string | undefined
  readonly at: Date
}

/** What a call does to a task, and who calls as far as the client says. */
export function deedOf(call: Call, { id, expectedUpdatedAt, at }: KnownTask): DeleteRequest {
  return { id, at: at.toISOString(), by: call.peer.info?.name, expected: expectedUpdatedAt }
}

/** Whoever watches a task, or what is open, hears of the change; the task is passed on. */
export function tellChanged(task: Task, call: Call): Task {
  call.server.updated(uriOf(task.id))
  call.server.updated(OPEN_URI)
  return task
}
