import { checkedQuestions, untilAnswered } from '../asking/index.ts'
import type { Needs } from '../asking/needs.ts'
import type { Call } from '../call.ts'
import { Fault, toWire } from '../faults.ts'
import type { Result } from '../jsonrpc/message.ts'
import type { Tool } from '../offers/tool.ts'
import { fail, report } from '../results/tool-result.ts'
import type { Server } from '../server.ts'
import { answersOf, ended, isOver, type Outcome, type TaskRecord } from './record.ts'

/** A tool at work for a task: what runs it, and the call it is given. */
export interface Job {
  readonly id: string
  readonly tool: Tool
  readonly call: Call
  readonly run: () => Promise<unknown>
}

/** Sees a task through to its end; never rejects. */
export async function work(job: Job, begun: Promise<unknown>): Promise<void> {
  const outcome = await finish(job, begun)
  job.call.finished = true
  await keepOutcome(job, outcome)
  job.call.server.tasks.release(job.id)
}

async function finish(job: Job, begun: Promise<unknown>): Promise<Outcome> {
  const { tool, call } = job
  try {
    const output = await untilAnswered(
      begun,
      (needs) => askInTask(job, needs),
      () => resume(job),
    )
    return { status: 'completed', result: checkJson(await report(tool, output, call)) }
  } catch (error) {
    return failure(error, tool, call)
  }
}

/** Waits until all that a task has asked is answered, and runs its tool with the answers. */
export async function resume(job: Job): Promise<unknown> {
  const { id, call, run } = job
  const { tasks } = call.server
  const goesOn = (one: TaskRecord) => one.outcome.status !== 'input_required' || one.node !== tasks.node
  tasks.rest(id)
  await tasks.until(id, goesOn, call.signal)
  tasks.wake(id)
  // Should this process end from here on, the tool was at work.
  const take = (one: TaskRecord) =>
    one.node === tasks.node ? { ...one, answers: answersOf(one), given: {} } : undefined
  const record = await tasks.change(id, take, 'quietly')
  if (record === undefined || isOver(record) || record.node !== tasks.node) {
    throw new Fault('invalidRequest', 'The task was cancelled')
  }
  call.answers = record.answers
  call.state = record.state
  return run()
}

/** The questions are put with the task; whoever looks at it may answer them. */
async function askInTask({ id, call }: Job, needs: Needs): Promise<void> {
  const { tasks } = call.server
  const asked = checkedQuestions(needs, call)
  await tasks.change(id, (record) => {
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
      outcome: { status: keyed.length === 0 ? 'working' : 'input_required' },
    }
  })
}

/** A key is used once in the life of a task. */
function unusedKey(name: string, taken: Set<string>): string {
  let key = name
  for (let round = 2; taken.has(key); round++) key = `${name}-${round}`
  taken.add(key)
  return key
}

/** What cannot be written cannot be kept, and what is kept must not change any more. */
function checkJson(result: Result): Result {
  try {
    return JSON.parse(JSON.stringify(result))
  } catch {
    throw new Fault('internalError', 'The answer cannot be written as JSON')
  }
}

function failure(error: unknown, tool: Tool, call: Call): Outcome {
  try {
    return { status: 'completed', result: fail(error, tool, call) }
  } catch (fault) {
    return { status: 'failed', error: toWire(fault, call.peer.revision.codes, call.server.dialect.codes) }
  }
}

/** How long to wait before a store that failed is tried again. */
const PAUSES_MS = [100, 1000, 5000, 15_000]

/** Hours of work should not be lost because the store was away for a moment. */
async function keepOutcome({ id, call }: Job, outcome: Outcome): Promise<void> {
  const { tasks, platform } = call.server
  for (const pauseMs of [...PAUSES_MS, undefined]) {
    try {
      await tasks.change(id, (record) => (record.node === tasks.node ? ended(record, outcome) : undefined))
      return
    } catch {
      // Its observer has been told. Whoever looks at the task later hears that it was interrupted.
      if (pauseMs === undefined) return
      await new Promise<void>((resolve) => platform.after(pauseMs, resolve))
    }
  }
}

/** What a task has become that nobody works on any more. */
export async function interrupt(record: TaskRecord, { tasks }: Server): Promise<TaskRecord> {
  const told = await tasks.change(record.id, (one) =>
    one.node === record.node ? ended(one, INTERRUPTED) : undefined,
  )
  return told ?? record
}

const INTERRUPTED: Outcome = {
  status: 'failed',
  error: { code: -32603, message: 'The task was interrupted: its server ended before it did' },
}
