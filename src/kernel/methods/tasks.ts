import { wrongAnswer } from '../asking/answers.ts'
import { askByRequests } from '../asking/index.ts'
import { Needs } from '../asking/needs.ts'
import { isGranted } from '../callers/audience.ts'
import { Call } from '../calls/call.ts'
import { ClientLeft } from '../calls/questions.ts'
import { insufficientScope } from '../calls/scopes.ts'
import { checkObject, checkOptionalString, checkString } from '../check/params.ts'
import { Fault, Told } from '../faults.ts'
import type { JsonObject, Result } from '../jsonrpc/message.ts'
import { listOf } from '../tasks/create.ts'
import { isCore } from '../tasks/offered.ts'
import { ended, isOver, type TaskRecord, withAnswers } from '../tasks/record.ts'
import { unknownTask } from '../tasks/server-tasks.ts'
import { relatedTask, toCoreTask, toDetailedTask } from '../tasks/wire.ts'

/** The task that a request is about, if it is the caller's own. */
function findTask(call: Call): Promise<TaskRecord> {
  return findOwn(checkString(call.params, 'taskId'), call)
}

/** What a caller has been granted may have become less since the task began. */
async function findOwn(id: string, { server, principal, owner }: Call): Promise<TaskRecord> {
  const record = await server.tasks().find(id, principal)
  const scopes = server.tools.find(record.request.name, owner)?.scopes ?? []
  if (!isGranted(scopes, principal)) throw insufficientScope(scopes)
  return record
}

/** Those of the tasks that the caller may look at; from here on it hears of their changes. */
export async function watchTasks(ids: readonly string[], call: Call): Promise<readonly string[]> {
  const { server, signal } = call
  const unwatch = await server.tasks().watch()
  try {
    const found = await Promise.all(ids.map((id) => findOwn(id, call).catch(passOver)))
    if (signal.aborted) unwatch()
    else signal.addEventListener('abort', unwatch)
    return ids.filter((_id, index) => found[index] !== undefined)
  } catch (error) {
    unwatch()
    throw error
  }
}

function passOver(error: unknown): undefined {
  if (error instanceof Fault && error.fault !== 'internalError') return undefined
  throw error
}

/** What ended before anybody listened would otherwise never be told. */
export async function endedTasks(ids: readonly string[], call: Call): Promise<readonly TaskRecord[]> {
  const found = await Promise.all(ids.map((id) => findOwn(id, call).catch(passOver)))
  return found.filter((record) => record !== undefined && isOver(record)) as readonly TaskRecord[] // As filtered.
}

export async function getTask(call: Call): Promise<Result> {
  const record = await findTask(call)
  return isCore(call) ? toCoreTask(record) : toDetailedTask(record)
}

/** Cancelling is a wish: a task that is over stays as it is. */
export async function cancelTask(call: Call): Promise<Result> {
  const { id } = await findTask(call)
  let done = false
  const record = await call.server.tasks().change(id, (one) => {
    done = true
    return ended(one, { status: 'cancelled' })
  })
  if (!isCore(call)) return {}
  if (record === undefined) throw unknownTask()
  if (!done || record.outcome.status !== 'cancelled')
    throw new Fault('invalidParams', 'Invalid params: taskId: the task is over already')
  return toCoreTask(record)
}

/** Answers what a task has asked; keys it does not wait for are passed over. */
export async function updateTask(call: Call): Promise<Result> {
  const { id, questions } = await findTask(call)
  const responses = checkObject(call.params, 'inputResponses')
  for (const [key, answer] of Object.entries(responses)) {
    if (!Object.hasOwn(questions, key)) continue
    const wrong = await wrongAnswer(answer, questions[key], call.server.platform.validator)
    if (wrong !== undefined)
      throw new Fault('invalidParams', `Invalid params: inputResponses.${key}: ${wrong}`)
  }
  const checked = Object.entries(responses).filter(([key]) => Object.hasOwn(questions, key))
  await answerTask(call, id, Object.fromEntries(checked))
  return {}
}

async function answerTask({ server }: Call, id: string, answers: JsonObject): Promise<void> {
  await server.tasks().change(id, (record) => withAnswers(record, answers))
}

/** Waits for a task of 2025-11-25 to end and gives what the call would have given; its questions are put on the way. */
export async function getTaskResult(call: Call): Promise<Result> {
  const { id } = await findTask(call)
  const wanted = (one: TaskRecord) => isOver(one) || one.outcome.status === 'input_required'
  for (;;) {
    const record = await call.server.tasks().until(id, wanted, call.signal)
    if (record === undefined) throw unknownTask()
    if (isOver(record)) return resultOf(record)
    await askFor(record, call)
  }
}

/** Puts a task's questions to the client of this call, and withdraws them when the task no longer waits for them. */
async function askFor(record: TaskRecord, call: Call): Promise<void> {
  const { link, server } = call
  const asker = new Call(call.request, link, call.outlet)
  asker.peer = call.peer
  const stop = () => asker.abort()
  call.signal.addEventListener('abort', stop)
  const settled = new AbortController()
  const waits = ({ questions }: TaskRecord) =>
    Object.keys(record.questions).every((key) => Object.hasOwn(questions, key))
  const moved = server.tasks().until(record.id, (one) => !waits(one), settled.signal)
  moved.then(stop, stop)
  link.rest(call, 'asking')
  try {
    await askByRequests(new Needs(questionsOf(record)), asker)
    await answerTask(call, record.id, asker.answers)
  } catch (error) {
    await refused(error, record.id, { asker, call })
  } finally {
    link.wake(call)
    call.signal.removeEventListener('abort', stop)
    settled.abort() // Whereupon nobody waits any more, and the asker stops.
  }
}

function questionsOf({ id, questions }: TaskRecord) {
  const related = Object.entries(questions).map(([key, { method, params }]) => [
    key,
    { method, params: relatedTask(params, id) },
  ])
  return Object.fromEntries(related)
}

interface TaskAsking {
  /** What the questions are put with. */
  readonly asker: Call
  /** What waits for the task. */
  readonly call: Call
}

/** A client that refuses to answer ends the task as it would have ended the call; one that left may come back. */
async function refused(error: unknown, id: string, { asker, call }: TaskAsking): Promise<void> {
  if (call.aborted || error instanceof Fault || error instanceof ClientLeft) throw error
  if (asker.aborted) return // The task has been answered elsewhere, or is over.
  const content = [{ type: 'text', text: (error as Error).message }] // Nothing else is thrown there.
  await call.server
    .tasks()
    .change(id, (one) => ended(one, { status: 'completed', result: { content, isError: true } }))
}

function resultOf({ id, outcome }: TaskRecord): Result {
  if (outcome.status === 'failed') throw new Told(outcome.error)
  if (outcome.status !== 'completed') throw new Fault('invalidRequest', 'The task was cancelled')
  return relatedTask(outcome.result, id)
}

const PAGE = 100

export async function listTasks(call: Call): Promise<Result> {
  const cursor = checkOptionalString(call.params, 'cursor') ?? '0'
  if (!/^\d{1,15}$/.test(cursor))
    throw new Fault('invalidParams', 'Invalid params: cursor: expected a nextCursor of this list')
  const { tasks, settings } = call.server
  const list = listOf(call)
  if (list === undefined) return { tasks: [] }
  const { records, next } = await tasks().list(list.name, Number(cursor), Math.min(PAGE, settings.pageSize))
  return { tasks: records.map(toCoreTask), ...(next !== undefined && { nextCursor: String(next) }) }
}
