import type { Task } from '../task.ts'
import type { PageRequest, TaskListPage } from '../task-store.ts'

interface FoundTasks {
  readonly task: Task
  /** Its place in the order of creation. */
  readonly number: number
}

/** The page that begins what was found, of which there is one more if there is another page. */
export function toPage(found: readonly FoundTasks[], { limit, bytes }: PageRequest): TaskListPage {
  const most = found.slice(0, limit)
  const shown = bytes === undefined ? most : most.slice(0, countEnough(most, bytes))
  return {
    tasks: shown.map(({ task }) => task),
    next: found.length > shown.length ? shown.at(-1)?.number : undefined,
  }
}

/** How many of them it takes for so many bytes. */
function countEnough(found: readonly FoundTasks[], bytes: number): number {
  let left = bytes
  const last = found.findIndex(({ task }) => {
    left -= Buffer.byteLength(JSON.stringify(task))
    return left <= 0
  })
  return last < 0 ? found.length : last + 1
}
