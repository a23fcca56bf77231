import { LINKS, MAX_REACH, type TaskLink } from '../links.ts'
import type { Task } from '../task.ts'
import type { SqlDialect } from './select.ts'
import type { Bind } from './statement.ts'

const NEXT: Record<TaskLink, (dialect: SqlDialect) => string> = {
  blockedBy: ({ each }) =>
    `SELECT b.value FROM reach JOIN task_list o ON o.id = reach.id CROSS JOIN ${each('o.blocked_by')}`,
  parent: () => 'SELECT o.parent FROM reach JOIN task_list o ON o.id = reach.id WHERE o.parent IS NOT NULL',
}

/** How many tasks a link leads to, and whether it comes back; what was deleted counts, since it can be brought back. */
export function selectReach(link: TaskLink, task: Task, { dialect, bind }: ReachParts): string {
  const first = dialect.each(bind(JSON.stringify(LINKS[link].of(task))))
  return `WITH RECURSIVE reach (id) AS (SELECT b.value FROM ${first} UNION ${NEXT[link](dialect)})
    SELECT count(*) AS count, max(CASE WHEN id = ${bind(task.id)} THEN 1 ELSE 0 END) AS circle
    FROM (SELECT id FROM reach LIMIT ${MAX_REACH + 1}) r`
}

export interface ReachParts {
  readonly dialect: SqlDialect
  readonly bind: Bind
}

/** The same as a condition: whoever writes looks once more, while nobody else writes links. */
export function reachCondition(link: TaskLink, task: Task, asking: ReachParts): string {
  return `NOT EXISTS (SELECT 1 FROM (${selectReach(link, task, asking)}) w WHERE w.count > ${MAX_REACH} OR w.circle = 1)`
}
