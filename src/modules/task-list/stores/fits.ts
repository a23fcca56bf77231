import { endOf } from '../due.ts'
import type { Task } from '../task.ts'
import type { TaskFilter } from '../task-store.ts'

/** Whether a task fits what can be told from it alone. */
export function fits(task: Task, filter: TaskFilter): boolean {
  const { statuses, priority, tag, idPrefix, completedSince, parent } = filter
  return (
    (statuses === undefined || statuses.includes(task.status)) &&
    (priority === undefined || task.priority === priority) &&
    (tag === undefined || task.tags.includes(tag)) &&
    isDue(task, filter) &&
    (idPrefix === undefined || task.id.startsWith(idPrefix)) &&
    (completedSince === undefined || (task.completedAt !== null && task.completedAt >= completedSince)) &&
    (parent === undefined || task.parent === parent)
  )
}

function isDue({ due }: Task, { dueBefore, datesBefore = dueBefore }: TaskFilter): boolean {
  if (dueBefore === undefined || datesBefore === undefined) return true
  return due !== null && endOf(due) < (due.includes('T') ? dueBefore : datesBefore)
}
