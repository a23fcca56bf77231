import { isObject, type JsonObject, LISTENING } from '../kernel/index.ts'
import type { Notification } from './requesting.ts'
import { readTask, type TaskState } from './task-state.ts'

/** What to be told of: lists that change, resources, tasks. */
export interface Wanted {
  readonly tools?: boolean
  readonly prompts?: boolean
  readonly resources?: boolean
  readonly uris?: readonly string[]
  readonly tasks?: readonly string[]
}

/** What has changed. */
export type Change =
  | { readonly kind: 'tools' | 'prompts' | 'resources' }
  | { readonly kind: 'resource'; readonly uri: string }
  | { readonly kind: 'task'; readonly task: TaskState }

const LISTS = ['tools', 'prompts', 'resources'] as const

/** What a notification says has changed, in whichever revision. */
export function toChange({ method, params }: Notification): Change | undefined {
  const list = LISTS.find((one) => method === `notifications/${one}/list_changed`)
  if (list !== undefined) return { kind: list }
  if (method === 'notifications/resources/updated' && typeof params['uri'] === 'string')
    return { kind: 'resource', uri: params['uri'] }
  const task = ['notifications/tasks', 'notifications/tasks/status'].includes(method)
    ? readTask(params)
    : undefined
  return task === undefined ? undefined : { kind: 'task', task }
}

export function isWanted(change: Change, wanted: Wanted): boolean {
  if (change.kind === 'resource') return wanted.uris?.some((uri) => isWithin(change.uri, uri)) === true
  if (change.kind === 'task') return wanted.tasks?.includes(change.task.taskId) === true
  return wanted[change.kind] === true
}

/** A server may tell of a part of what was asked for. */
function isWithin(uri: string, asked: string): boolean {
  return uri === asked || uri.startsWith(asked.endsWith('/') ? asked : `${asked}/`)
}

/** All that may have changed while nobody could be told. */
export function everything(wanted: Wanted): readonly Change[] {
  const lists = LISTS.filter((list) => wanted[list] === true).map((kind) => ({ kind }))
  return [...lists, ...(wanted.uris ?? []).map((uri) => ({ kind: 'resource' as const, uri }))]
}

/** The words of `subscriptions/listen`. */
export function toFilter(wanted: Wanted): JsonObject {
  const named = KINDS.filter((kind) => wanted[kind] !== undefined && wanted[kind] !== false)
  return Object.fromEntries(named.map((kind) => [LISTENING[kind], wanted[kind]]))
}

const KINDS = Object.keys(LISTENING) as readonly (keyof Wanted)[] // The words are by the same names.

export function fromFilter(filter: unknown): Wanted {
  const read = (kind: keyof Wanted) => (isObject(filter) ? filter[LISTENING[kind]] : undefined)
  return {
    ...Object.fromEntries(LISTS.map((list) => [list, read(list) === true])),
    uris: texts(read('uris')),
    tasks: texts(read('tasks')),
  }
}

function texts(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((one) => typeof one === 'string') : []
}
