import { askWhileResting, inputRequired, untilAnswered } from '../asking/index.ts'
import { Needs } from '../asking/needs.ts'
import type { Call } from '../calls/call.ts'
import type { OfferedTool } from '../catalogue/tool.ts'
import type { TasksElsewhere } from '../definitions/relayed.ts'
import type { Result } from '../jsonrpc/message.ts'
import { fail, report } from '../results/tool-result.ts'
import { createCall, createRecord, listOf } from './create.ts'
import { isCore } from './offered.ts'
import type { TaskRecord } from './record.ts'
import { TaskElsewhere } from './task-elsewhere.ts'
import { follow, type Job, work } from './worker.ts'

/** What came of an attempt to begin a task: the task, or a result that asks the client for something first. */
export type Start = { readonly record: TaskRecord } | { readonly first: Result }

/** Another server decides whether there is a task; ours goes with it. */
export async function startElsewhere(tool: OfferedTool, tasks: TasksElsewhere, call: Call): Promise<Start> {
  const given = await untilBegun(tasks, call).catch((error: unknown) => fail(error, tool, call))
  if (given instanceof Needs) return { first: inputRequired(given, call) }
  const created = createRecord(call)
  if (!(given instanceof TaskElsewhere)) {
    const result = await report(tool, given, call)
    // A client that asks for a task can read nothing else: what was answered at once is that of a task that is over.
    return isCore(call) ? keep(created, { tool, call, run: async () => result }) : { first: result }
  }
  const { state, ttlMs, abandon } = given
  const record = { ...created, state, ttlMs: shorter(created.ttlMs, ttlMs) }
  return keep(record, { tool, call, run: (own) => follow(tool, own, record.id) }).catch((error: unknown) => {
    abandon()
    throw error
  })
}

interface KeptElsewhere {
  readonly tool: OfferedTool
  /** The call that asked for the task. */
  readonly call: Call
  readonly run: (own: Call) => Promise<unknown>
}

async function keep(record: TaskRecord, { tool, call, run }: KeptElsewhere): Promise<Start> {
  const tasks = call.server.tasks()
  const own = createCall(record, call)
  own.answers = {}
  own.state = record.state
  tasks.admit(record)
  try {
    await tasks.create(record, own, listOf(call))
  } catch (error) {
    tasks.dismiss(record.id)
    throw error
  }
  const job: Job = { id: record.id, tool, call: own, run: () => run(own) }
  void work(job, job.run())
  return { record }
}

/** What the other server wants to know first is asked in the way of the caller's revision. */
function untilBegun(tasks: TasksElsewhere, call: Call): Promise<unknown> {
  const begin = async () => tasks.begin(call)
  return call.peer.revision.asking === 'retry'
    ? begin()
    : untilAnswered(begin(), (needs) => askWhileResting(needs, call), begin)
}

function shorter(one: number | null, other: number | null): number | null {
  const least = Math.min(one ?? Number.POSITIVE_INFINITY, other ?? Number.POSITIVE_INFINITY)
  return Number.isFinite(least) ? least : null
}
