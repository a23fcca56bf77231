import { defineResource, defineResourceTemplate } from '../../authoring/define.ts'
import type { ResourceDefinition, ResourceTemplateDefinition } from '../../kernel/index.ts'
import { isText } from './check.ts'
import { type Desk, OPEN_URI } from './context.ts'
import { printCursor } from './cursor.ts'
import { ENOUGH_BYTES, MAX_SEARCH } from './schemas.ts'
import { MAX_WORDS, wordsOf } from './search.ts'
import { OPEN, type Task } from './task.ts'
import type { TaskListPage } from './task-store.ts'
import { telling } from './tell-database-errors.ts'

/** More than anybody has open, and less than a client chokes on. */
const MAX_OPEN = 1000

/** How many are read at once. */
const PAGE = 50

/** As many as a client may be given at once. */
const MAX_SUGGESTIONS = 100

/** What is to be done, as data. */
export function openTasks({ store }: Desk): ResourceDefinition {
  return defineResource({
    uri: OPEN_URI,
    name: 'open-tasks',
    title: 'Open tasks',
    description: `Tasks that are pending or in progress, newest first; where there are many, the newest, and how to get the rest`,
    mimeType: 'application/json',
    subscribable: true,
    scopes: ['tasks:read'],
    read: () =>
      telling(async () => {
        const { tasks, next } = await listNewest(store)
        if (next === undefined) return JSON.stringify({ tasks })
        return JSON.stringify({ tasks, more: MORE, nextCursor: printCursor(next) })
      }),
  })
}

const MORE =
  'There are more open tasks: list_tasks with this nextCursor as its cursor and status pending, and again with status in_progress, lists the rest'

async function listNewest(store: Desk['store']): Promise<TaskListPage> {
  const tasks: Task[] = []
  let bytes = ENOUGH_BYTES
  let next: number | undefined
  do {
    const before = next === undefined ? {} : { before: next }
    const page = await store.list({ statuses: OPEN }, { ...before, limit: PAGE, bytes })
    tasks.push(...page.tasks)
    bytes -= Buffer.byteLength(JSON.stringify(page.tasks))
    next = page.next
  } while (next !== undefined && bytes > 0 && tasks.length < MAX_OPEN)
  return { tasks, next }
}

export function oneTask({ store }: Desk): ResourceTemplateDefinition {
  return defineResourceTemplate({
    uriTemplate: 'task://{id}',
    name: 'task',
    title: 'Task',
    description: 'One task by its id',
    mimeType: 'application/json',
    subscribable: true,
    scopes: ['tasks:read'],
    complete: { id: (value) => telling(() => suggestIds(store, value)) },
    read: ({ id }) =>
      telling(async () => {
        const task = isText(id) ? await store.get(id) : undefined
        return task && JSON.stringify(task)
      }),
  })
}

/** Nobody knows an id by heart, so words of the description find it too; the first few will do. */
async function suggestIds(store: Desk['store'], value: string): Promise<readonly string[]> {
  if (!isText(value)) return []
  const text = wordsOf(value.slice(0, MAX_SEARCH)).slice(0, MAX_WORDS).join(' ')
  const byId = await store.list({ idPrefix: value.slice(0, MAX_SEARCH) }, { limit: MAX_SUGGESTIONS })
  const byWords = await store.list({ text }, { limit: MAX_SUGGESTIONS })
  const ids = [...byId.tasks, ...byWords.tasks].map(({ id }) => id)
  return [...new Set(ids)].slice(0, MAX_SUGGESTIONS)
}
