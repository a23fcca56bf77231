import {
  CALL,
  type Call,
  cut,
  elicit,
  Fault,
  isGranted,
  isObject,
  type JsonObject,
  MAX_DEPTH,
  missingCapability,
  notFound,
  type Question,
  type Questions,
  type Result,
  type ScriptCall,
  Told,
  tooDeep,
  toWire,
  weigh,
} from '../../kernel/index.ts'
import { textOf } from './text.ts'

/** What has come of a call that a script has made: a value as JSON, why there is none, or what the user is asked first. */
export type CallOutcome =
  | { readonly value: string }
  | { readonly error: string; readonly unmade?: true }
  | { readonly asked: AskedOfScript }

/** What a call waits for; without a state of the tool's it is the user's word that it may be made. */
export interface AskedOfScript {
  readonly questions: Questions
  readonly requestState?: string
}

/** Has a script's call made, by the way of any call: anew, or with what the user has said, if it is for its tool to read. */
export async function makeCall(call: Call, made: ScriptCall, round?: JsonObject): Promise<CallOutcome> {
  const { server, owner, principal } = call
  const { name } = made
  const tool = server.tools.find(name, owner)
  if (tool !== undefined && !isGranted(tool.scopes, principal))
    return { error: notFound(name, call), unmade: true }
  if (tooDeep(made.args))
    return { error: `The arguments of ${name} are too deep: at most ${MAX_DEPTH} levels`, unmade: true }
  if (round === undefined && tool !== undefined && asksFirst(tool.listed, call)) return askFirst(call, made)
  const lack = made.args.length > SMALL ? server.underway.lack(owner, made.args.length) : undefined
  if (lack !== undefined) return { error: `${name} was not called: ${lack.message}`, unmade: true }
  try {
    const result = await invokeWeighed(call, made, round ?? {})
    if (tool === undefined) return { error: textOf(result), unmade: true }
    return readResult(result, tool.listed, call)
  } catch (error) {
    return { error: tell(error, call) }
  }
}

/** Arguments as small as these take room that nobody misses. */
const SMALL = 1024

/** What a call is made with counts until it has ended, as that of a client's does. */
async function invokeWeighed(call: Call, made: ScriptCall, round: JsonObject): Promise<Result> {
  const { server, owner } = call
  const args: JsonObject = JSON.parse(made.args)
  const weight = CALL + made.args.length + weigh(args)
  server.underway.count(owner, weight)
  try {
    return await server.invoke(call, { name: made.name, args, round })
  } finally {
    server.underway.remove(owner, weight)
  }
}

/** What the user has said to a call that asked for their word, or to its tool. */
export function answerCall(
  call: Call,
  made: ScriptCall,
  { asked, answers }: { readonly asked: AskedOfScript; readonly answers: JsonObject },
): Promise<CallOutcome> {
  const { requestState } = asked
  if (requestState !== undefined) return makeCall(call, made, { requestState, inputResponses: answers })
  const { allow } = answers
  if (isObject(allow) && allow['action'] === 'accept') return makeCall(call, made, {})
  return Promise.resolve({ error: `The user did not allow ${made.name}`, unmade: true })
}

function asksFirst({ annotations }: JsonObject, { server }: Call): boolean {
  return (
    server.settings.destructive === 'ask' && isObject(annotations) && annotations['destructiveHint'] === true
  )
}

function askFirst({ peer }: Call, { name, args }: ScriptCall): CallOutcome {
  const message = `A script wants to call ${name}, which may destroy something, with ${cut(args, 500)}. Is it allowed to?`
  const allow = elicit({ message, schema: { type: 'object', properties: {} } })
  if (missingCapability(allow, peer) === undefined) return { asked: { questions: { allow } } }
  const error = `${name} may destroy something, so the user is asked first, and this client cannot ask them: use one that can, or have the server serve with --destructive allow`
  return { error, unmade: true }
}

function readResult(result: Result, listed: JsonObject, { peer }: Call): CallOutcome {
  const { resultType, inputRequests, requestState, structuredContent, isError } = result
  if (resultType === 'input_required') {
    const questions = inputRequests as Questions // As the kernel has made them.
    const [lacks] = Object.values(questions).flatMap((one: Question) => missingCapability(one, peer) ?? [])
    if (lacks === undefined) return { asked: { questions, requestState: String(requestState) } }
    return { error: `The client lacks a capability this needs: ${lacks.reason}` }
  }
  if (isError === true) return { error: textOf(result) }
  const isTyped = listed['outputSchema'] !== undefined && structuredContent !== undefined
  return { value: JSON.stringify(isTyped ? structuredContent : textOf(result)) }
}

/** What went wrong on our side is for the log. */
function tell(error: unknown, call: Call): string {
  if (!(error instanceof Fault || error instanceof Told) && !call.aborted) call.crashed(error)
  return toWire(error).message
}
