import { endOf } from '../due.ts'
import type { Task } from '../task.ts'
import type { Page, PageRequest, TaskFilter, TaskStore, UpdateRequest } from '../task-store.ts'
import { fold, wordsOf } from '../words.ts'

/** Tasks that are gone when the process is. */
export function createMemoryTasks(): TaskStore {
  const numbers = new Map<string, number>()
  const tasks = new Map<string, Task>()
  let last = 0

  const list = (filter: TaskFilter, { before = Number.POSITIVE_INFINITY, limit }: PageRequest): Page => {
    const words = filter.text === undefined ? [] : wordsOf(filter.text)
    const found = [...tasks.values()]
      .toReversed()
      .filter((task) => numberOf(task) < before && fits(task, filter) && says(task, words))
    const page = found.slice(0, limit)
    const end = page.at(-1)
    return { tasks: page, next: found.length > limit && end !== undefined ? numberOf(end) : undefined }
  }
  const numberOf = ({ id }: Task) => numbers.get(id) ?? 0

  return {
    add: async (task, signal) => {
      signal?.throwIfAborted()
      numbers.set(task.id, ++last)
      tasks.set(task.id, task)
    },
    get: async (id) => tasks.get(id),
    list: async (filter, page) => list(filter, page),
    update: async (request, signal) => {
      signal?.throwIfAborted()
      const task = tasks.get(request.id)
      if (task === undefined || request.from?.includes(task.status) === false) return undefined
      const changed = change(task, request)
      tasks.set(task.id, changed)
      return changed
    },
    delete: async (id, signal) => {
      signal?.throwIfAborted()
      const task = tasks.get(id)
      tasks.delete(id)
      numbers.delete(id)
      return task
    },
    close: async () => {},
  }
}

function fits(task: Task, filter: TaskFilter): boolean {
  const { statuses, priority, tag, dueBefore, idPrefix, completedSince } = filter
  return (
    (statuses === undefined || statuses.includes(task.status)) &&
    (priority === undefined || task.priority === priority) &&
    (tag === undefined || task.tags.includes(tag)) &&
    (dueBefore === undefined || (task.due !== null && endOf(task.due) < dueBefore)) &&
    (idPrefix === undefined || task.id.startsWith(idPrefix)) &&
    (completedSince === undefined || (task.completedAt !== null && task.completedAt >= completedSince))
  )
}

/** A task never changes: one that is changed is another, so what was folded once stays good. */
const FOLDED = new WeakMap<Task, string>()

function says(task: Task, words: readonly string[]): boolean {
  if (words.length === 0) return true
  const folded = FOLDED.get(task) ?? fold(task.description)
  FOLDED.set(task, folded)
  return words.every((word) => folded.includes(word))
}

function change(task: Task, { changes, at }: UpdateRequest): Task {
  const { status = task.status } = changes
  const changed = { ...task, ...changes, completedAt: completion(task, status, at) }
  return JSON.stringify(changed) === JSON.stringify(task) ? task : { ...changed, updatedAt: at }
}

function completion(task: Task, status: Task['status'], at: string): string | null {
  if (status !== 'done') return null
  return task.status === 'done' ? task.completedAt : at
}
