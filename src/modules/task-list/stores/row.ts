import type { Row, Value } from '../../../databases/database.ts'
import { endOf } from '../due.ts'
import { indexedText } from '../search.ts'
import type { Task } from '../task.ts'

/** A task as columns; `words` is what the index of words is made of. */
export function toColumns(task: Task): { readonly [column: string]: Value } {
  const { description, status, priority, due, tags, parent, blockedBy = [] } = task
  return {
    description,
    status,
    priority,
    due,
    due_end: due === null ? null : endOf(due),
    tags: JSON.stringify(tags),
    created_at: task.createdAt,
    updated_at: task.updatedAt,
    completed_at: task.completedAt,
    parent: parent ?? null,
    blocked_by: JSON.stringify(blockedBy),
    claimed_by: task.claimedBy ?? null,
    claimed_until: task.claimedUntil ?? null,
    words: indexedText(task),
  }
}

export function toTask(row: Row): Task {
  const blockedBy: readonly string[] = JSON.parse(String(row['blocked_by'] ?? '[]'))
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
    ...(row['parent'] ? { parent: row['parent'] } : {}),
    ...(blockedBy.length > 0 && { blockedBy }),
    ...(row['claimed_by'] ? { claimedBy: row['claimed_by'] } : {}),
    ...(row['claimed_until'] ? { claimedUntil: row['claimed_until'] } : {}),
  } as Task // Nobody but us writes the table.
}
