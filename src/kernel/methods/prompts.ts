import { answer } from '../asking/answer.ts'
import type { Call } from '../calls/call.ts'
import { calledHere } from '../calls/called-here.ts'
import type { OfferedPrompt } from '../catalogue/prompt.ts'
import { wrongBlock } from '../check/blocks.ts'
import { object, text } from '../check/members.ts'
import { checkOptionalObject, checkString } from '../check/params.ts'
import type { PromptMessage } from '../definitions/prompt.ts'
import { Fault } from '../faults.ts'
import { fitBlock } from '../fitting/content.ts'
import { fitRelayedPrompt } from '../fitting/relayed.ts'
import { isObject, type JsonObject, type Result } from '../jsonrpc/message.ts'
import { cut, describe, repeat } from '../words/describe.ts'
import { listPage } from './listing.ts'

export function listPrompts(call: Call): Result {
  return listPage('prompts', call.server.prompts, { call })
}

export function getPrompt(call: Call): Result | Promise<Result> {
  const name = checkString(call.params, 'name')
  const prompt = call.server.prompts.find(name, call.owner)
  if (prompt === undefined) throw unknownPrompt(name, call)
  const around = prompt.origin?.around
  return around === undefined ? usePrompt(prompt, call) : around(call, (one: Call) => usePrompt(prompt, one))
}

function usePrompt(prompt: OfferedPrompt, call: Call): Result | Promise<Result> {
  if (prompt.relayed)
    return answer(call, {
      offer: prompt,
      run: () => prompt.render({}, call),
      report: (_prompt, output) => fitRelayedPrompt(output as Result, call.peer.revision), // As its server gave it.
    })
  const args = checkArguments(prompt, checkOptionalObject(call.params, 'arguments'))
  return answer(call, {
    offer: prompt,
    run: () => prompt.render(args, call),
    report,
  })
}

function unknownPrompt(name: string, call: Call): Fault {
  const requestedPrompt = cut(name)
  const message = `Unknown prompt: ${requestedPrompt}${calledHere('prompts', name, call)}`
  return new Fault('unknownPrompt', message, undefined, { requestedPrompt })
}

type ArgumentValues = { readonly [name: string]: string }

/** More than this would not help anybody to mend a call. */
const MAX_PROBLEMS = 8

function checkArguments(prompt: OfferedPrompt, args: JsonObject): ArgumentValues {
  const problems = Object.entries(args)
    .filter(([, value]) => typeof value !== 'string')
    .slice(0, MAX_PROBLEMS)
    .map(([name, value]) => `${cut(name)}: expected a string, got ${describe(value)}`)
  for (const { name, required } of prompt.arguments) {
    if (required === true && !Object.hasOwn(args, name)) problems.push(`missing required argument ${name}`)
  }
  if (problems.length === 0) return args as ArgumentValues // Each has just been looked at.
  const message = `Invalid params for prompt ${prompt.key}: ${problems.join('; ')}`
  const details = { expectedSchema: schemaOf(prompt), receivedParams: repeat(args) }
  throw new Fault('invalidParams', message, undefined, details)
}

function schemaOf(prompt: OfferedPrompt): JsonObject {
  return {
    type: 'object',
    properties: Object.fromEntries(prompt.arguments.map(({ name }) => [name, { type: 'string' }])),
    required: prompt.arguments.filter(({ required }) => required === true).map(({ name }) => name),
  }
}

function report(prompt: OfferedPrompt, output: unknown, call: Call): Result {
  const { messages, ...rest } = toMessages(output)
  if (rest['description'] !== undefined)
    text(rest['description'], `The prompt ${prompt.key} gave description`)
  if (rest['_meta'] !== undefined) object(rest['_meta'], `The prompt ${prompt.key} gave _meta`)
  return {
    ...(prompt.description !== undefined && { description: prompt.description }),
    ...rest,
    messages: messages.map((one) => fitMessage(prompt, one, call)),
  }
}

function fitMessage(prompt: OfferedPrompt, message: unknown, { peer }: Call): PromptMessage {
  const wrong = wrongMessage(message)
  if (wrong !== undefined) throw new TypeError(`The prompt ${prompt.key} gave a message${wrong}`)
  const checked = message as PromptMessage // Its role and its content have just been looked at.
  return { ...checked, content: fitBlock(checked.content, peer.revision) }
}

function wrongMessage(message: unknown): string | undefined {
  if (!isObject(message)) return `: expected { role, content }, got ${describe(message)}`
  const { role, content } = message
  if (role !== 'user' && role !== 'assistant')
    return `.role: expected user or assistant, got ${describe(role)}`
  const wrong = wrongBlock(content)
  return wrong === undefined ? undefined : `.content${wrong}`
}

function toMessages(output: unknown): JsonObject & { readonly messages: readonly PromptMessage[] } {
  if (typeof output === 'string')
    return { messages: [{ role: 'user', content: { type: 'text', text: output } }] }
  if (Array.isArray(output)) return { messages: output }
  if (isObject(output) && Array.isArray(output['messages']))
    return { ...output, messages: output['messages'] }
  throw new Error(`A prompt must give a string or messages, got ${describe(output)}`)
}
