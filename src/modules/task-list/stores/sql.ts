import type { Database, Row, Value } from '../../../databases/database.ts'
import { endOf } from '../due.ts'
import { fold, wordsOf } from '../search.ts'
import type { Task } from '../task.ts'
import type {
  PageRequest,
  TaskFilter,
  TaskListPage,
  TaskStore,
  TaskUpdate,
  UpdateRequest,
} from '../task-store.ts'

/** Where engines have different words for the same thing. */
export interface SqlDialect {
  /** A column that counts by itself, in the order of creation. */
  readonly number: string
  /** Text that is compared letter by letter. */
  readonly instant: string
  /** Whether the column `tags` holds the tag that a parameter names. */
  readonly hasTag: (parameter: string) => string
  /** Whether the column `folded` contains the text that a parameter names. */
  readonly hasText: (parameter: string) => string
}

/** Beside a task's own columns: its number, its folded description, and the end of the time it is due. */
export function migrations({ number, instant }: SqlDialect): readonly string[] {
  return [
    `CREATE TABLE task_list (
      number ${number},
      id TEXT NOT NULL UNIQUE,
      description TEXT NOT NULL,
      folded TEXT NOT NULL,
      status TEXT NOT NULL,
      priority TEXT NOT NULL,
      due TEXT,
      due_end ${instant},
      tags TEXT NOT NULL,
      created_at ${instant} NOT NULL,
      updated_at ${instant} NOT NULL,
      completed_at ${instant}
    );
    CREATE INDEX task_list_by_status ON task_list (status, number);`,
  ]
}

/**
 * The list of a database, or one of several by its name. Each operation is one statement, so it happens whole or not
 * at all, whoever else is writing.
 */
export function createSqlTasks(database: Database, dialect: SqlDialect, list?: string): TaskStore {
  const one = async ({ sql, values }: Statement, signal?: AbortSignal) => {
    const [row] = await database.query(sql, values, signal)
    return row && toTask(row)
  }
  return {
    add: async (task, signal) => {
      await one(insert(task, list), signal)
    },
    get: (id) => one(byId('SELECT * FROM task_list', id, list)),
    list: async (filter, page) => {
      const { sql, values } = select(filter, page, { dialect, list })
      return toPage(await database.query(sql, values), page.limit)
    },
    update: (request, signal) => one(update(request, list), signal),
    delete: (id, signal) => one(byId('DELETE FROM task_list', id, list), signal),
    close: () => database.close(),
  }
}

interface Statement {
  readonly sql: string
  readonly values: readonly Value[]
}

/** Gives the task it was, too, where it is deleted. */
function byId(
  verb: 'SELECT * FROM task_list' | 'DELETE FROM task_list',
  id: string,
  list?: string,
): Statement {
  const { values, bind } = binding()
  const where = `WHERE id = ${bind(id)} ${inList(list, bind)}`
  return { sql: `${verb} ${where} ${verb.startsWith('DELETE') ? 'RETURNING *' : ''}`, values }
}

function inList(list: string | undefined, bind: Bind): string {
  return list === undefined ? '' : `AND list = ${bind(list)}`
}

function insert(task: Task, list: string | undefined): Statement {
  const { id, createdAt, updatedAt, completedAt } = task
  const row = {
    id,
    ...(list !== undefined && { list }),
    ...columnsOf(task),
    created_at: createdAt,
    updated_at: updatedAt,
    completed_at: completedAt,
  }
  const names = Object.keys(row)
  const parameters = names.map((_, index) => `$${index + 1}`)
  return {
    sql: `INSERT INTO task_list (${names.join(', ')}) VALUES (${parameters.join(', ')})`,
    values: Object.values(row),
  }
}

/** What a caller can change, as columns. */
function columnsOf({ description, status, priority, due, tags }: TaskUpdate): {
  readonly [column: string]: Value
} {
  return {
    ...(description !== undefined && { description, folded: fold(description) }),
    ...(status !== undefined && { status }),
    ...(priority !== undefined && { priority }),
    ...(due !== undefined && { due, due_end: due === null ? null : endOf(due) }),
    ...(tags !== undefined && { tags: JSON.stringify(tags) }),
  }
}

function select(
  filter: TaskFilter,
  { before, limit }: PageRequest,
  { dialect, list }: { readonly dialect: SqlDialect; readonly list: string | undefined },
): Statement {
  const { statuses, priority, tag, dueBefore, text, idPrefix, completedSince } = filter
  const { values, bind } = binding()
  const conditions = [
    statuses && `status IN (${statuses.map(bind).join(', ')})`,
    priority && `priority = ${bind(priority)}`,
    tag && dialect.hasTag(bind(tag)),
    dueBefore && `due_end < ${bind(dueBefore)}`,
    ...(text === undefined ? [] : wordsOf(text).map((word) => dialect.hasText(bind(word)))),
    idPrefix && `substr(id, 1, ${idPrefix.length}) = ${bind(idPrefix)}`,
    completedSince && `completed_at >= ${bind(completedSince)}`,
    before !== undefined && `number < ${bind(before)}`,
  ].filter(Boolean)
  const where = `WHERE ${['TRUE', ...conditions].join(' AND ')} ${inList(list, bind)}`
  // One more than asked for tells whether there is another page.
  return { sql: `SELECT * FROM task_list ${where} ORDER BY number DESC LIMIT ${bind(limit + 1)}`, values }
}

function update({ id, changes, at, from }: UpdateRequest, list: string | undefined): Statement {
  const { values, bind } = binding()
  const now = bind(at)
  const columns = Object.entries(columnsOf(changes)).map(([name, value]) => ({
    name,
    parameter: bind(value),
  }))
  const same = columns.map(({ name, parameter }) => `${name} IS NOT DISTINCT FROM ${parameter}`)
  const assignments = [
    ...columns.map(({ name, parameter }) => `${name} = ${parameter}`),
    `updated_at = CASE WHEN ${same.join(' AND ')} THEN updated_at ELSE ${now} END`,
    ...completion(changes.status, now),
  ]
  const may = from === undefined ? '' : `AND status IN (${from.map(bind).join(', ')})`
  return {
    sql: `UPDATE task_list SET ${assignments.join(', ')} WHERE id = ${bind(id)} ${may} ${inList(list, bind)} RETURNING *`,
    values,
  }
}

/** In an assignment, `status` is still the old one. */
function completion(status: Task['status'] | undefined, now: string): readonly string[] {
  if (status === undefined) return []
  if (status !== 'done') return ['completed_at = NULL']
  return [`completed_at = CASE WHEN status = 'done' THEN completed_at ELSE ${now} END`]
}

type Bind = (value: Value) => string

/** Collects values and gives each its parameter. */
function binding(): { readonly values: readonly Value[]; readonly bind: Bind } {
  const values: Value[] = []
  return { values, bind: (value) => `$${values.push(value)}` }
}

function toPage(rows: readonly Row[], limit: number): TaskListPage {
  const shown = rows.slice(0, limit)
  return {
    tasks: shown.map(toTask),
    next: rows.length > limit ? Number(shown.at(-1)?.['number']) : undefined,
  }
}

function toTask(row: Row): Task {
  return {
    id: row['id'],
    description: row['description'],
    status: row['status'],
    priority: row['priority'],
    due: row['due'],
    tags: JSON.parse(String(row['tags'])),
    createdAt: row['created_at'],
    updatedAt: row['updated_at'],
    completedAt: row['completed_at'],
  } as Task // Nobody but this file writes the table.
}
