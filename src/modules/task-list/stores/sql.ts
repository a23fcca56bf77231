import type { Database, Row } from '../../../databases/database.ts'
import { ownTurn } from '../../../process/own-turn.ts'
import { keptSince } from '../bin.ts'
import * as change from '../change.ts'
import { type HistoryEntry, noteChange } from '../history.ts'
import { changedLinks, LINKS, missingText, type TaskLink, wrongReach } from '../links.ts'
import type { Task } from '../task.ts'
import type {
  AddRequest,
  ClaimRequest,
  DeleteRequest,
  PageRequest,
  RestoreRequest,
  TaskFilter,
  TaskListPage,
  TaskStore,
  UpdateRequest,
} from '../task-store.ts'
import { toPage } from './page.ts'
import { selectReach } from './reach.ts'
import { toTask } from './row.ts'
import { type ListPlace, type SqlDialect, select, selectEdge, type TaskStretch } from './select.ts'
import { binding, type Statement } from './statement.ts'
import * as statements from './statements.ts'

/** How often somebody else may be faster; each time one of them has got what they wanted. */
const MAX_ATTEMPTS = 1000

/** Each of them may be blocked by fifty: it takes some milliseconds to look at all of those. */
const STRETCH = 100

/** The list of a database, or one of several by its name. */
export function createSqlTasks(database: Database, dialect: SqlDialect, list?: string): TaskStore {
  return new SqlTasks(database, { dialect, list })
}

/**
 * What becomes of a task is decided here, from the task as it is read; one statement writes it with its history, unless
 * the task has changed meanwhile, and then it is decided anew.
 */
class SqlTasks implements TaskStore {
  readonly #database: Database
  readonly #place: ListPlace

  constructor(database: Database, place: ListPlace) {
    this.#database = database
    this.#place = place
  }

  async add(task: Task, { by, signal }: AddRequest = {}): Promise<void> {
    await this.#checkLinks(undefined, task)
    const entry = noteChange({ at: task.createdAt, what: 'created', by })
    await this.#run(statements.insert({ task, entry }, this.#place), signal)
  }

