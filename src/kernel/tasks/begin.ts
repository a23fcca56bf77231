import { askFirst } from '../asking/ask-first.ts'
import { askByRequests, inputRequired, resumeAnswers } from '../asking/index.ts'
import { MAX_ROUNDS, Needs } from '../asking/needs.ts'
import type { Call } from '../calls/call.ts'
import type { OfferedTool } from '../catalogue/tool.ts'
import { Fault } from '../faults.ts'
import type { Result } from '../jsonrpc/message.ts'
import { createCall, createRecord, listOf } from './create.ts'
import { type Start, startElsewhere } from './elsewhere.ts'
import { isCore } from './offered.ts'
import { isOver, type TaskRecord } from './record.ts'
import { toCoreTask, toTask } from './wire.ts'
import { type Job, work } from './worker.ts'

/** Answers a call with a task, or with what its tool wants to know before it becomes one. */
export async function callAsTask(tool: OfferedTool, value: unknown, call: Call): Promise<Result> {
  const start = await startTask(tool, value, call)
  if ('first' in start) return start.first
  if (!isCore(call)) return { resultType: 'task', ...toTask(start.record) }
  tellOf(start.record, call)
  return { task: toCoreTask(start.record) }
}

/** Has a client of 2025-11-25 hear how its task stands, after it has heard that there is one. */
function tellOf({ id }: TaskRecord, { link, server }: Call): void {
  const { listener } = link
  if (listener === undefined) return
  link.hold()
  listener.followed ??= new Map()
  const { followed } = listener
  followed.set(id, (task) => {
    if (isOver(task)) followed.delete(id)
    link.notify('notifications/tasks/status', toCoreTask(task))
  })
  const [oldest = id] = followed.keys()
  if (followed.size > server.budgets.maxTasksPerCaller) followed.delete(oldest) // It has expired, and nobody said so.
}

async function startTask(tool: OfferedTool, value: unknown, call: Call): Promise<Start> {
  const { server } = call
  await resumeAnswers(call)
  if (tool.tasks !== undefined) return startElsewhere(tool, tool.tasks, call)
  const created = createRecord(call)
  const own = createCall(created, call)
  const job: FirstJob = {
    id: created.id,
    tool,
    call: own,
    // Before there is a task it is a call like any other.
    ask: tool.ask && (async () => tool.ask?.(value, call)),
    run: async () => askFirst(tool, value, own),
  }
  server.tasks().admit(created)
  try {
    const start = await begin(job, call)
    if ('first' in start) {
      server.tasks().dismiss(created.id)
      return start
    }
    const record = { ...created, answers: job.call.answers, state: job.call.state }
    if (call.aborted) throw new Error('The call was cancelled before its task had begun')
    await server.tasks().create(record, job.call, listOf(call))
    void work(job, start.begun)
    return { record }
  } catch (error) {
    server.tasks().dismiss(created.id)
    job.call.abort()
    throw error
  }
}

interface FirstJob extends Job {
  readonly ask: (() => Promise<unknown>) | undefined
}

/** Has the tool ask what it wants to know before it becomes a task, and begins it. */
async function begin(
  job: FirstJob,
  call: Call,
): Promise<{ readonly begun: Promise<unknown> } | { readonly first: Result }> {
  for (let round = 0; ; round++) {
    const attempted = await attempt(job)
    if ('begun' in attempted) return attempted
    const { early } = attempted
    if (call.peer.revision.asking === 'retry') return { first: inputRequired(early, call) }
    const wrong =
      round === MAX_ROUNDS
        ? new Error(`Still asking after ${MAX_ROUNDS} rounds`)
        : await askBefore(early, job, call)
    if (wrong !== undefined) return { begun: heldBack(Promise.reject(wrong)) }
  }
}

type FirstAttempt = { readonly begun: Promise<unknown> } | { readonly early: Needs }

/** A tool that has an `ask` gets all the time it wants for it; one that has none is begun, and asks at once or as a task. */
async function attempt({ ask, run }: FirstJob): Promise<FirstAttempt> {
  if (ask === undefined) {
    const begun = run()
    const early = await peek(begun)
    return early instanceof Needs && early.before === 'task' ? { early } : { begun }
  }
  try {
    const early = await ask()
    return early instanceof Needs ? { early } : { begun: heldBack(run()) }
  } catch (error) {
    return { begun: heldBack(Promise.reject(error)) }
  }
}

/** What goes wrong is for the task to tell, once it has been kept. */
function heldBack(begun: Promise<unknown>): Promise<unknown> {
  begun.catch(() => undefined)
  return begun
}

/** Gives what went wrong, for the task to tell; only what the client cannot do at all is told at once. */
async function askBefore(needs: Needs, job: Job, call: Call): Promise<Error | undefined> {
  call.link.rest(call, 'asking')
  try {
    await askByRequests(needs, call)
  } catch (error) {
    if (error instanceof Fault) throw error
    return error as Error // Nothing else is thrown there.
  } finally {
    call.link.wake(call)
  }
  job.call.answers = call.answers
  job.call.state = call.state
  return undefined
}

/** More than any function takes that waits for nothing but its own promises. */
const TURNS = 32

/** What a function gives without waiting for anything; told by turns, since by a clock it would depend on the day. */
async function peek(begun: Promise<unknown>): Promise<unknown> {
  let given: unknown
  begun.then(
    (value) => {
      given = value
    },
    () => undefined, // The task tells.
  )
  for (let turn = 0; turn < TURNS && given === undefined; turn++) await Promise.resolve()
  return given
}
