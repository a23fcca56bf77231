import type { Call } from '../calls/call.ts'
import type { OfferedTool } from '../catalogue/tool.ts'
import { checkOutput } from '../check/blocks.ts'
import { FAULTS, Fault, legible, Told } from '../faults.ts'
import { fitBlocks } from '../fitting/content.ts'
import { fitRelayedOutput } from '../fitting/relayed.ts'
import { fitsStructured } from '../fitting/structured.ts'
import { isObject, type JsonObject, type Result } from '../jsonrpc/message.ts'
import type { Reading } from '../ports/validator.ts'
import { misfit } from './misfit.ts'
import { isFailure, type Output, structuredIn, toOutput, toOutputOf } from './tool-output.ts'

/** What a tool throws is its own failure, unless it is a Fault. What it says is told to the model if it was meant to be. */
export function fail(thrown: unknown, tool: OfferedTool, call: Call): Result {
  const error = legible(thrown)
  call.toolWatch?.toolEnded()
  if (error instanceof Fault || error instanceof Told) throw error
  if (!call.aborted && !isAnswer(error)) call.crashed(error)
  const text = String(error instanceof Error && error.message !== '' ? error.message : error)
  if (call.peer.revision.failedTools === 'fault') throw failedTool(tool, text, stackOf(error, call))
  const told = isSlip(error) && !call.server.settings.debug ? FAULTS.internalError.message : text
  return { content: [{ type: 'text', text: told }], isError: true }
}

const RUNTIME_ERRORS: readonly object[] = [TypeError, RangeError, ReferenceError, SyntaxError, URIError].map(
  ({ prototype }) => prototype,
)

/** Errors of the runtime and of libraries, which have a `code`, may tell of paths, queries and hosts: they are for the log. */
function isSlip(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  return 'code' in error || RUNTIME_ERRORS.includes(Object.getPrototypeOf(error))
}

/** A plain Error is how a tool says that it cannot do what it was asked; any other kind is a mistake in it. */
function isAnswer(error: unknown): boolean {
  return error instanceof Error && Object.getPrototypeOf(error) === Error.prototype && !('code' in error)
}

function failedTool(tool: OfferedTool, error: string, stack: JsonObject = {}): Fault {
  return new Fault('failedTool', undefined, { tool: tool.key, error, ...stack })
}

/** A stack is for whoever debugs the server, and for nobody else. */
function stackOf(error: unknown, { server }: Call): JsonObject {
  return server.settings.debug && error instanceof Error ? { stacktrace: error.stack } : {}
}

/** What a tool gave, checked against its output schema and in words that the caller's revision has. */
export function report(tool: OfferedTool, returned: unknown, call: Call): Result | Promise<Result> {
  const whole = reportWhole(tool, returned, call)
  const result =
    whole instanceof Promise ? whole.then((one) => fitToHost(one, tool, call)) : fitToHost(whole, tool, call)
  const { bounds, settings } = call.server
  const budget = tool.budget ?? settings.budget
  if (budget === undefined || bounds === undefined) return result
  const bound = (whole: Result) => bounds().bound(whole, { tool, call, budget })
  return result instanceof Promise ? result.then(bound) : bound(result)
}

/** What a result has is put where its host looks; a text and nothing else is shown by every host. */
function fitToHost(result: Result, tool: OfferedTool, call: Call): Result | Promise<Result> {
  const { server, peer } = call
  const { structuredContent, content } = result
  const isText = structuredContent === undefined && isOneText(content)
  if (isText || server.settings.fit !== 'host') return result
  return server.fittingFor?.(peer.info)?.result(result, { tool, call }) ?? result
}

function isOneText(content: unknown): boolean {
  return Array.isArray(content) && content.length === 1 && content[0]?.type === 'text'
}

function reportWhole(tool: OfferedTool, returned: unknown, call: Call): Result | Promise<Result> {
  call.toolWatch?.toolEnded()
  if (typeof returned === 'string' && tool.output === undefined) return say(returned, call)
  if (tool.relayed && isObject(returned)) return relay(tool, returned, call)
  if (returned instanceof Error) return fail(returned, tool, call) // Whoever gives one has not thrown it, and means it.
  if (tool.output === undefined || isFailure(returned)) return finish(tool, toOutput(returned), call)
  const reading = tool.output.read(structuredIn(returned))
  const finishRead = (read: Reading) => finish(tool, toOutputOf(valueMade(tool, read, call), returned), call)
  return reading instanceof Promise ? reading.then(finishRead) : finishRead(reading)
}

function finish(tool: OfferedTool, output: Output, call: Call): Result {
  checkOutput(output, tool.key)
  if (output.isError && call.peer.revision.failedTools === 'fault') throw failedTool(tool, textOf(output))
  return fitOutput(output, call)
}

/** What another server gave has been checked there, and is the client's to judge. */
function relay(tool: OfferedTool, result: Result, { peer }: Call): Result {
  if (result['isError'] === true && peer.revision.failedTools === 'fault')
    throw failedTool(tool, textOf(result as unknown as Output))
  return fitRelayedOutput(result, peer.revision)
}

/** What most tools give, a text and nothing else, is the same in every revision. */
function say(text: string, { peer }: Call): Result {
  const content = [{ type: 'text', text }]
  return peer.revision.failedTools === 'tool-result' ? { content, isError: false } : { content }
}

/** What leaves is what the output schema makes of what was returned, for that is what is listed. */
function valueMade(tool: OfferedTool, reading: Reading, call: Call): unknown {
  if ('value' in reading) return reading.value
  throw misfit(tool, reading.problems, call)
}

function textOf({ content }: Output): string {
  return content.map((block) => (block.type === 'text' ? block.text : `[${block.type}]`)).join('\n')
}

function fitOutput(output: Output, call: Call): Result {
  const { revision } = call.peer
  const { content, isError, structuredContent, _meta } = output
  const result: { [key: string]: unknown } = { content: fitBlocks(content, revision) }
  if (revision.failedTools === 'tool-result') result['isError'] = isError
  if (structuredContent !== undefined && fitsStructured(structuredContent, revision)) {
    result['structuredContent'] = structuredContent
  }
  if (_meta !== undefined) result['_meta'] = _meta
  return result
}
