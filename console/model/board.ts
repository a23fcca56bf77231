import type { Tool } from '../../src/client/results.ts'
import { isRecord } from './json.ts'

/** A task as `list_tasks` gives it. */
export interface BoardTask {
  readonly id: string
  readonly description: string
  readonly status: string
  readonly priority: string
  readonly due: string | null
  readonly tags: readonly string[]
  readonly updatedAt: string
  readonly blockedBy?: readonly string[]
  readonly parent?: string
  readonly claimedBy?: string
  readonly claimedUntil?: string
}

/** The columns of the board, from left to right. */
export const COLUMNS = [
  { status: 'pending', name: 'To do' },
  { status: 'in_progress', name: 'In progress' },
  { status: 'done', name: 'Done' },
  { status: 'cancelled', name: 'Cancelled' },
] as const

/** What the board calls: a task list's tools, also behind a name that a gateway has put before them. */
export interface BoardTools {
  readonly list: string
  readonly update: string
  readonly create: string
}

/** The task lists among the tools, by what stands before their names. */
export function findBoards(tools: readonly Tool[]): readonly (BoardTools & { readonly key: string })[] {
  const names = new Set(tools.map(({ name }) => name))
  return tools.flatMap(({ name, outputSchema }) => {
    if (!name.endsWith('list_tasks') || !givesTasks(outputSchema)) return []
    const key = name.slice(0, -'list_tasks'.length)
    const found = { list: name, update: `${key}update_task`, create: `${key}create_task`, key }
    return names.has(found.update) && names.has(found.create) ? [found] : []
  })
}

function givesTasks(schema: unknown): boolean {
  const properties = isRecord(schema) ? schema['properties'] : undefined
  return isRecord(properties) && 'tasks' in properties
}

/** What a tool of the list gave; others would only confuse the board. */
export function toTasks(content: unknown): readonly BoardTask[] {
  const tasks = isRecord(content) ? content['tasks'] : undefined
  return Array.isArray(tasks) ? tasks.filter((one) => isRecord(one) && typeof one['id'] === 'string') : []
}

/** What is to be seen on a card beside its words. */
export function notesOf(task: BoardTask, now: string): readonly string[] {
  const { priority, due, tags, claimedBy, claimedUntil = '', blockedBy = [] } = task
  return [
    ...(priority === 'normal' ? [] : [priority]),
    ...(due === null ? [] : [`due ${due.slice(0, 16).replace('T', ' ')}`]),
    ...tags.map((tag) => `#${tag}`),
    ...(claimedBy !== undefined && claimedUntil > now ? [`@${claimedBy}`] : []),
    ...(blockedBy.length === 0 ? [] : [`waits for ${blockedBy.length}`]),
  ]
}
