import { askFirst } from '../asking/ask-first.ts'
import { askByRequests, inputRequired, resumeAnswers } from '../asking/index.ts'
import { MAX_ROUNDS, Needs } from '../asking/needs.ts'
import type { Principal } from '../callers/principal.ts'
import { Call } from '../calls/call.ts'
import { NOWHERE, type Outlet } from '../calls/outlet.ts'
import type { OfferedTool } from '../catalogue/tool.ts'
import { checkOptionalObject } from '../check/params.ts'
import { Fault } from '../faults.ts'
import type { Result } from '../jsonrpc/message.ts'
import type { Revision } from '../revisions/revision.ts'
import { isCore } from './offered.ts'
import type { TaskRecord } from './record.ts'
import type { TaskList } from './server-tasks.ts'
import { relatedTask, toCoreTask, toTask } from './wire.ts'
import { type Job, requestOf, work } from './worker.ts'

/** Answers a call with a task, or with what its tool wants to know before it becomes one. */
export async function callAsTask(tool: OfferedTool, value: unknown, call: Call): Promise<Result> {
  const start = await startTask(tool, value, call)
  if ('first' in start) return start.first
  return isCore(call) ? { task: toCoreTask(start.record) } : { resultType: 'task', ...toTask(start.record) }
}

/** What came of an attempt to begin a task: the task, or a result that asks the client for something first. */
type Start = { readonly record: TaskRecord } | { readonly first: Result }

async function startTask(tool: OfferedTool, value: unknown, call: Call): Promise<Start> {
  const { server } = call
  await resumeAnswers(call)
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

/** Tasks are listed for whoever can be told from others; over a network without names that is a session. */
export function listOf({ principal, link, server }: Call): TaskList | undefined {
  const { taskTtlMs } = server.settings
  const ttl = Number.isFinite(taskTtlMs) ? { ttlMs: taskTtlMs } : {}
  if (principal === undefined) return { name: 'tasks-of-all', ttl }
  if (principal.anonymous !== true) return { name: `tasks-of/${principal.id}`, ttl }
  const session = link.carrier?.session
  return session === undefined ? undefined : { name: `tasks-of-session/${session}`, ttl }
}

/** The task's own call: cancelling the request that began it, or closing its connection, does not end it. */
function createCall(record: TaskRecord, asked: Call): Call {
  const { peer, link } = asked
  const call = new Call(requestOf(record, asked.id), link, OUTLETS[peer.revision.tasks](asked, record.id))
  call.peer = peer
  call.answers = asked.answers
  call.state = asked.state
  return call
}

/** In 2025-11-25 a task may go on telling of its progress; in the extension it is silent. */
const OUTLETS: Record<Revision['tasks'], (call: Call, id: string) => Outlet> = {
  none: () => NOWHERE,
  core: ({ link }, id) => ({
    send(message) {
      if ('method' in message) link.notify(message.method, relatedTask(message.params, id))
    },
  }),
  extension: () => NOWHERE,
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

function createRecord(call: Call): TaskRecord {
  const { params = {}, peer, principal, server } = call
  const { platform } = server
  const now = platform.now()
  return {
    id: platform.randomId(),
    principal: principal === undefined ? null : toKept(principal),
    node: server.tasks().node,
    runs: 1,
    request: {
      name: String(params['name']),
      arguments: checkOptionalObject(params, 'arguments'),
      meta: call.meta ?? {},
      ...(call.request.front === 'own' && { front: 'own' }),
    },
    revision: peer.revision.id,
    capabilities: peer.capabilities,
    createdAt: now,
    updatedAt: now,
    ttlMs: TTLS[peer.revision.tasks](call),
    answers: {},
    keys: {},
    questions: {},
    given: {},
    outcome: { status: 'working' },
  }
}

/** A principal without what somebody's authenticator may have hung on it. */
function toKept({ id, scopes, anonymous }: Principal): Principal {
  return { id, ...(scopes !== undefined && { scopes }), ...(anonymous === true && { anonymous }) }
}

/** Only in 2025-11-25 may the client say for how long it wants a task kept. */
const TTLS: Record<Revision['tasks'], (call: Call) => number | null> = {
  none: longest,
  core: (call) => {
    const { ttl } = checkOptionalObject(call.params, 'task')
    if (ttl === undefined || ttl === null) return longest(call)
    if (typeof ttl !== 'number' || !(ttl >= 0)) {
      throw new Fault('invalidParams', 'Invalid params: task.ttl: expected a number of milliseconds')
    }
    return Math.min(Math.max(1, Math.floor(ttl)), longest(call) ?? Number.MAX_SAFE_INTEGER)
  },
  extension: longest,
}

function longest({ server }: Call): number | null {
  const { taskTtlMs } = server.settings
  return Number.isFinite(taskTtlMs) ? taskTtlMs : null
}
