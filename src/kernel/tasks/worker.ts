import { askFirst } from '../asking/ask-first.ts'
import { checkedQuestions, untilAnswered } from '../asking/index.ts'
import type { Needs } from '../asking/needs.ts'
import { ownerOf } from '../callers/audience.ts'
import { Call } from '../calls/call.ts'
import { findTool } from '../calls/find-tool.ts'
import { NOWHERE } from '../calls/outlet.ts'
import type { Server } from '../calls/server.ts'
import type { OfferedTool } from '../catalogue/tool.ts'
import { Fault, toWire } from '../faults.ts'
import { asJson } from '../jsonrpc/as-json.ts'
import type { Id, JsonObject, Request, Result } from '../jsonrpc/message.ts'
import { fail, report } from '../results/tool-result.ts'
import { findRevision, NEWEST } from '../revisions/index.ts'
import { answersOf, ended, isOver, isWaiting, type TaskOutcome, type TaskRecord } from './record.ts'

/** A tool at work for a task: what runs it, and the call it is given. */
export interface Job {
  readonly id: string
  readonly tool: OfferedTool
  readonly call: Call
  readonly run: () => Promise<unknown>
}

/** What a task keeps of its request, which is all that counts against its caller. */
export function requestOf({ request }: TaskRecord, id: Id): Request {
  const { name, arguments: args, meta, front } = request
  const params: JsonObject = { name, arguments: args, _meta: meta }
  return { kind: 'request', id, method: 'tools/call', params, length: 0, front }
}

/** Sees a task through to its end; never rejects. */
export async function work(job: Job, begun: Promise<unknown>): Promise<void> {
  const { call } = job
  call.running = begun
  call.onAbort = () => call.server.abandoned.add(call)
  const outcome = await finish(job, begun)
  job.call.finish()
  await keepOutcome(job, outcome)
  job.call.server.tasks().release(job.id)
}

async function finish(job: Job, begun: Promise<unknown>): Promise<TaskOutcome> {
  const { tool, call } = job
  try {
    const output = await untilAnswered(
      begun,
      (needs) => askInTask(job, needs),
      () => resume(job),
    )
    return { status: 'completed', result: checkJson(await report(tool, output, call), call) }
  } catch (error) {
    return failure(error, tool, call)
  }
}

/** How often a task whose server keeps ending is run again. */
const MAX_RUNS = 3

/** Goes on with a task whose process has ended, or says that it was interrupted. */
export async function takeOver(server: Server, record: TaskRecord): Promise<TaskRecord> {
  const job = await revive(server, record)
  if (job === undefined) return interrupt(record, server)
  const adopted = await server.tasks().adopt(record, job.call)
  if (adopted === undefined) return record // Somebody else was faster, and whoever looks again sees what they did.
  void work(job, isWaiting(adopted) ? resume(job) : job.run())
  return adopted
}

/**
 * The work on a task as it can be taken up again: one that waits for answers always, since a tool that asks is run from
 * its start anyway; one that was interrupted only if its author said that this does no harm.
 */
async function revive(server: Server, record: TaskRecord): Promise<Job | undefined> {
  const { name, front } = record.request
  const tool = findTool(name, { server, owner: ownerOf(record.principal ?? undefined), front })
  const mayRun = isWaiting(record) || (tool?.repeatable === true && record.runs < MAX_RUNS)
  if (tool === undefined || !mayRun) return undefined
  const reading = await tool.input.read(record.request.arguments)
  if ('problems' in reading) return undefined // The tool has changed meanwhile.
  const call = reviveCall(server, record)
  const run = tool.tasks === undefined ? async () => askFirst(tool, reading.value, call) : again
  return { id: record.id, tool, call, run }

  function again(): Promise<unknown> {
    return follow(tool as OfferedTool, call, record.id) // It is there, as was looked up.
  }
}

/** Waits for what comes of a task that another server works on; what is said of it meanwhile is told with ours. */
export async function follow({ tasks }: OfferedTool, call: Call, id: string): Promise<unknown> {
  const tell = (message: string) => {
    const alter = (one: TaskRecord) => (one.message === message ? undefined : { ...one, message })
    call.server
      .tasks()
      .change(id, alter)
      .catch(() => {}) // The store is known to be in trouble; the result is told again.
  }
  return tasks?.follow(call, tell)
}

/** A call like the one that began the task, with nobody at its other end. */
function reviveCall(server: Server, record: TaskRecord): Call {
  const { principal, capabilities } = record
  const link = server.open({ outlet: NOWHERE, ...(principal !== null && { principal }) })
  const own = server.revisions.find(({ id }) => id === record.revision)
  const revision = own ?? findRevision(record.revision) ?? NEWEST
  const call = new Call(requestOf(record, record.id), link, NOWHERE)
  call.peer = { revision, capabilities, info: undefined, logLevel: undefined }
  call.answers = answersOf(record)
  call.state = record.state
  return call
}

