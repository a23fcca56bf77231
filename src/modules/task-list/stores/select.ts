import { type Clauses, dueTerms, TERMS, textClauses } from '../search.ts'
import { STATUSES, type Status } from '../task.ts'
import type { PageRequest, TaskFilter } from '../task-store.ts'
import { type Bind, binding, type Statement } from './statement.ts'

/** Where engines have different words for the same thing. */
export interface SqlDialect {
  /** What the index of words is made of, from the text that a parameter names. */
  readonly words: (parameter: string) => string
  /** The entries of a list that is kept as JSON, as rows `b` with a `value`. */
  readonly each: (list: string) => string
  /** Has texts compared letter by letter. */
  readonly exact: string
  /** Whether each status is listed for itself, and the lists are put together then. */
  readonly perStatus: boolean
  /** Whether a statement holds up this process while it runs. */
  readonly isHere: boolean
  /** Whether the index of words is asked for what fits a filter. */
  readonly isIndexed: (filter: TaskFilter) => boolean
  /** One page of what that index finds. */
  readonly search: (clauses: Clauses, page: IndexPage) => string
}

/** What is asked beside words: conditions of the rows `t`, the newest of which are wanted first. */
export interface IndexPage {
  readonly before: number | undefined
  /** The oldest that is wanted, where a statement is here. */
  readonly from?: number | undefined
  readonly conditions: string
  readonly list: string | undefined
  /** The parameter that says how many rows a page has. */
  readonly limit: string
  readonly bind: Bind
}

export interface ListPlace {
  readonly dialect: SqlDialect
  /** Which list of several. */
  readonly list: string | undefined
}

/** A part of a list. */
export interface TaskStretch extends PageRequest {
  /** The number of the oldest task that may be in it. */
  readonly from?: number
}

/** One page of a list, and one task more if there is another page. */
export function select(filter: TaskFilter, page: TaskStretch, place: ListPlace): Statement {
  const { values, bind } = binding()
  const { dialect } = place
  const limit = bind(page.limit + 1)
  const one = (wanted: TaskFilter) => selectOne(wanted, page, { ...place, bind, limit })
  const { statuses = [] } = filter
  if (!dialect.perStatus || statuses.length < 2 || dialect.isIndexed(filter))
    return { sql: one(filter), values }
  const each = statuses.map((status) => `(${one({ ...filter, statuses: [status] })})`)
  return { sql: `SELECT * FROM (${each.join(' UNION ALL ')}) t ORDER BY number DESC LIMIT ${limit}`, values }
}

/** The number of the oldest task on a page. */
export function selectEdge(filter: TaskFilter, page: PageRequest, place: ListPlace): Statement {
  const { sql, values } = select(filter, page, place)
  return { sql: `SELECT min(number) AS edge FROM (${sql}) t`, values }
}

interface SelectParts extends ListPlace {
  readonly bind: Bind
  readonly limit: string
}

function selectOne(filter: TaskFilter, { before, from }: TaskStretch, parts: SelectParts): string {
  const { dialect, list, bind, limit } = parts
  const indexed = dialect.isIndexed(filter)
  const conditions = [
    't.deleted_at IS NULL',
    ...(indexed ? [] : columnConditions(filter, bind)),
    ...dueConditions(filter, bind),
    ...otherConditions(filter, parts),
    list !== undefined && `t.list = ${bind(list)}`,
    !indexed && before !== undefined && `t.number < ${bind(before)}`,
    !indexed && from !== undefined && `t.number >= ${bind(from)}`,
  ]
    .filter(Boolean)
    .join(' AND ')
  if (indexed) return dialect.search(clausesOf(filter), { conditions, list, limit, bind, before, from })
  return `SELECT t.* FROM task_list t WHERE ${conditions} ORDER BY t.number DESC LIMIT ${limit}`
}

function clausesOf({
  statuses,
  priority,
  tag,
  dueBefore,
  datesBefore = dueBefore,
  text,
}: TaskFilter): Clauses {
  const clauses = [
    ...(text === undefined ? [] : textClauses(text)),
    ...(tag === undefined ? [] : [[TERMS.tag(tag)]]),
    ...(statuses === undefined ? [] : [statuses.map(TERMS.status)]),
    ...(priority === undefined ? [] : [[TERMS.priority(priority)]]),
    ...(dueBefore === undefined ? [] : [dueTerms(latest(dueBefore, datesBefore))]),
  ]
  return clauses.length === 0 ? ANY : clauses
}

/** What every task has. */
const ANY: Clauses = [STATUSES.map(TERMS.status)]

function columnConditions({ statuses, priority }: TaskFilter, bind: Bind) {
  return [
    statuses && `t.status IN (${statuses.map(bind).join(', ')})`,
    priority && `t.priority = ${bind(priority)}`,
  ]
}

/** The first of two is what an index can be used for. */
function dueConditions({ dueBefore, datesBefore = dueBefore }: TaskFilter, bind: Bind): readonly string[] {
  if (dueBefore === undefined) return []
  const soon = `t.due_end < ${bind(latest(dueBefore, datesBefore))}`
  if (datesBefore === undefined || datesBefore === dueBefore) return [soon]
  return [
    soon,
    `t.due_end < CASE WHEN t.due LIKE '%T%' THEN ${bind(dueBefore)} ELSE ${bind(datesBefore)} END`,
  ]
}

function latest(one: string, other = one): string {
  return one > other ? one : other
}

function otherConditions(filter: TaskFilter, { dialect, bind }: Pick<SelectParts, 'dialect' | 'bind'>) {
  const { idPrefix, completedSince, parent, readyAt, statuses } = filter
  return [
    idPrefix && idCondition(idPrefix, bind, dialect.exact),
    completedSince && `t.completed_at >= ${bind(completedSince)}`,
    parent && `t.parent = ${bind(parent)}`,
    readyAt && freeCondition(bind(readyAt), statuses?.length === 1 ? statuses[0] : undefined),
    readyAt && unblockedCondition(dialect),
  ]
}

/** Where most ids begin so, an index of them would only give what is then to be sorted. */
function idCondition(prefix: string, bind: Bind, exact: string): string {
  if (/^t?a?s?k?_?.?$/su.test(prefix)) return `substr(t.id, 1, ${prefix.length}) = ${bind(prefix)}`
  return `t.id ${exact} >= ${bind(prefix)} AND t.id ${exact} < ${bind(`${prefix}\u{10ffff}`)}`
}

/** Nobody works on it; where its status is known, the condition is one that an index can be used for. */
function freeCondition(at: string, status: Status | undefined): string {
  const expired = `t.claimed_until <= ${at}`
  if (status === 'in_progress') return expired
  const waiting = `(t.claimed_by IS NULL OR ${expired})`
  if (status === 'pending') return waiting
  return `(t.status = 'pending' AND ${waiting} OR t.status = 'in_progress' AND ${expired})`
}

function unblockedCondition({ each }: SqlDialect): string {
  return `(t.blocked_by = '[]' OR NOT EXISTS (
      SELECT 1 FROM ${each('t.blocked_by')} JOIN task_list o ON o.id = b.value
      WHERE o.deleted_at IS NULL AND o.status IN ('pending', 'in_progress')
    ))`
}
