import {
  type Client,
  ErrorReply,
  type OnBehalf,
  type StopSignal,
  type TaskState,
} from '../../client/index.ts'
import { readTask } from '../../client/task-state.ts'
import { FAULTS, isObject, type JsonObject, readError } from '../../kernel/index.ts'

export const TASKS = 'io.modelcontextprotocol/tasks'

const RELATED_TASK = 'io.modelcontextprotocol/related-task'
const POLL_MS = 500
const [LEAST_POLL_MS, MOST_POLL_MS] = [20, 10_000]

/** The reason of a signal by which nobody waits any more for a task that is to go on all the same. */
export const LET_GO = new Error('Nobody waits for it here any more')

/** The task that a call has become upstream; undefined where it was answered. */
export function taskIn(result: JsonObject): TaskState | undefined {
  return readTask(result['resultType'] === 'task' ? result : result['task'])
}

/** The extension is declared where it is used, and nowhere else. */
export function declareTasks(self: OnBehalf['self']): OnBehalf['self'] {
  const { extensions } = self.capabilities
  const declared = { ...(isObject(extensions) && extensions), [TASKS]: {} }
  return { ...self, capabilities: { ...self.capabilities, extensions: declared } }
}

/** Calls a task off upstream when whoever waits for it calls it off. */
export async function callingOff<Result>(
  client: Client,
  taskId: string,
  wait: { readonly signal?: StopSignal | undefined; readonly run: () => Promise<Result> },
): Promise<Result> {
  const { signal, run } = wait
  const callOff = () => {
    if (signal?.reason !== LET_GO) client.tasks.cancel(taskId).catch(() => {}) // It may be over already.
  }
  signal?.addEventListener('abort', callOff, { once: true })
  try {
    return await run()
  } finally {
    signal?.removeEventListener('abort', callOff)
  }
}

/** What comes of a task of 2025-11-25, which says in its own words that it is of one. */
export async function resultOf(client: Client, taskId: string, options: OnBehalf): Promise<JsonObject> {
  return withoutRelated(await client.exchange('tasks/result', { taskId }, options))
}

/** Without the word by which a message says that it belongs to a task, which has another name here. */
export function withoutRelated(members: JsonObject): JsonObject {
  const { _meta: meta, ...rest } = members
  if (!isObject(meta) || !(RELATED_TASK in meta)) return members
  const { [RELATED_TASK]: _theirs, ...others } = meta
  return Object.keys(others).length === 0 ? rest : { ...rest, _meta: others }
}

type Looked = { readonly result: JsonObject } | { readonly questions: JsonObject }

export interface Looking {
  /** Told what the upstream says of how the task stands. */
  readonly tell?: ((message: string) => void) | undefined
  /** What has been answered already, should the upstream be slow to notice. */
  readonly answered?: JsonObject
}

/** Looks at a task as often as the upstream says, until something comes of it or it asks something new. */
export async function lookUntil(
  client: Client,
  taskId: string,
  options: OnBehalf & Looking,
): Promise<Looked> {
  for (;;) {
    const task = await client.exchange('tasks/get', { taskId }, options)
    const { status, result, error, statusMessage, pollIntervalMs } = task
    if (status === 'completed' && isObject(result)) return { result }
    if (status === 'failed' && isObject(error)) throw new ErrorReply(readError(error))
    if (status === 'cancelled' || status === 'completed' || status === 'failed')
      throw new ErrorReply({ code: FAULTS.internalError.code, message: `The task was ${status}` })
    if (typeof statusMessage === 'string') options.tell?.(statusMessage)
    const questions = newOf(task['inputRequests'], options.answered)
    if (status === 'input_required' && Object.keys(questions).length > 0) return { questions }
    await pause(pollIntervalMs, options.signal)
  }
}

function newOf(asked: unknown, answered: JsonObject = {}): JsonObject {
  const all = Object.entries(isObject(asked) ? asked : {})
  return Object.fromEntries(all.filter(([key]) => !Object.hasOwn(answered, key)))
}

/** Tells what the upstream says of a task of 2025-11-25 while its result is waited for. */
export async function tellStatus(client: Client, taskId: string, options: OnBehalf & Looking): Promise<void> {
  while (options.signal?.aborted !== true) {
    const task = await client.exchange('tasks/get', { taskId }, options)
    const { statusMessage, pollInterval } = task
    if (typeof statusMessage === 'string') options.tell?.(statusMessage)
    await pause(pollInterval, options.signal)
  }
}

function pause(wantedMs: unknown, signal: StopSignal | undefined): Promise<void> {
  const milliseconds = typeof wantedMs === 'number' ? wantedMs : POLL_MS
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer)
      reject(signal?.reason)
    }
    const timer = setTimeout(
      () => {
        signal?.removeEventListener('abort', stop)
        resolve()
      },
      Math.min(Math.max(milliseconds, LEAST_POLL_MS), MOST_POLL_MS),
    )
    signal?.addEventListener('abort', stop, { once: true })
    if (signal?.aborted === true) stop()
  })
}
