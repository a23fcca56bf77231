import { wrongAnswer } from '../asking/answers.ts'
import { askByRequests } from '../asking/index.ts'
import { Needs } from '../asking/needs.ts'
import type { Call } from '../call.ts'
import { checkObject, checkOptionalString } from '../check/params.ts'
import { Fault, Told } from '../faults.ts'
import type { JsonObject, Result } from '../jsonrpc/message.ts'
import type { Tool } from '../offers/tool.ts'
import type { Revision } from '../revisions/revision.ts'
import type { Server } from '../server.ts'
import { unanswered } from '../tasks/desk.ts'
import { isOver, type TaskRecord } from '../tasks/record.ts'
import { startTask } from '../tasks/run.ts'
import { toCoreTask, toDetailedTask, toTask } from '../tasks/shapes.ts'
import { declaresExtension, needExtension } from './extensions.ts'

export const TASKS = 'io.modelcontextprotocol/tasks'
const RELATED_TASK = 'io.modelcontextprotocol/related-task'

export function hasTasks(server: Server): boolean {
  for (const tool of server.tools) if (tool.task !== undefined) return true
  return false
}

type Era = Revision['tasks']

/** Whether this call of a tool is to become a task; throws where it may not be anything else and cannot be one. */
export function becomesTask(tool: Tool, call: Call): boolean {
  return BECOMES[call.peer.revision.tasks](tool, call)
}

const BECOMES: Record<Era, (tool: Tool, call: Call) => boolean> = {
  /** A client that knows no tasks waits. */
  none: () => false,
  /** The client decides, within what the tool allows. */
  core: (tool, call) => {
    const asked = call.params?.['task'] !== undefined
    if (asked && tool.task === undefined && hasTasks(call.server))
      throw notAsTask(tool, 'cannot run as a task')
    if (!asked && tool.task === 'required') throw notAsTask(tool, 'runs as a task only')
    return asked && tool.task !== undefined
  },
  /** The server decides, for a client that has said it knows tasks. */
  extension: (tool, call) => {
    if (tool.task === 'required') needExtension(call, TASKS)
    return tool.task !== undefined && declaresExtension(call, TASKS)
  },
}

function notAsTask(tool: Tool, reason: string): Fault {
  return new Fault('methodNotFound', `Method not found: the tool ${tool.key} ${reason}`)
}

export async function callAsTask(tool: Tool, value: unknown, call: Call): Promise<Result> {
  const begun = await startTask(tool, value, call)
  if (!('outcome' in begun)) return begun as Result // It asks for something first.
  const record = begun as TaskRecord
  return call.peer.revision.tasks === 'core'
    ? { task: toCoreTask(record) }
    : { resultType: 'task', ...toTask(record) }
}

function find(call: Call): Promise<TaskRecord> {
  return call.server.tasks.find(call.params?.['taskId'], call.principal?.id ?? null)
}

/** Those of the tasks that the caller may look at. */
export async function ownTasks(
  ids: readonly string[],
  { server, principal }: Call,
): Promise<readonly string[]> {
  const found = await Promise.allSettled(ids.map((id) => server.tasks.find(id, principal?.id ?? null)))
  return ids.filter((_id, index) => found[index]?.status === 'fulfilled')
}

function show(record: TaskRecord, { peer }: Call): JsonObject {
  return peer.revision.tasks === 'core' ? toCoreTask(record) : toDetailedTask(record)
}

export async function getTask(call: Call): Promise<Result> {
  return show(await find(call), call)
}

/** Cancelling is a wish: a task that is over stays as it is. */
export async function cancelTask(call: Call): Promise<Result> {
  const record = await find(call)
  const core = call.peer.revision.tasks === 'core'
  if (core && isOver(record))
    throw new Fault('invalidParams', 'Invalid params: taskId: the task is over already')
  const cancelled = await call.server.tasks.change(record.id, (one) => ({
    ...one,
    questions: {},
    outcome: { status: 'cancelled' },
  }))
  return core ? toCoreTask(cancelled ?? record) : {}
}

/** Answers what a task has asked; keys it has not asked for are passed over. */
export async function updateTask(call: Call): Promise<Result> {
  const record = await find(call)
  const responses = checkObject(call.params, 'inputResponses')
  const given = Object.entries(responses).filter(([key]) => Object.hasOwn(record.questions, key))
  for (const [key, answer] of given) {
    const wrong = await wrongAnswer(answer, record.questions[key], call.server.platform.validator)
    if (wrong !== undefined)
      throw new Fault('invalidParams', `Invalid params: inputResponses.${key}: ${wrong}`)
  }
  await answer(call.server, record.id, Object.fromEntries(given))
  return {}
}

async function answer(server: Server, id: string, given: JsonObject): Promise<void> {
  await server.tasks.change(id, (record) => {
    const answers = { ...record.answers, ...given }
    const questions = unanswered(record.questions, answers)
    const done = Object.keys(questions).length === 0
    return { ...record, answers, questions, outcome: { status: done ? 'working' : 'input_required' } }
  })
}

/** Waits for a task of 2025-11-25 to end and gives what the call would have given; its questions are put on the way. */
export async function getTaskResult(call: Call): Promise<Result> {
  const { id } = await find(call)
  const { tasks } = call.server
  for (;;) {
    const wanted = (one: TaskRecord) => isOver(one) || one.outcome.status === 'input_required'
    const record = await tasks.until(id, wanted, call.signal)
    if (record === undefined)
      throw new Fault('invalidParams', `Invalid params: taskId: there is no task ${id}`)
    if (isOver(record)) return resultOf(record)
    await askFor(record, call)
  }
}

async function askFor(record: TaskRecord, call: Call): Promise<void> {
  const questions = Object.entries(record.questions).map(([key, { method, params }]) => [
    key,
    { method, params: { ...params, _meta: { [RELATED_TASK]: { taskId: record.id } } } },
  ])
  call.answers = {}
  await askByRequests(new Needs(Object.fromEntries(questions)), call)
  await answer(call.server, record.id, call.answers)
}

function resultOf({ id, outcome }: TaskRecord): Result {
  if (outcome.status === 'failed') throw new Told(outcome.error)
  if (outcome.status !== 'completed') throw new Fault('invalidRequest', 'The task was cancelled')
  const { _meta, ...result } = outcome.result
  return { ...result, _meta: { ...(_meta as JsonObject | undefined), [RELATED_TASK]: { taskId: id } } }
}

const PAGE = 100

export async function listTasks(call: Call): Promise<Result> {
  const cursor = checkOptionalString(call.params, 'cursor') ?? '0'
  if (!/^\d{1,15}$/.test(cursor))
    throw new Fault('invalidParams', 'Invalid params: cursor: expected a nextCursor of this list')
  const { records, last } = await call.server.tasks.list(call.principal?.id ?? null, Number(cursor), PAGE)
  return {
    tasks: records.map(toCoreTask),
    ...(last !== undefined && records.length === PAGE && { nextCursor: String(last) }),
  }
}
