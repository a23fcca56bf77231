import { endOf } from '../due.ts'
import { fold, wordsOf } from '../search.ts'
import type { Task } from '../task.ts'
import type {
  CheckRoom,
  PageRequest,
  TaskFilter,
  TaskListPage,
  TaskStore,
  UpdateRequest,
} from '../task-store.ts'

interface Kept {
  readonly task: Task
  /** Its place in the order of creation. */
  readonly number: number
  readonly bytes: number
  /** Its description as it is searched: made when it is written, so that no search has to make those of all. */
  readonly folded: string
}

/** Tasks that are gone when the process is. */
export function createMemoryTasks(): TaskStore {
  const kept = new Map<string, Kept>()
  const held = {
    bytes: 0,
    get tasks() {
      return kept.size
    },
  }
  let last = 0

  const keep = (task: Task, number: number, checkRoom?: CheckRoom) => {
    const before = kept.get(task.id)
    const same = before?.task.description === task.description
    const folded = same ? before.folded : fold(task.description)
    const bytes = Buffer.byteLength(JSON.stringify(task)) + sizeBeside(task.description, folded)
    const more = { tasks: before === undefined ? 1 : 0, bytes: bytes - (before?.bytes ?? 0) }
    checkRoom?.(held, more)
    kept.set(task.id, { task, number, bytes, folded })
    held.bytes += more.bytes
  }

  const list = (
    filter: TaskFilter,
    { before = Number.POSITIVE_INFINITY, limit }: PageRequest,
  ): TaskListPage => {
    const words = filter.text === undefined ? [] : wordsOf(filter.text)
    const found = [...kept.values()]
      .toReversed()
      .filter(
        ({ task, number, folded }) =>
          number < before && fits(task, filter) && words.every((word) => folded.includes(word)),
      )
    const page = found.slice(0, limit)
    return {
      tasks: page.map(({ task }) => task),
      next: found.length > limit ? page.at(-1)?.number : undefined,
    }
  }

  return {
    add: async (task, signal, checkRoom) => {
      signal?.throwIfAborted()
      keep(task, ++last, checkRoom)
    },
    get: async (id) => kept.get(id)?.task,
    list: async (filter, page) => list(filter, page),
    update: async (request, signal, checkRoom) => {
      signal?.throwIfAborted()
      const { task, number } = kept.get(request.id) ?? {}
      if (task === undefined || number === undefined) return undefined
      if (request.from?.includes(task.status) === false) return undefined
      const changed = change(task, request)
      keep(changed, number, checkRoom)
      return changed
    },
    delete: async (id, signal) => {
      signal?.throwIfAborted()
      const gone = kept.get(id)
      kept.delete(id)
      held.bytes -= gone?.bytes ?? 0
      return gone?.task
    },
    close: async () => {},
  }
}

/** Most descriptions are searched as they are. */
function sizeBeside(description: string, folded: string): number {
  return folded === description ? 0 : Buffer.byteLength(folded)
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

function change(task: Task, { changes, at }: UpdateRequest): Task {
  const { status = task.status } = changes
  const changed = { ...task, ...changes, completedAt: completion(task, status, at) }
  return JSON.stringify(changed) === JSON.stringify(task) ? task : { ...changed, updatedAt: at }
}

function completion(task: Task, status: Task['status'], at: string): string | null {
  if (status !== 'done') return null
  return task.status === 'done' ? task.completedAt : at
}
