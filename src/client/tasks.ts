import { isObject, type JsonObject, readError } from '../kernel/index.ts'
import type { ClientConnection } from './connection.ts'
import { ClientError, ErrorReply } from './errors.ts'
import type { Limits } from './limits.ts'
import { readAll } from './lists.ts'
import type { RequestOptions } from './requesting.ts'
import { type CallToolResult, checkResult, nonsense } from './results.ts'
import { isOver, readTask, type TaskState } from './task-state.ts'
import { tasksDeclared } from './tasks-declared.ts'
import { pause } from './wires/retrying.ts'
import { follow } from './wires/stop.ts'

/** A call that goes on at the server's while its client does something else. */
export interface RunningTask {
  /** Undefined where the server answered at once instead. */
  readonly taskId: string | undefined
  /** Waits for what comes of it. */
  result(options?: RequestOptions): Promise<CallToolResult>
  cancel(): Promise<void>
}

const POLL_MS = 500
const [LEAST_POLL_MS, MOST_POLL_MS] = [20, 10_000]

type CallTool = (
  params: JsonObject,
  options: RequestOptions & { capabilities?: JsonObject },
) => Promise<JsonObject>

/** Calls of tools that become tasks, in the two ways there are. */
export class Tasks {
  readonly #connection: ClientConnection
  readonly #limits: Limits
  readonly #call: CallTool

  /** A client has them. @internal */
  constructor(connection: ClientConnection, limits: Limits, call: CallTool) {
    this.#connection = connection
    this.#limits = limits
    this.#call = call
  }

  /** Calls a tool as a task. */
  async start(name: string, args: JsonObject = {}, options: RequestOptions = {}): Promise<RunningTask> {
    const { revision } = this.#connection
    if (revision.tasks === 'none')
      throw new ClientError('unsupported', `Revision ${revision.id}, which the server speaks, has no tasks`)
    const params = { name, arguments: args, ...(revision.tasks === 'core' && { task: {} }) }
    const result = await this.#call(params, { ...options, ...tasksDeclared(this.#connection) })
    const task = taskOf(result)
    if (task === undefined) {
      const done = checkResult<CallToolResult>('tools/call', result)
      return { taskId: undefined, result: async () => done, cancel: async () => {} }
    }
    const { taskId } = task
    return {
      taskId,
      result: (waiting) => this.result(taskId, waiting),
      cancel: () => this.cancel(taskId),
    }
  }

  async get(taskId: string, options: RequestOptions = {}): Promise<TaskState> {
    return this.#read(await this.#ask('tasks/get', { taskId }, options))
  }

  /** The tasks of this client that the server still has; only 2025-11-25 can list them. */
  async list(options: RequestOptions = {}): Promise<readonly TaskState[]> {
    const ask = (params: JsonObject) => this.#ask('tasks/list', params, options)
    return (await readAll('tasks/list', ask, this.#limits)).map((one) => this.#read(one))
  }

  async cancel(taskId: string, options: RequestOptions = {}): Promise<void> {
    await this.#ask('tasks/cancel', { taskId }, options)
  }

  /** Waits for what comes of a task, and answers what it asks on the way. */
  async result(taskId: string, options: RequestOptions = {}): Promise<CallToolResult> {
    const result =
      this.#connection.revision.tasks === 'core'
        ? await this.#ask('tasks/result', { taskId }, { timeoutMs: Number.POSITIVE_INFINITY, ...options })
        : await this.#poll(taskId, options)
    return checkResult('tools/call', result)
  }

  /** Looks again and again, as often as the server says. */
  async #poll(taskId: string, options: RequestOptions): Promise<JsonObject> {
    const stop = new AbortController()
    const release = follow(stop, options.signal, this.#connection.signal)
    return this.#pollUntil(stop.signal, taskId, options).finally(release)
  }

  async #pollUntil(signal: AbortSignal, taskId: string, options: RequestOptions): Promise<JsonObject> {
    for (let rounds = 0; ; ) {
      const shown = await this.#ask('tasks/get', { taskId }, options)
      const task = this.#read(shown)
      if (isOver(task)) return outcomeOf(task, shown)
      if (task.status === 'input_required') {
        if (++rounds > this.#limits.maxRounds) throw stillAsking(taskId, this.#limits.maxRounds)
        const inputResponses = await this.#connection.questions.answerAll(shown['inputRequests'], signal)
        await this.#ask('tasks/update', { taskId, inputResponses }, options)
      }
      const pollMs = Math.max(task.pollIntervalMs ?? POLL_MS, LEAST_POLL_MS)
      await pause(Math.min(pollMs, MOST_POLL_MS), signal)
    }
  }

  #ask(method: string, params: JsonObject, options: RequestOptions): Promise<JsonObject> {
    return this.#connection.request(method, params, { ...options, ...tasksDeclared(this.#connection) })
  }

  #read(value: JsonObject): TaskState {
    const task = readTask(value)
    if (task === undefined) throw nonsense('tasks/get', 'taskId and status: expected a task', undefined)
    return task
  }
}

/** The task that a call has become; undefined where it was answered. */
export function taskOf(result: JsonObject): TaskState | undefined {
  return result['resultType'] === 'task' ? readTask(result) : readTask(result['task'])
}

function outcomeOf({ status, taskId }: TaskState, { result, error }: JsonObject): JsonObject {
  if (status === 'completed' && isObject(result)) return result
  if (status === 'failed' && isObject(error)) throw new ErrorReply(readError(error))
  throw new ErrorReply({ code: 0, message: `The task ${taskId} was ${status}` })
}

function stillAsking(taskId: string, maxRounds: number): ClientError {
  return new ClientError(
    'too-much',
    `The task ${taskId} is still asking after ${maxRounds} rounds (maxRounds)`,
  )
}
