import { type HistoryEntry, noteChange } from './history.ts'
import { isClaimed, OPEN, type Status, type Task } from './task.ts'
import type { ClaimRequest, DeleteRequest, RestoreRequest, UpdateRequest } from './task-store.ts'

/** A task as it becomes, and what is written down about it. */
export interface Changed {
  readonly task: Task
  readonly entry: HistoryEntry
}

/** What was decided about a task: a change, the task itself where there is nothing to change, or that it may not be. */
export type Decided = Changed | Task | undefined

export function isChange(decided: Decided): decided is Changed {
  return decided !== undefined && 'entry' in decided
}

/** What becomes of a task by an update. */
export function update(task: Task, request: UpdateRequest): Decided {
  const { changes, at, by, from } = request
  checkExpected(task, request)
  if (from?.includes(task.status) === false) return undefined
  const { status = task.status, parent, blockedBy, ...rest } = changes
  const changed = omitEmpty({
    ...task,
    ...rest,
    status,
    completedAt: completion(task, status, at),
    ...(parent !== undefined && { parent }),
    ...(blockedBy !== undefined && { blockedBy }),
    ...(isOpen(status) ? {} : UNCLAIMED),
  })
  if (JSON.stringify(changed) === JSON.stringify(task)) return task
  return noted(task, changed, { at, by, what: 'changed' })
}

/** What becomes of a task that somebody begins to work on, or gives up. */
export function claim(task: Task, request: ClaimRequest): Changed | Task {
  const { at, by, until } = request
  checkExpected(task, request)
  if (isClaimed(task, at) && task.claimedBy !== by) throw new Error(takenText(task))
  if (until === null) return release(task, request)
  if (!isOpen(task.status))
    throw new Error(`error: task ${task.id} is ${task.status}: reopen_task opens it again`)
  const changed: Task = { ...task, status: 'in_progress', claimedBy: by, claimedUntil: until }
  return noted(task, changed, { at, by, what: 'claimed' })
}

function release(task: Task, { at, by }: ClaimRequest): Changed | Task {
  if (task.claimedBy === undefined) return task
  return noted(task, unclaimed(task), { at, by, what: 'released' })
}

/** What somebody had begun waits again, for anybody. */
function unclaimed(task: Task): Task {
  if (task.claimedBy === undefined) return task
  const status = task.status === 'in_progress' ? 'pending' : task.status
  return omitEmpty({ ...task, ...UNCLAIMED, status })
}

function takenText({ id, claimedBy, claimedUntil }: Task): string {
  return `error: task ${id} is claimed by ${claimedBy} until ${claimedUntil}: choose another, or wait until then`
}

/** Whether nobody works on it: it is waiting, or whoever worked on it has not been heard of. */
export function isFree(task: Task, at: string): boolean {
  if (isClaimed(task, at)) return false
  return task.status === 'pending' || (task.status === 'in_progress' && task.claimedBy !== undefined)
}

export function openBlockers(blockers: readonly Task[]): readonly Task[] {
  return blockers.filter(({ status }) => isOpen(status))
}

/** Nobody begins what cannot be begun yet. */
export function checkUnblocked({ id }: Task, blockers: readonly Task[]): void {
  const open = openBlockers(blockers).map((blocker) => blocker.id)
  if (open.length > 0) throw new Error(`error: task ${id} is blocked by ${open.join(', ')}: close that first`)
}

/** What becomes of a task that is deleted: whoever worked on it does so no more. */
export function remove(task: Task, request: DeleteRequest): Changed {
  checkExpected(task, request)
  const { at, by } = request
  return noted(task, unclaimed(task), { at, by, what: 'deleted' })
}

export function restore(task: Task, { at, by }: RestoreRequest): Changed {
  return noted(task, { ...task }, { at, by, what: 'restored' })
}

const UNCLAIMED = { claimedBy: undefined, claimedUntil: undefined }

/** `updatedAt` never stands still, so that whoever expects it sees every change, also two of one millisecond. */
function noted(before: Task, changed: Task, what: Parameters<typeof noteChange>[0]): Changed {
  const least = new Date(Date.parse(before.updatedAt) + 1).toISOString()
  const task = { ...changed, updatedAt: what.at > before.updatedAt ? what.at : least }
  return { task, entry: noteChange(what, before, task) }
}

function checkExpected({ id, updatedAt }: Task, { expected }: DeleteRequest): void {
  if (expected === undefined || expected === updatedAt) return
  throw new Error(
    `error: task ${id} has changed: it was last changed at ${updatedAt}, and ${expected} was expected. Look at it again`,
  )
}

export function isOpen(status: Status): boolean {
  return (OPEN as readonly Status[]).includes(status)
}

function completion(task: Task, status: Status, at: string): string | null {
  if (status !== 'done') return null
  return task.status === 'done' ? task.completedAt : at
}

type Wide = { readonly [name in keyof Task]: Task[name] | null | undefined }

/** What says nothing is left out, so that a task looks the same however it came to be so. */
function omitEmpty(task: Wide): Task {
  const { parent, blockedBy, claimedBy, claimedUntil, ...always } = task
  return {
    ...always,
    ...(parent && { parent }),
    ...(blockedBy?.length && { blockedBy }),
    ...(claimedBy && { claimedBy }),
    ...(claimedUntil && { claimedUntil }),
  } as Task // What is always there was there.
}
