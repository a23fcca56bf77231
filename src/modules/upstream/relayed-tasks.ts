import type { Client, OnBehalf } from '../../client/index.ts'
import { toAbortSignal } from '../../client/wires/stop.ts'
import { isObject, type JsonObject, Needs, TaskElsewhere } from '../../kernel/index.ts'
import {
  callingOff,
  declareTasks,
  type Looking,
  lookUntil,
  resultOf,
  taskIn,
  tellStatus,
} from './upstream-task.ts'

/** What is kept with a task here, by which the upstream's is found again. */
export interface TaskPlace {
  readonly task: string
  /** Where its result is waited for with a question open, which only this process can answer. */
  readonly held?: string
  /** What it has asked. */
  readonly keys?: readonly string[]
  /** By what the upstream tells of its progress. */
  readonly progress?: string
}

/** Has the upstream begin a task; what it answers instead is given as it is. */
export async function beginTask(
  client: Client,
  params: JsonObject,
  options: OnBehalf & { readonly task: unknown; readonly progress: string | undefined },
): Promise<JsonObject | TaskElsewhere> {
  const { task: asked, progress, ...exchange } = options
  const isCore = client.revision.tasks === 'core'
  const sent = isCore ? { ...params, task: isObject(asked) ? asked : {} } : params
  const result = await client.exchange('tools/call', sent, {
    ...exchange,
    self: declareTasks(exchange.self),
    ...(progress !== undefined && isCore && { meta: { ...exchange.meta, progressToken: progress } }),
  })
  const task = taskIn(result)
  if (task === undefined) return result
  return new TaskElsewhere({
    state: { task: task.taskId, ...(progress !== undefined && isCore && { progress }) },
    ttlMs: task.ttlMs,
    abandon: () => void client.tasks.cancel(task.taskId).catch(() => {}), // It may be over already.
  })
}

/** Waits for what comes of a task upstream; what it asks is given, to be asked with ours. */
export function followTask(
  client: Client,
  place: TaskPlace,
  options: OnBehalf & Looking,
): Promise<JsonObject | Needs> {
  const { task: taskId } = place
  const declared = { ...options, self: declareTasks(options.self) }
  const run = () => FOLLOWING[client.revision.tasks](client, place, declared)
  return callingOff(client, taskId, { signal: options.signal, run })
}

type Following = (
  client: Client,
  place: TaskPlace,
  options: OnBehalf & Looking,
) => Promise<JsonObject | Needs>

const FOLLOWING: Record<Client['revision']['tasks'], Following> = {
  /** An upstream that was replaced by an older one. */
  none: () => Promise.reject(new Error('The server does not know tasks any more')),
  /** Its questions come while its result is waited for. */
  core: async (client, { task: taskId }, options) => {
    const done = new AbortController()
    const signal = options.signal
      ? AbortSignal.any([toAbortSignal(options.signal), done.signal])
      : done.signal
    tellStatus(client, taskId, { ...options, signal }).catch(() => {}) // The result says what is wrong.
    return resultOf(client, taskId, options).finally(() => done.abort())
  },
  extension: async (client, { task: taskId, keys = [] }, options) => {
    const { answered = {} } = options
    const given = Object.entries(answered).filter(([key]) => keys.includes(key))
    if (given.length > 0)
      await client.exchange('tasks/update', { taskId, inputResponses: Object.fromEntries(given) }, options)
    const looked = await lookUntil(client, taskId, options)
    if (!('questions' in looked)) return looked.result
    const questions = looked.questions as Needs['questions'] // As the upstream words them.
    return new Needs(questions, { state: { task: taskId, keys: Object.keys(questions) } })
  },
}
