import { answer } from '../asking/answer.ts'
import { askFirst } from '../asking/ask-first.ts'
import { isGranted } from '../callers/audience.ts'
import type { Call } from '../calls/call.ts'
import { calledHere } from '../calls/called-here.ts'
import { findTool } from '../calls/find-tool.ts'
import { notFound } from '../calls/not-found.ts'
import { MISSING, ownerOfAbsent } from '../calls/relaying.ts'
import type { ToolFront } from '../catalogue/front.ts'
import type { OfferedTool } from '../catalogue/tool.ts'
import { checkObject, checkOptionalObject, checkString } from '../check/params.ts'
import { Fault } from '../faults.ts'
import { fitTool } from '../fitting/listing.ts'
import type { JsonObject, Result } from '../jsonrpc/message.ts'
import { type Problem, printProblems, type Reading } from '../ports/validator.ts'
import { fail, report } from '../results/tool-result.ts'
import type { Revision } from '../revisions/revision.ts'
import { becomesTask, expectsTask } from '../tasks/offered.ts'
import { cut, repeat } from '../words/describe.ts'
import { listPage } from './listing.ts'

export function listTools(call: Call): Result {
  const { front, tools, settings, fittingFor } = call.server
  const page = front === undefined ? listPage('tools', tools, { call }) : listBehind(front, call)
  const fit = settings.fit === 'host' ? fittingFor?.(call.peer.info) : undefined
  if (fit === undefined) return page
  const listed = page['tools'] as readonly JsonObject[] // A list, as `listPage` has made it.
  const budgetOf = ({ name }: JsonObject) =>
    tools.find(String(name), call.owner)?.budget ?? call.server.settings.budget
  const fitted = listed.map((tool) => fitTool(fit.tool(tool, budgetOf(tool)), call.peer.revision))
  return { ...page, cacheScope: 'private', tools: fitted } // Not every client is shown it alike.
}

/** A client that is shown what stands before the tools sees of these only the ones that are always shown. */
function listBehind(front: ToolFront, call: Call): Result {
  const { server, peer } = call
  const isBefore = front.isBefore(call)
  const page = listPage('tools', server.tools, {
    call,
    only: isBefore ? ({ always }) => always : undefined,
  })
  const own = front.depends ? { ...page, cacheScope: 'private' } : page
  if (!isBefore || call.params?.['cursor'] !== undefined) return own
  const first = [...front.tools].map(({ listed }) => fitTool(listed, peer.revision))
  return { ...own, tools: [...first, ...(page['tools'] as readonly JsonObject[])] } // A list, as `listPage` has made it.
}

export function callTool(call: Call, side: 'outside' | 'inside' = 'outside'): Result | Promise<Result> {
  const name = checkString(call.params, 'name')
  const args = ARGUMENTS[call.peer.revision.arguments](call.params, 'arguments')
  const { server, owner, request } = call
  const tool = findTool(name, { server, owner, front: request.front })
  if (tool === undefined) return missing(name, call)
  const around = tool.origin?.around
  if (around !== undefined && side === 'outside') return around(call, (one: Call) => callTool(one, 'inside'))
  if (tool.headers.length > 0 && request.front === undefined) checkHeaders(tool, call)
  const reading = tool.input.read(args)
  return reading instanceof Promise
    ? reading.then((read) => (call.aborted ? CALLED_OFF : runTool(tool, read, call)))
    : runTool(tool, reading, call)
}

/** What a call comes to that was cancelled before its tool had begun; nobody hears it. */
const CALLED_OFF: Result = {}

/** A transport may have been told something else than the arguments say. */
function checkHeaders(tool: OfferedTool, call: Call): void {
  const { outlet, request } = call
  const fault = outlet.checkArguments?.(request, tool.headers)
  if (fault === undefined) return
  outlet.refused?.(request, fault)
  throw fault
}

/** One that is not offered for a reason says so to whoever might have used it; of any other nothing is known. */
function missing(name: string, call: Call): Result {
  for (const upstream of call.server.relaying.upstreams) upstream.asked()
  const withheld = call.server.relaying.withheld.get(name)
  if (withheld !== undefined && isGranted(withheld.scopes, call.link.principal)) {
    call.upstream = withheld.upstream
    return absent(name, withheld.reason)
  }
  const owner = ownerOfAbsent(name, call.server.relaying, call.link.principal)
  call.upstream = owner?.name
  if (owner !== undefined) return absent(owner.name, owner.reason)
  if (call.request.front !== 'through') throw unknownTool(name, call)
  return failed(notFound(name, call)) // A model that looks for tools by a search is told where to look.
}

/** Marked as on lists, since whoever looks at lists first can tell it from a tool that failed. */
function absent(name: string, reason: string): Result {
  return { ...failed(reason), _meta: { [MISSING]: { [name]: reason } } }
}

function failed(text: string): Result {
  return { content: [{ type: 'text', text }], isError: true }
}

function unknownTool(name: string, call: Call): Fault {
  const requestedTool = cut(name)
  const message = `Unknown tool: ${requestedTool}${calledHere('tools', name, call)}`
  return new Fault('unknownTool', message, undefined, { requestedTool })
}

const ARGUMENTS: Record<Revision['arguments'], typeof checkObject> = {
  optional: checkOptionalObject,
  required: checkObject,
}

function runTool(tool: OfferedTool, reading: Reading, call: Call): Result | Promise<Result> {
  const asTask = (tool.task !== undefined || call.params?.['task'] !== undefined) && becomesTask(tool, call)
  if ('problems' in reading) return refuseArguments(tool, reading.problems, call)
  call.toolWatch?.toolBegan()
  if (asTask) return callAsTask(tool, reading.value, call)
  try {
    const result = answer(call, {
      offer: tool,
      run:
        tool.ask === undefined
          ? () => tool.run(reading.value, call)
          : () => askFirst(tool, reading.value, call),
      report,
    })
    return result instanceof Promise ? result.catch((error) => fail(error, tool, call)) : result
  } catch (error) {
    return fail(error, tool, call)
  }
}

/** What that takes is loaded with the first task. */
async function callAsTask(tool: OfferedTool, value: unknown, call: Call): Promise<Result> {
  const tasks = await import('../tasks/begin.ts')
  return tasks.callAsTask(tool, value, call)
}

function refuseArguments(tool: OfferedTool, problems: readonly Problem[], call: Call): Result {
  const { dialect } = call.server
  const text = `Invalid arguments for tool ${tool.key}: ${printProblems(problems)}`
  const way = dialect.badArguments === 'as-revision' ? call.peer.revision.badArguments : dialect.badArguments
  if (way === 'fault' || expectsTask(call)) throw invalidArguments(tool, text, call)
  return { content: [{ type: 'text', text }], isError: true }
}

function invalidArguments(tool: OfferedTool, text: string, call: Call): Fault {
  const details = {
    expectedSchema: tool.input.schema,
    receivedParams: repeat(call.params?.['arguments'] ?? {}),
  }
  return new Fault('invalidArguments', text, undefined, details)
}
