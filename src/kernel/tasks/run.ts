import { askByRequests, checkedQuestions, inputRequired, resumeAnswers } from '../asking/index.ts'
import { Needs } from '../asking/needs.ts'
import { Call } from '../call.ts'
import { Fault, toWire } from '../faults.ts'
import type { JsonObject, Request, Result } from '../jsonrpc/message.ts'
import type { Outlet } from '../link.ts'
import { fail, report } from '../methods/tool-result.ts'
import type { Tool } from '../offers/tool.ts'
import { findRevision, NEWEST } from '../revisions/index.ts'
import type { Server } from '../server.ts'
import { isOver, type Outcome, type TaskRecord } from './record.ts'

const MAX_ROUNDS = 20

/** A tool at work for a task: what runs it, and the call it is given. */
interface Job {
  readonly tool: Tool
  readonly call: Call
  readonly run: () => Promise<unknown>
}

/** Begins a task and gives its record, or a result that asks the client for something first. */
export async function startTask(tool: Tool, value: unknown, call: Call): Promise<TaskRecord | Result> {
  const { server, peer } = call
  await resumeAnswers(call)
  const job = createJob(tool, value, call)
  let begun = job.run()
  let early = await peek(begun, server)
  while (early instanceof Needs && early.before === 'task') {
    if (peer.revision.asking === 'retry') return inputRequired(early, call)
    await askByRequests(early, job.call)
    begun = job.run()
    early = await peek(begun, server)
  }
  const record = createRecord(call, server)
  await server.tasks.create(record, job.call)
  void work(record.id, job, begun)
  return record
}

/** Runs a task again whose process has ended, or says that it was interrupted. */
export async function takeOver(server: Server, record: TaskRecord): Promise<TaskRecord> {
  const tool = server.tools.find(record.request.name)
  const repeatable = tool?.repeatable === true
  const altered = await server.tasks.change(record.id, (one) => {
    if (one.node !== record.node) return undefined
    return repeatable ? { ...one, node: server.tasks.node } : { ...one, outcome: INTERRUPTED }
  })
  if (tool === undefined || !repeatable || altered?.node !== server.tasks.node) return altered ?? record
  const job = createJob(tool, record.request.arguments, reviveCall(server, altered))
  await server.tasks.create(altered, job.call)
  void work(record.id, job, job.run())
  return altered
}

const INTERRUPTED: Outcome = {
  status: 'failed',
  error: { code: -32603, message: 'The task was interrupted: its server ended before it did' },
}

/** The task's own call: cancelling the request that began it, or closing its connection, does not end it. */
function createJob(tool: Tool, value: unknown, asked: Call): Job {
  const { request, peer, link, server } = asked
  const call = new Call(request, peer, link, OUTLETS[peer.revision.tasks](asked), server)
  call.answers = asked.answers
  call.state = asked.state
  return { tool, call, run: async () => tool.run(value, call) }
}

const NOWHERE: Outlet = { send() {} }

/** In 2025-11-25 a task may go on telling of its progress; in the extension it is silent. */
const OUTLETS = {
  none: () => NOWHERE,
  core: (call: Call) => call.link.outlet,
  extension: () => NOWHERE,
}

function createRecord(call: Call, { platform, settings, tasks }: Server): TaskRecord {
  const { params = {}, peer } = call
  const now = platform.now()
  const wanted = (params['task'] as { readonly ttl?: number } | undefined)?.ttl
  return {
    id: platform.randomId(),
    principal: call.principal?.id ?? null,
    node: tasks.node,
    request: {
      name: String(params['name']),
      arguments: (params['arguments'] ?? {}) as JsonObject,
      meta: call.meta ?? {},
    },
    revision: peer.revision.id,
    capabilities: peer.capabilities,
    createdAt: now,
    updatedAt: now,
    ttlMs: typeof wanted === 'number' ? Math.min(wanted, settings.taskTtlMs) : settings.taskTtlMs,
    answers: call.answers,
    state: call.state,
    questions: {},
    outcome: { status: 'working' },
  }
}

/** What a function gives at once, as opposed to what it takes its time for. */
async function peek(begun: Promise<unknown>, { platform }: Server): Promise<unknown> {
  const later = new Promise<undefined>((resolve) => platform.after(0, () => resolve(undefined)))
  return Promise.race([begun.catch(() => undefined), later])
}

async function work(id: string, job: Job, begun: Promise<unknown>): Promise<void> {
  const { tasks } = job.call.server
  const outcome = await finish(id, job, begun)
  job.call.finish()
  await tasks.change(id, (record) => ({ ...record, questions: {}, outcome }))
}

async function finish(id: string, job: Job, begun: Promise<unknown>): Promise<Outcome> {
  const { tool, call } = job
  try {
    let output = await begun
    for (let round = 0; output instanceof Needs; round++) {
      if (round === MAX_ROUNDS) throw new Error(`Still asking after ${MAX_ROUNDS} rounds`)
      await askInTask(id, output, call)
      output = await job.run()
    }
    return { status: 'completed', result: await report(tool, output, call) }
  } catch (error) {
    return failure(error, tool, call)
  }
}

function failure(error: unknown, tool: Tool, call: Call): Outcome {
  try {
    return { status: 'completed', result: fail(error, tool, call) }
  } catch (fault) {
    return { status: 'failed', error: toWire(fault, call.peer.revision.codes, call.server.dialect.codes) }
  }
}

/** The questions are put with the task; whoever looks at it may answer them. */
async function askInTask(id: string, needs: Needs, call: Call): Promise<void> {
  const { tasks } = call.server
  const keys = new Map(Object.keys(needs.questions).map((key) => [uniqueKey(key, call.answers), key]))
  const checked = checkedQuestions(needs, call)
  const questions = Object.fromEntries(
    [...keys].map(([unique, key]) => [unique, checked[key] ?? { method: '' }]),
  )
  await tasks.change(id, (record) => ({
    ...record,
    questions,
    state: needs.state,
    outcome: { status: 'input_required' },
  }))
  const isAnswered = (record: TaskRecord) =>
    [...keys.keys()].every((key) => Object.hasOwn(record.answers, key))
  const record = await tasks.until(id, (one) => isOver(one) || isAnswered(one), call.signal)
  if (record === undefined || !isAnswered(record)) throw new Fault('invalidRequest', 'The task was cancelled')
  const answers = [...keys].map(([unique, key]) => [key, record.answers[unique]])
  call.answers = { ...call.answers, ...record.answers, ...Object.fromEntries(answers) }
  call.state = needs.state
}

/** A key is used once in the life of a task. */
function uniqueKey(key: string, answers: JsonObject): string {
  let unique = key
  for (let round = 2; Object.hasOwn(answers, unique); round++) unique = `${key}-${round}`
  return unique
}

/** A call like the one that began the task, with nobody at its other end. */
function reviveCall(server: Server, record: TaskRecord): Call {
  const { name, arguments: args, meta } = record.request
  const params = { name, arguments: args, _meta: meta }
  const request: Request = { kind: 'request', id: record.id, method: 'tools/call', params, envelope: {} }
  const principal = record.principal === null ? undefined : { id: record.principal }
  const link = server.open({ outlet: NOWHERE, ...(principal && { principal }) })
  const revision = findRevision(record.revision) ?? NEWEST
  const peer = { revision, capabilities: record.capabilities, info: undefined, logLevel: undefined }
  const call = new Call(request, peer, link, NOWHERE, server)
  call.answers = record.answers
  call.state = record.state
  return call
}
