import { type Client, ClientError, ErrorReply, type OnBehalf } from '../../client/index.ts'
import { toAbortSignal } from '../../client/wires/stop.ts'
import { isObject, type JsonObject } from '../../kernel/index.ts'
import { isUnspoken } from './errors.ts'
import { callingOff, declareTasks, lookUntil, resultOf, TASKS, taskIn } from './upstream-task.ts'

/** Calls a tool upstream and waits for what comes of it, also where the upstream runs it as a task only. */
export function callThrough(client: Client, params: JsonObject, options: OnBehalf): Promise<JsonObject> {
  return client.exchange('tools/call', params, options).then(
    (result) => follow(client, result, options),
    (error) => {
      if (!wantsTasks(error, client)) throw error
      const declaring = declare(options)
      return client
        .exchange('tools/call', params, declaring)
        .then((result) => follow(client, result, declaring))
    },
  )
}

function declare(options: OnBehalf): OnBehalf {
  return { ...options, self: declareTasks(options.self) }
}

/** Whether it wants to hear that its caller knows tasks; whether a tool runs as one, 2025-11-25 lists, and is not asked again. */
function wantsTasks(error: unknown, { revision }: Client): boolean {
  if (!(error instanceof ErrorReply) || revision.tasks === 'core') return false
  const needed = isObject(error.data) ? error.data['requiredCapabilities'] : undefined
  const extensions = isObject(needed) ? needed['extensions'] : undefined
  return isObject(extensions) && TASKS in extensions
}

function follow(client: Client, result: JsonObject, options: OnBehalf): JsonObject | Promise<JsonObject> {
  const taskId = taskIn(result)?.taskId
  if (taskId === undefined) return result
  const isCore = client.revision.tasks === 'core'
  const declaring = declare(options)
  const run = () => (isCore ? resultOf(client, taskId, declaring) : poll(client, taskId, declaring))
  return callingOff(client, taskId, { signal: options.signal, run }).catch((cause: unknown) => {
    if (!isUnspoken(cause, client.revision)) throw cause
    throw new ClientError('lost', (cause as Error).message, { cause }) // The task has begun, and is not to begin twice.
  })
}

/** Has answered what the task asks, and goes on looking. */
async function poll(client: Client, taskId: string, options: OnBehalf): Promise<JsonObject> {
  for (;;) {
    const looked = await lookUntil(client, taskId, options)
    if (!('questions' in looked)) return looked.result
    const inputResponses = await answerAll(looked.questions, options)
    await client.exchange('tasks/update', { taskId, inputResponses }, options)
  }
}

async function answerAll(questions: JsonObject, { onQuestion, signal }: OnBehalf): Promise<JsonObject> {
  const asked = signal === undefined ? NEVER : toAbortSignal(signal)
  const answers = Object.entries(questions).map(async ([key, question]) => {
    const { method, params } = isObject(question) ? question : {}
    const given = isObject(params) ? params : {}
    return [key, await onQuestion(String(method), given, { signal: asked })] as const
  })
  return Object.fromEntries(await Promise.all(answers))
}

const NEVER = new AbortController().signal