  async get(id: string): Promise<Task | undefined> {
    return (await this.#find([id]))[0]
  }

  async list(filter: TaskFilter, page: PageRequest): Promise<TaskListPage> {
    const rows: Row[] = []
    for await (const stretch of this.#stretches(filter, page)) {
      const rest = { ...stretch, limit: page.limit - rows.length }
      rows.push(...(await this.#run(select(filter, rest, this.#place))))
      if (rows.length > page.limit) break
    }
    return toPage(
      rows.map((row) => ({ task: toTask(row), number: Number(row['number']) })),
      page,
    )
  }

  update(request: UpdateRequest, signal?: AbortSignal): Promise<Task | undefined> {
    return this.#change(request.id, (task) => change.update(task, request), signal)
  }

  claim(request: ClaimRequest, signal?: AbortSignal): Promise<Task | undefined> {
    const decide = async (task: Task) => {
      const changed = change.claim(task, request)
      if (request.until !== null) change.checkUnblocked(task, await this.#find(task.blockedBy ?? []))
      return changed
    }
    return this.#change(request.id, decide, signal)
  }

  async delete(request: DeleteRequest, signal?: AbortSignal): Promise<Task | undefined> {
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
      signal?.throwIfAborted()
      const task = await this.get(request.id)
      if (task === undefined) return undefined
      const removed = change.remove(task, request)
      const replacing = { ...this.#place, deletedAt: request.at }
      if (!(await this.#write(statements.replace(task, removed, replacing), { signal }))) continue
      // What nobody can bring back any more is no reason to say that this failed; the next deletion tries again.
      await this.#run(statements.purge(keptSince(request.at), this.#place.list)).catch(() => {})
      return task
    }
    throw tooBusy(request.id)
  }

  async restore(request: RestoreRequest, signal?: AbortSignal): Promise<Task | undefined> {
    const { id, at } = request
    signal?.throwIfAborted()
    const [row] = await this.#run(statements.selectDeleted(id, keptSince(at), this.#place.list))
    if (row === undefined) return undefined
    const task = toTask(row)
    const restored = change.restore(task, request)
    const replacing = { ...this.#place, deletedAt: null }
    const isWritten = await this.#write(statements.replace(task, restored, replacing), { signal })
    return isWritten ? restored.task : this.get(id)
  }

  async history(id: string): Promise<readonly HistoryEntry[] | undefined> {
    const rows = await this.#run(statements.selectHistory(id, this.#place.list))
    if (rows.length === 0) return undefined
    return rows.flatMap(({ entry }) => (entry === null ? [] : [JSON.parse(String(entry))]))
  }

  close(): Promise<void> {
    return this.#database.close()
  }

  async #change(id: string, decide: DecideSoon, signal?: AbortSignal): Promise<Task | undefined> {
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
      signal?.throwIfAborted()
      const task = await this.get(id)
      if (task === undefined) return undefined
      const changed = await decide(task)
      if (!change.isChange(changed)) return changed
      const links = await this.#checkLinks(task, changed.task)
      const statement = statements.replace(task, changed, { ...this.#place, links })
      if (await this.#write(statement, { signal, alone: links.length > 0 })) return changed.task
    }
    throw tooBusy(id)
  }

  async #checkLinks(before: Task | undefined, after: Task): Promise<readonly TaskLink[]> {
    const links = changedLinks(before, after)
    for (const link of links) {
      const wanted = LINKS[link].of(after)
      const found = new Set((await this.#find(wanted)).map(({ id }) => id))
      const missing = wanted.find((id) => !found.has(id))
      if (missing !== undefined) throw new Error(missingText(link, missing))
      const wrong = wrongReach(link, after, await this.#reach(link, after))
      if (wrong !== undefined) throw new Error(wrong)
    }
    return links
  }

  async #reach(link: TaskLink, task: Task) {
    const { values, bind } = binding()
    const [row] = await this.#run({ sql: selectReach(link, task, { ...this.#place, bind }), values })
    return { count: Number(row?.['count']), circle: Number(row?.['circle']) === 1 }
  }

  async #find(ids: readonly string[]): Promise<readonly Task[]> {
    if (ids.length === 0) return []
    return (await this.#run(statements.selectByIds(ids, this.#place.list))).map(toTask)
  }

  /** Whether it has written anything. */
  async #write(statement: Statement, { signal, alone = false }: WriteOptions): Promise<boolean> {
    const database = alone ? this.#database.alone(`task-list ${this.#place.list}`) : this.#database
    return (await database.query(statement.sql, statement.values, signal)).length > 0
  }

  /** What blocks a task is looked up for each: after a few of them others have their turns. */
  async *#stretches(filter: TaskFilter, page: PageRequest): AsyncGenerator<TaskStretch> {
    const { readyAt, ...others } = filter
    if (readyAt === undefined || !this.#place.dialect.isHere) return yield page
    for (let next = { ...page, limit: STRETCH }; ; ) {
      await ownTurn()
      const [row] = await this.#run(selectEdge(others, next, this.#place))
      if (row === undefined || row['edge'] === null) return
      const from = Number(row['edge'])
      yield { ...next, from }
      next = { ...next, before: from }
    }
  }

  #run({ sql, values }: Statement, signal?: AbortSignal): Promise<readonly Row[]> {
    return this.#database.query(sql, values, signal)
  }
}

type DecideSoon = (task: Task) => change.Decided | Promise<change.Decided>

interface WriteOptions {
  readonly signal?: AbortSignal | undefined
  readonly alone?: boolean
}

function tooBusy(id: string): Error {
  return new Error(`error: task ${id} is being changed by many others: try again`)
}