/** Waits until all that a task has asked is answered, and runs its tool with the answers. */
async function resume(job: Job): Promise<unknown> {
  const { id, call, run } = job
  const tasks = call.server.tasks()
  const goesOn = (one: TaskRecord) => one.outcome.status !== 'input_required' || one.node !== tasks.node
  tasks.rest(id)
  await insist(job, () => tasks.until(id, goesOn, call.signal))
  tasks.wake(id)
  // Should this process end from here on, the tool was at work.
  const take = (one: TaskRecord) =>
    one.node === tasks.node ? { ...one, answers: answersOf(one), given: {} } : undefined
  const record = await insist(job, () => tasks.change(id, take, 'quietly'))
  if (record === undefined || isOver(record) || record.node !== tasks.node) {
    throw new Fault('invalidRequest', 'The task was cancelled')
  }
  call.answers = record.answers
  call.state = record.state
  call.running = run()
  return call.running
}

function tooLate({ key }: OfferedTool): string {
  return `The tool ${key} asks before: 'task' after it has waited for something, so its task asks. A tool that has to wait first asks in its ask(args, call).`
}

/** The questions are put with the task; whoever looks at it may answer them. */
async function askInTask(job: Job, needs: Needs): Promise<void> {
  const { id, tool, call } = job
  const { observe } = call.server
  const tasks = call.server.tasks()
  if (needs.before === 'task') observe({ kind: 'noted', level: 'warning', message: tooLate(tool) })
  const asked = checkedQuestions(needs, call)
  const ask = (record: TaskRecord) => {
    if (record.node !== tasks.node) return undefined
    const keyed = Object.entries(asked).map(([name, question]) => ({ name, question, key: name }))
    const taken = new Set(Object.keys({ ...record.keys, ...call.answers }))
    for (const one of keyed) one.key = unusedKey(one.name, taken)
    return {
      ...record,
      answers: call.answers,
      state: needs.state,
      keys: { ...record.keys, ...Object.fromEntries(keyed.map(({ key, name }) => [key, name])) },
      questions: Object.fromEntries(keyed.map(({ key, question }) => [key, question])),
      given: {},
      outcome: { status: keyed.length === 0 ? ('working' as const) : ('input_required' as const) },
    }
  }
  await insist(job, () => tasks.change(id, ask))
}

/** A key is used once in the life of a task. */
function unusedKey(name: string, taken: Set<string>): string {
  let key = name
  for (let round = 2; taken.has(key); round++) key = `${name}-${round}`
  taken.add(key)
  return key
}

/** What cannot be written cannot be kept, and what is kept must not change any more. */
function checkJson(result: Result, call: Call): Result {
  try {
    return asJson(result) as Result // A result is an object, and stays one.
  } catch (error) {
    call.unprintable(error)
    throw new Fault('internalError', 'The answer cannot be written as JSON')
  }
}

function failure(error: unknown, tool: OfferedTool, call: Call): TaskOutcome {
  try {
    return { status: 'completed', result: fail(error, tool, call) }
  } catch (fault) {
    return { status: 'failed', error: toWire(fault, call.peer.revision.codes, call.server.dialect.codes) }
  }
}

/** How long to wait before a store that failed is tried again. */
const PAUSES_MS = [100, 1000, 5000, 15_000]

/** Hours of work should not be lost because the store was away for a moment; its observer has been told. */
async function insist<Value>({ call }: Job, change: () => Promise<Value>): Promise<Value> {
  const { platform } = call.server
  for (const pauseMs of PAUSES_MS) {
    try {
      return await change()
    } catch {
      await new Promise<void>((resolve) => platform.after(pauseMs, resolve))
    }
  }
  return change()
}

/** Should it not be kept after all, whoever looks at the task later hears that it was interrupted. */
async function keepOutcome(job: Job, outcome: TaskOutcome): Promise<void> {
  const { id, call } = job
  const tasks = call.server.tasks()
  const keep = async () => {
    if (!tasks.holds(id)) return // It is over, or left to others.
    await tasks.change(id, (record) => (record.node === tasks.node ? ended(record, outcome) : undefined))
  }
  await insist(job, keep).catch(() => {})
}

/** What a task has become that nobody works on any more. */
async function interrupt(record: TaskRecord, server: Server): Promise<TaskRecord> {
  const told = await server
    .tasks()
    .change(record.id, (one) => (one.node === record.node ? ended(one, INTERRUPTED) : undefined))
  return told ?? record
}

const INTERRUPTED: TaskOutcome = {
  status: 'failed',
  error: toWire(new Fault('internalError', 'The task was interrupted: its server ended before it did')),
}
