import type { Priority, Status, Task } from './task.ts'

/** Every condition that is given must hold. */
export interface TaskFilter {
  readonly statuses?: readonly Status[]
  readonly priority?: Priority
  readonly tag?: string
  /** An instant as `toISOString` prints it; a task without a due date is due before nothing. */
  readonly dueBefore?: string
  /** Words that all occur in the description, whatever their case. */
  readonly text?: string
  readonly idPrefix?: string
  /** An instant as `toISOString` prints it. */
  readonly completedSince?: string
}

export interface PageRequest {
  /** The `next` of the page before. */
  readonly before?: number
  readonly limit: number
}

export interface TaskListPage {
  readonly tasks: readonly Task[]
  /** Where the next page begins; undefined when there is none. */
  readonly next: number | undefined
}

export interface TaskUpdate {
  readonly description?: string
  readonly status?: Status
  readonly priority?: Priority
  readonly due?: string | null
  readonly tags?: readonly string[]
}

export interface UpdateRequest {
  readonly id: string
  readonly changes: TaskUpdate
  /** The instant that becomes `updatedAt` if anything changes. */
  readonly at: string
  /** Changes only a task that has one of these statuses. */
  readonly from?: readonly Status[]
}

/** How much there is, or how much more there would be. */
export interface Held {
  readonly tasks: number
  readonly bytes: number
}

/** Says whether there is room for more beside what is held; throws an Error when there is none. */
export type CheckRoom = (held: Held, more: Held) => void

/**
 * All the task list asks of a place to keep tasks. What has resolved is durable, as far as the place is.
 * Several processes may use one place at a time: each operation happens whole or not at all, and none undoes another's.
 * What writes takes a signal: once that is aborted, whatever has not been written yet never is, and the promise rejects.
 * A place that has no more room than the process asks for it before it keeps more.
 */
export interface TaskStore {
  add(task: Task, signal?: AbortSignal, checkRoom?: CheckRoom): Promise<void>
  get(id: string): Promise<Task | undefined>
  /**
   * Tasks by creation, newest first. Pages are stable: a task that was there when the first page was read and is not
   * changed or deleted meanwhile comes exactly once, whatever else is added, changed or deleted.
   */
  list(filter: TaskFilter, page: PageRequest): Promise<TaskListPage>
  /**
   * Gives the task as it is afterwards, or undefined when there is none that may be changed. A task that becomes done
   * is completed at `at`, one that is done stays as it is, and any other status takes `completedAt` away.
   */
  update(request: UpdateRequest, signal?: AbortSignal, checkRoom?: CheckRoom): Promise<Task | undefined>
  /** Gives the task as it was, or undefined when there is none. */
  delete(id: string, signal?: AbortSignal): Promise<Task | undefined>
  close(): Promise<void>
}
