import { LARGE, ownTurn } from '../../../process/own-turn.ts'
import { keptSince } from '../bin.ts'
import * as change from '../change.ts'
import { type HistoryEntry, MAX_ENTRIES, noteChange } from '../history.ts'
import { changedLinks, follow, LINKS, missingText, wrongReach } from '../links.ts'
import { printWords } from '../search.ts'
import type { Task } from '../task.ts'
import type {
  AddRequest,
  CheckRoom,
  ClaimRequest,
  DeleteRequest,
  PageRequest,
  RestoreRequest,
  TaskFilter,
  TaskListPage,
  TaskStore,
  UpdateRequest,
} from '../task-store.ts'
import { TaskLook } from './look.ts'
import { toPage } from './page.ts'

interface HeldTask {
  readonly task: Task
  /** Its place in the order of creation. */
  readonly number: number
  readonly bytes: number
  /** The words of its description: made when it is written, so that no search has to make those of all. */
  readonly words: string
  /** The newest first. */
  readonly history: readonly HistoryEntry[]
}

/** What was deleted is not counted, and so there is little of it: the oldest make way. */
const MAX_DELETED = 100

interface DeletedTask {
  readonly kept: HeldTask
  readonly at: string
}

/** Tasks that are gone when the process is. */
export function createMemoryTasks(): TaskStore {
  return new MemoryTasks()
}

class MemoryTasks implements TaskStore {
  readonly #kept = new Map<string, HeldTask>()
  readonly #deleted = new Map<string, DeletedTask>()
  /** Whoever checks the room goes on looking at it. */
  readonly #held = { tasks: 0, bytes: 0 }
  #last = 0

  async add(task: Task, { by, signal, checkRoom }: AddRequest = {}): Promise<void> {
    signal?.throwIfAborted()
    const entry = noteChange({ at: task.createdAt, what: 'created', by })
    this.#checkLinks(undefined, task)
    this.#keep({ task, entry }, { number: ++this.#last, history: [] }, checkRoom)
  }

  async get(id: string): Promise<Task | undefined> {
    return this.#kept.get(id)?.task
  }

  /** Others have their turns meanwhile, and may write: what is looked through is the list as it was at one moment. */
  async list(filter: TaskFilter, page: PageRequest): Promise<TaskListPage> {
    if ((filter.text ?? filter.readyAt) !== undefined && this.#held.bytes > LARGE) await ownTurn()
    const kept = new Map(this.#kept)
    const look = new TaskLook(filter, kept)
    const found: HeldTask[] = []
    for (const one of newestFirst(kept, page.before)) {
      if (found.length > page.limit) break
      if (look.isLong) await look.rest()
      if (look.finds(one)) found.push(one)
    }
    return toPage(found, page)
  }

  async update(
    request: UpdateRequest,
    signal?: AbortSignal,
    checkRoom?: CheckRoom,
  ): Promise<Task | undefined> {
    return this.#change(request.id, (task) => change.update(task, request), { signal, checkRoom })
  }

  async claim(request: ClaimRequest, signal?: AbortSignal): Promise<Task | undefined> {
    const { id, until } = request
    return this.#change(
      id,
      (task) => {
        const changed = change.claim(task, request)
        if (until !== null) change.checkUnblocked(task, this.#blockersOf(task))
        return changed
      },
      { signal },
    )
  }

  async delete(request: DeleteRequest, signal?: AbortSignal): Promise<Task | undefined> {
    signal?.throwIfAborted()
    const gone = this.#kept.get(request.id)
    if (gone === undefined) return undefined
    const { task, entry } = change.remove(gone.task, request)
    this.#kept.delete(request.id)
    this.#held.tasks--
    this.#held.bytes -= gone.bytes
    this.#deleted.set(task.id, {
      at: request.at,
      kept: { ...gone, task, history: push(gone.history, entry) },
    })
    const [oldest] = this.#deleted.keys()
    if (this.#deleted.size > MAX_DELETED && oldest !== undefined) this.#deleted.delete(oldest)
    return gone.task
  }

  async restore(
    request: RestoreRequest,
    signal?: AbortSignal,
    checkRoom?: CheckRoom,
  ): Promise<Task | undefined> {
    signal?.throwIfAborted()
    const { id, at } = request
    const found = this.#deleted.get(id)
    if (found === undefined || found.at < keptSince(at)) return undefined
    const changed = change.restore(found.kept.task, request)
    this.#keep(changed, found.kept, checkRoom)
    this.#deleted.delete(id)
    return changed.task
  }

  async history(id: string): Promise<readonly HistoryEntry[] | undefined> {
    return (this.#kept.get(id) ?? this.#deleted.get(id)?.kept)?.history
  }

  async close(): Promise<void> {}

  #change(id: string, decide: DecideNow, { signal, checkRoom }: KeepOptions): Task | undefined {
    signal?.throwIfAborted()
    const kept = this.#kept.get(id)
    if (kept === undefined) return undefined
    const changed = decide(kept.task)
    if (!change.isChange(changed)) return changed
    this.#checkLinks(kept.task, changed.task)
    this.#keep(changed, kept, checkRoom)
    return changed.task
  }

  #checkLinks(before: Task | undefined, after: Task): void {
    for (const link of changedLinks(before, after)) {
      const missing = LINKS[link].of(after).find((id) => !this.#kept.has(id))
      if (missing !== undefined) throw new Error(missingText(link, missing))
      // What was deleted can be brought back, and must not close a circle then.
      const find = (id: string) => this.#kept.get(id)?.task ?? this.#deleted.get(id)?.kept.task
      const wrong = wrongReach(link, after, follow(link, after, find))
      if (wrong !== undefined) throw new Error(wrong)
    }
  }

  #blockersOf(task: Task): readonly Task[] {
    return (task.blockedBy ?? []).flatMap((id) => this.#kept.get(id)?.task ?? [])
  }

  #keep({ task, entry }: change.Changed, { number, history }: HeldPlace, checkRoom?: CheckRoom): void {
    const before = this.#kept.get(task.id)
    const same = before?.task.description === task.description
    const words = same ? before.words : printWords(task.description)
    const noted = push(history, entry)
    const bytes = Buffer.byteLength(JSON.stringify([task, noted])) + Buffer.byteLength(words)
    const more = { tasks: before === undefined ? 1 : 0, bytes: bytes - (before?.bytes ?? 0) }
    checkRoom?.(this.#held, more)
    this.#kept.set(task.id, { task, number, bytes, words, history: noted })
    this.#held.tasks += more.tasks
    this.#held.bytes += more.bytes
  }
}

type DecideNow = (task: Task) => change.Decided
type HeldPlace = Pick<HeldTask, 'number' | 'history'>

interface KeepOptions {
  readonly signal?: AbortSignal | undefined
  readonly checkRoom?: CheckRoom | undefined
}

function newestFirst(kept: ReadonlyMap<string, HeldTask>, before = Number.POSITIVE_INFINITY) {
  const older = [...kept.values()].filter(({ number }) => number < before)
  return older.sort((one, other) => other.number - one.number)
}

function push(history: readonly HistoryEntry[], entry: HistoryEntry): readonly HistoryEntry[] {
  return [entry, ...history].slice(0, MAX_ENTRIES)
}
