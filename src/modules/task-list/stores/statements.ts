import type { Changed } from '../change.ts'
import type { TaskLink } from '../links.ts'
import type { Task } from '../task.ts'
import { reachCondition } from './reach.ts'
import { toColumns } from './row.ts'
import type { ListPlace, SqlDialect } from './select.ts'
import { type Bind, binding, type Statement } from './statement.ts'

export function insert({ task, entry }: Changed, { dialect, list }: ListPlace): Statement {
  const { values, bind } = binding()
  const columns = {
    id: task.id,
    ...(list !== undefined && { list }),
    ...toColumns(task),
    entry: JSON.stringify(entry),
  }
  const parameters = Object.entries(columns).map(([name, value]) => parameterOf(name, bind(value), dialect))
  return {
    sql: `INSERT INTO task_list (${Object.keys(columns).join(', ')}) VALUES (${parameters.join(', ')})`,
    values,
  }
}

/** What is done to a row beside the change of its task. */
export interface Replacing extends ListPlace {
  /** The links that must not lead back. */
  readonly links?: readonly TaskLink[]
  /** Puts it into the bin, or takes it out. */
  readonly deletedAt?: string | null
}

/** Makes a task of another, unless that has changed meanwhile; `updatedAt` is never the same twice. */
export function replace(before: Task, { task, entry }: Changed, replacing: Replacing): Statement {
  const { dialect, list, links = [], deletedAt } = replacing
  const { values, bind } = binding()
  const old = toColumns(before)
  const assignments = [
    ...Object.entries(toColumns(task))
      .filter(([name, value]) => old[name] !== value)
      .map(([name, value]) => `${name} = ${parameterOf(name, bind(value), dialect)}`),
    `entry = ${bind(JSON.stringify(entry))}`,
    ...(deletedAt === undefined ? [] : [`deleted_at = ${bind(deletedAt)}`]),
  ]
  const conditions = [
    `id = ${bind(task.id)}`,
    `updated_at = ${bind(before.updatedAt)}`,
    `deleted_at IS ${deletedAt === null ? 'NOT NULL' : 'NULL'}`,
    ...inList(list, bind),
    ...links.map((link) => reachCondition(link, task, { dialect, bind })),
  ]
  return {
    sql: `UPDATE task_list SET ${assignments.join(', ')} WHERE ${conditions.join(' AND ')} RETURNING id`,
    values,
  }
}

function parameterOf(column: string, parameter: string, { words }: SqlDialect): string {
  return column === 'words' ? words(parameter) : parameter
}

/** One task, or several, that are there. */
export function selectByIds(ids: readonly string[], list: string | undefined): Statement {
  const { values, bind } = binding()
  const conditions = [`id IN (${ids.map(bind).join(', ')})`, 'deleted_at IS NULL', ...inList(list, bind)]
  return { sql: `SELECT * FROM task_list WHERE ${conditions.join(' AND ')}`, values }
}

export function selectDeleted(id: string, since: string, list: string | undefined): Statement {
  const { values, bind } = binding()
  const conditions = [`id = ${bind(id)}`, `deleted_at >= ${bind(since)}`, ...inList(list, bind)]
  return { sql: `SELECT * FROM task_list WHERE ${conditions.join(' AND ')}`, values }
}

/** A row for each entry, and one without where there is none: a task that is not there has no row. */
export function selectHistory(id: string, list: string | undefined): Statement {
  const { values, bind } = binding()
  const conditions = [`t.id = ${bind(id)}`, ...inList(list, bind)]
  return {
    sql: `SELECT h.entry FROM task_list t LEFT JOIN task_history h ON h.task = t.id
      WHERE ${conditions.join(' AND ')} ORDER BY h.number DESC`,
    values,
  }
}

/** A few at a time, so that nobody waits long for it. */
export function purge(before: string, list: string | undefined): Statement {
  const { values, bind } = binding()
  const conditions = [`deleted_at < ${bind(before)}`, ...inList(list, bind)]
  return {
    sql: `DELETE FROM task_list WHERE number IN (
      SELECT number FROM task_list WHERE ${conditions.join(' AND ')} LIMIT 100)`,
    values,
  }
}

function inList(list: string | undefined, bind: Bind): readonly string[] {
  return list === undefined ? [] : [`list = ${bind(list)}`]
}
