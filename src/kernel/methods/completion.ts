import { checkBudget } from '../budgets/check.ts'
import { isGranted } from '../callers/audience.ts'
import type { Call } from '../calls/call.ts'
import { calledHere } from '../calls/called-here.ts'
import type { OfferedPrompt } from '../catalogue/prompt.ts'
import type { OfferedTemplate } from '../catalogue/resource.ts'
import { texts } from '../check/members.ts'
import { checkObject, checkOneOf, checkOptionalObject, checkString } from '../check/params.ts'
import type { Completer } from '../definitions/prompt.ts'
import { Fault } from '../faults.ts'
import { unsigned } from '../fitting/relayed.ts'
import type { JsonObject, Result } from '../jsonrpc/message.ts'
import { cut } from '../words/describe.ts'

/** The protocol's own limit. */
const MAX_VALUES = 100

export function complete(call: Call): Result | Promise<Result> {
  const ref = checkObject(call.params, 'ref')
  const argument = checkObject(call.params, 'argument')
  const name = checkString(argument, 'name')
  const value = checkString(argument, 'value')
  checkBudget(call.server, 'maxCompletionBytes', value.length, 'argument.value')
  const chosen = checkOptionalObject(checkOptionalObject(call.params, 'context'), 'arguments')
  const found = FIND[checkOneOf(ref, 'type', ['ref/prompt', 'ref/resource'])](ref, name, call)
  const suggest = (): Result | Promise<Result> => {
    if (found?.suggest !== undefined) return relay(found.suggest(call))
    const completer = found === undefined ? undefined : completerOf(found.complete, name)
    const values = completer?.(value, chosen as { readonly [name: string]: string }, call) // Strings, says the protocol.
    const reportOf = (given: unknown) => report(given ?? [], name)
    return values instanceof Promise ? values.then(reportOf) : reportOf(values)
  }
  const around = found?.origin?.around
  return around === undefined ? suggest() : around(call, suggest)
}

async function relay(result: unknown): Promise<Result> {
  return unsigned((await result) as Result) // As its server gave it.
}

type Find = (ref: JsonObject, name: string, call: Call) => OfferedPrompt | OfferedTemplate | undefined

const FIND: Record<'ref/prompt' | 'ref/resource', Find> = {
  'ref/prompt': (ref, name, call) => {
    const { server, principal, owner } = call
    const key = checkString(ref, 'name')
    const prompt = server.prompts.find(key, owner)
    if (prompt === undefined || !isGranted(prompt.scopes, principal))
      throw new Fault('unknownPrompt', `Unknown prompt: ${cut(key)}${calledHere('prompts', key, call)}`)
    if (!prompt.relayed && !prompt.arguments.some((one) => one.name === name))
      throw unknownArgument(name, `the prompt ${key}`)
    return prompt
  },
  'ref/resource': (ref, name, { server, principal, owner }) => {
    const uri = checkString(ref, 'uri')
    const template = server.templates.find(uri, owner) ?? matching(uri, server.templates.of(owner))
    if (template === undefined || !isGranted(template.scopes, principal)) {
      const resource = server.resources.find(uri, owner)
      if (resource !== undefined && isGranted(resource.scopes, principal)) return undefined
      throw new Fault('invalidParams', `Invalid params: ref.uri: there is no resource template ${cut(uri)}`)
    }
    if (!template.relayed && !template.template.variables.includes(name))
      throw unknownArgument(name, `the template ${cut(uri)}`)
    return template
  },
}

function completerOf(complete: { readonly [name: string]: Completer }, name: string): Completer | undefined {
  return Object.hasOwn(complete, name) ? complete[name] : undefined
}

function matching(uri: string, templates: Iterable<OfferedTemplate>): OfferedTemplate | undefined {
  for (const template of templates) if (template.template.match(uri) !== undefined) return template
  return undefined
}

function unknownArgument(name: string, owner: string): Fault {
  return new Fault('invalidParams', `Invalid params: argument.name: ${owner} has no argument ${cut(name)}`)
}

function report(given: unknown, name: string): Result {
  texts(given, `The completer of ${name} gave`)
  const values = given as readonly string[] // As was just looked at.
  return {
    completion: {
      values: values.slice(0, MAX_VALUES),
      total: values.length,
      hasMore: values.length > MAX_VALUES,
    },
  }
}
