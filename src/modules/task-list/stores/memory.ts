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

interface HeldTask {
  readonly task: Task
  /** Its place in the order of creation. */
  readonly number: number
  readonly bytes: number
  /** Its description as it is searched: made when it is written, so that no search has to make those of all. */
  readonly folded: string
}

/** Tasks that are gone when the process is. */
export function createMemoryTasks(): TaskStore {
  return new MemoryTasks()
}

class MemoryTasks implements TaskStore {
  readonly #kept = new Map<string, HeldTask>()
  /** Whoever checks the room goes on looking at it. */
  readonly #held = { tasks: 0, bytes: 0 }
  #last = 0

  async add(task: Task, signal?: AbortSignal, checkRoom?: CheckRoom): Promise<void> {
    signal?.throwIfAborted()
    this.#keep(task, ++this.#last, checkRoom)
  }

  async get(id: string): Promise<Task | undefined> {
    return this.#kept.get(id)?.task
  }

  async list(
    filter: TaskFilter,
    { before = Number.POSITIVE_INFINITY, limit }: PageRequest,
  ): Promise<TaskListPage> {
    const words = filter.text === undefined ? [] : wordsOf(filter.text)
    const found = [...this.#kept.values()]
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

  async update(
    request: UpdateRequest,
    signal?: AbortSignal,
    checkRoom?: CheckRoom,
  ): Promise<Task | undefined> {
    signal?.throwIfAborted()
    const { task, number } = this.#kept.get(request.id) ?? {}
    if (task === undefined || number === undefined) return undefined
    if (request.from?.includes(task.status) === false) return undefined
    const changed = change(task, request)
    this.#keep(changed, number, checkRoom)
    return changed
  }

  async delete(id: string, signal?: AbortSignal): Promise<Task | undefined> {
    signal?.throwIfAborted()
    const gone = this.#kept.get(id)
    if (this.#kept.delete(id)) this.#held.tasks--
    this.#held.bytes -= gone?.bytes ?? 0
    return gone?.task
  }

  async close(): Promise<void> {}

  #keep(task: Task, number: number, checkRoom?: CheckRoom): void {
    const before = this.#kept.get(task.id)
    const same = before?.task.description === task.description
    const folded = same ? before.folded : fold(task.description)
    const bytes = Buffer.byteLength(JSON.stringify(task)) + sizeBeside(task.description, folded)
    const more = { tasks: before === undefined ? 1 : 0, bytes: bytes - (before?.bytes ?? 0) }
    checkRoom?.(this.#held, more)
    this.#kept.set(task.id, { task, number, bytes, folded })
    this.#held.tasks += more.tasks
    this.#held.bytes += more.bytes
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
