import type { HistoryEntry } from './history.ts'
import type { Priority, Status, Task } from './task.ts'

/** Every condition that is given must hold. */
export interface TaskFilter {
  readonly statuses?: readonly Status[]
  readonly priority?: Priority
  readonly tag?: string
  /** An instant as `toISOString` prints it; a task without a due date is due before nothing. */
  readonly dueBefore?: string
  /** The same for tasks that are due on a date, which is the same for everybody: the instant as clocks there show it. */
  readonly datesBefore?: string
  /** Words that all occur in the description, whatever their case; the beginning of a word will do. */
  readonly text?: string
  readonly idPrefix?: string
  /** An instant as `toISOString` prints it. */
  readonly completedSince?: string
  /** The task that they are parts of. */
  readonly parent?: string
  /** An instant at which nobody works on them and nothing that is open blocks them. */
  readonly readyAt?: string
}

export interface PageRequest {
  /** The `next` of the page before. */
  readonly before?: number
  readonly limit: number
  /** However many there are, the page ends with the task with which they have so many bytes as JSON. */
  readonly bytes?: number
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
  readonly parent?: string | null
  readonly blockedBy?: readonly string[]
}

/** What somebody does to a task. */
interface Deed {
  readonly id: string
  /** When. */
  readonly at: string
  /** Who, as far as one knows. */
  readonly by?: string | undefined
  /** The `updatedAt` that the task must still have. */
  readonly expected?: string | undefined
}

export interface UpdateRequest extends Deed {
  readonly changes: TaskUpdate
  /** Changes only a task that has one of these statuses. */
  readonly from?: readonly Status[]
}

export interface ClaimRequest extends Deed {
  readonly by: string
  /** When the claim ends by itself; null gives it up. */
  readonly until: string | null
}

export type DeleteRequest = Deed
export type RestoreRequest = Deed

/** How much there is, or how much more there would be. */
export interface Held {
  readonly tasks: number
  readonly bytes: number
}

/** Says whether there is room for more beside what is held; throws an Error when there is none. */
export type CheckRoom = (held: Held, more: Held) => void

/** Who makes a task, as far as one knows, and until when. */
export interface AddRequest {
  readonly by?: string | undefined
  readonly signal?: AbortSignal | undefined
  readonly checkRoom?: CheckRoom | undefined
}

/**
 * All the task list asks of a place to keep tasks. What has resolved is durable, as far as the place is.
 * Several processes may use one place at a time: each operation happens whole or not at all, and none undoes another's.
 * What writes takes a signal: once that is aborted, whatever has not been written yet never is, and the promise rejects.
 * A place that has no more room than the process asks for it before it keeps more.
 * What a deed must not do (see `change.ts` and `links.ts`) is an Error that says why, and nothing is written.
 */
export interface TaskStore {
  add(task: Task, adding?: AddRequest): Promise<void>
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
  /** Gives a task to somebody, or takes it from them again. */
  claim(request: ClaimRequest, signal?: AbortSignal): Promise<Task | undefined>
  /** Gives the task as it was, or undefined when there is none. */
  delete(request: DeleteRequest, signal?: AbortSignal): Promise<Task | undefined>
  /** Brings a task back that was deleted less than `KEPT_DAYS` ago; undefined when there is none. */
  restore(request: RestoreRequest, signal?: AbortSignal, checkRoom?: CheckRoom): Promise<Task | undefined>
  /** What has become of a task, the newest first, also of one that was deleted; undefined when there is none. */
  history(id: string): Promise<readonly HistoryEntry[] | undefined>
  close(): Promise<void>
}
