import { checkBudget } from '../budgets/check.ts'
import type { Call } from '../calls/call.ts'
import { needExtension } from '../calls/extension.ts'
import type { ListName, ServerChange } from '../calls/listener.ts'
import type { Server } from '../calls/server.ts'
import { LISTENING } from '../definitions/listening.ts'
import { Fault } from '../faults.ts'
import type { JsonObject } from '../jsonrpc/message.ts'
import { hasTasks, TASKS } from '../tasks/offered.ts'
import { hasSubscribable } from './capabilities.ts'
import { isTold } from './resources.ts'
import { watchTasks } from './task-methods.ts'

type Words = typeof LISTENING

/** What a subscription wants to hear. */
export type Filter = {
  readonly [List in ListName as Words[List]]?: true
} & {
  readonly [Kind in 'uris' | 'tasks' as Words[Kind]]?: readonly string[]
}

const LISTS: readonly ListName[] = ['tools', 'prompts', 'resources']

/** Tells what a subscription wants to hear, at once however much it names. */
export function wantsOf(filter: Filter): (change: ServerChange) => boolean {
  const resources = new Set(filter.resourceSubscriptions)
  const tasks = new Set(filter.taskIds)
  return (change) => {
    if ('list' in change) return filter[LISTENING[change.list]] === true
    if ('resource' in change) return resources.has(change.resource)
    return 'anything' in change || tasks.has(change.task.id)
  }
}

/** What we cannot honour is left out, which is how the client learns of it. */
export function readFilter(asked: JsonObject, call: Call): Filter | Promise<Filter> {
  const { server } = call
  const uris = readStrings(asked, LISTENING.uris, server)
  const ids = readStrings(asked, LISTENING.tasks, server)
  const lists = LISTS.filter((list) => asked[LISTENING[list]] === true && server.offers[list])
  const filter: Filter = Object.fromEntries(lists.map((list) => [LISTENING[list], true]))
  const heard = uris === undefined || !hasSubscribable(server) ? undefined : heardOf(uris, call)
  const watched = ids === undefined || !hasTasks(server) ? undefined : watch(ids, call)
  if (!(heard instanceof Promise) && watched === undefined) return withUris(filter, heard)
  return Promise.all([heard, watched]).then(([resources, taskIds]) => ({
    ...withUris(filter, resources),
    ...(taskIds !== undefined && { taskIds }),
  }))
}

function withUris(filter: Filter, resourceSubscriptions: readonly string[] | undefined): Filter {
  return resourceSubscriptions === undefined ? filter : { ...filter, resourceSubscriptions }
}

function watch(ids: readonly string[], call: Call): Promise<readonly string[]> {
  needExtension(call, TASKS)
  return watchTasks(ids, call)
}

/** Those of the resources that the caller can be told of. */
function heardOf(uris: readonly string[], call: Call): readonly string[] | Promise<readonly string[]> {
  const told = uris.map((uri) => isTold(uri, call))
  if (!told.some((one) => one instanceof Promise)) return uris.filter((_uri, at) => told[at] === true)
  const settled = told.map(async (one) => one)
  return Promise.allSettled(settled).then((all) =>
    uris.filter((_uri, at) => all[at]?.status === 'fulfilled' && all[at].value),
  )
}

/** Each of them is looked for at once, and told of later, so each counts once. */
function readStrings(asked: JsonObject, key: string, server: Server): readonly string[] | undefined {
  const value = asked[key]
  if (value === undefined) return undefined
  const what = `notifications.${key}`
  if (!Array.isArray(value) || !value.every((one) => typeof one === 'string')) {
    throw new Fault('invalidParams', `Invalid params: ${what}: expected an array of strings`)
  }
  checkBudget(server, 'maxListenIds', value.length, what)
  return [...new Set(value)]
}
