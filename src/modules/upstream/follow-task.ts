import { type Client, ErrorReply, type OnBehalf } from '../../client/index.ts'
import { FAULTS, isObject, type JsonObject } from '../../kernel/index.ts'

const TASKS = 'io.modelcontextprotocol/tasks'
const POLL_MS = 500
const [LEAST_POLL_MS, MOST_POLL_MS] = [20, 10_000]

/** Calls a tool upstream and waits for what comes of it, also where the upstream makes a task of the call. */
export async function callThrough(
  client: Client,
  params: JsonObject,
  options: OnBehalf,
): Promise<JsonObject> {
  const declaring = { ...options, self: declareTasks(options.self) }
  try {
    return await follow(client, await client.exchange('tools/call', params, options), declaring)
  } catch (error) {
    const again = findAgain(error, client, params)
    if (again === undefined) throw error
    return follow(client, await client.exchange('tools/call', again, declaring), declaring)
  }
}

/** How to call a tool that runs as a task only, which is known by how it refuses anything else. */
function findAgain(error: unknown, { revision }: Client, params: JsonObject): JsonObject | undefined {
  if (!(error instanceof ErrorReply)) return undefined
  if (revision.tasks === 'core')
    return error.code === FAULTS.methodNotFound.code ? { ...params, task: {} } : undefined
  const needed = isObject(error.data) ? error.data['requiredCapabilities'] : undefined
  const extensions = isObject(needed) ? needed['extensions'] : undefined
  return isObject(extensions) && TASKS in extensions ? params : undefined
}

function declareTasks(self: OnBehalf['self']): OnBehalf['self'] {
  const { extensions } = self.capabilities
  const declared = { ...(isObject(extensions) && extensions), [TASKS]: {} }
  return { ...self, capabilities: { ...self.capabilities, extensions: declared } }
}

async function follow(client: Client, result: JsonObject, options: OnBehalf): Promise<JsonObject> {
  const shown = result['resultType'] === 'task' ? result : result['task']
  const taskId = isObject(shown) ? shown['taskId'] : undefined
  if (typeof taskId !== 'string') return result
  const callOff = () => void client.tasks.cancel(taskId).catch(() => {}) // It may be over already.
  options.signal?.addEventListener('abort', callOff, { once: true })
  try {
    if (client.revision.tasks === 'core') return await client.exchange('tasks/result', { taskId }, options)
    return await poll(client, taskId, options)
  } finally {
    options.signal?.removeEventListener('abort', callOff)
  }
}

/** Looks again and again, as often as the upstream says, and has answered what the task asks. */
async function poll(client: Client, taskId: string, options: OnBehalf): Promise<JsonObject> {
  for (;;) {
    const task = await client.exchange('tasks/get', { taskId }, options)
    const { status, result, error, inputRequests, pollIntervalMs } = task
    if (status === 'completed' && isObject(result)) return result
    if (status === 'failed' && isObject(error)) throw new ErrorReply(error as never) // As the upstream words it.
    if (status === 'cancelled' || status === 'completed' || status === 'failed')
      throw new ErrorReply({ code: FAULTS.internalError.code, message: `The task was ${status}` })
    if (status === 'input_required') {
      const inputResponses = await answerAll(inputRequests, options)
      await client.exchange('tasks/update', { taskId, inputResponses }, options)
    }
    const pollMs = typeof pollIntervalMs === 'number' ? pollIntervalMs : POLL_MS
    await pause(Math.min(Math.max(pollMs, LEAST_POLL_MS), MOST_POLL_MS), options.signal)
  }
}

async function answerAll(asked: unknown, { onQuestion, signal }: OnBehalf): Promise<JsonObject> {
  const questions = Object.entries(isObject(asked) ? asked : {})
  const answers = questions.map(async ([key, question]) => {
    const { method, params } = isObject(question) ? question : {}
    const given = isObject(params) ? params : {}
    return [key, await onQuestion(String(method), given, { signal: signal ?? NEVER })] as const
  })
  return Object.fromEntries(await Promise.all(answers))
}

const NEVER = new AbortController().signal

function pause(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer)
      reject(signal?.reason)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop)
      resolve()
    }, milliseconds)
    signal?.addEventListener('abort', stop, { once: true })
    if (signal?.aborted === true) stop()
  })
}
