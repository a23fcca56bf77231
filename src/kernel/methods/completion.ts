import type { Call } from '../call.ts'
import { checkObject, checkOneOf, checkOptionalObject, checkString } from '../check/params.ts'
import { Fault } from '../faults.ts'
import type { JsonObject, Result } from '../jsonrpc/message.ts'
import type { Completer } from '../protocol/prompt.ts'
import type { Server } from '../server.ts'

/** The protocol's own limit. */
const MAX_VALUES = 100

export function complete(call: Call): Result | Promise<Result> {
  const ref = checkObject(call.params, 'ref')
  const argument = checkObject(call.params, 'argument')
  const name = checkString(argument, 'name')
  const value = checkString(argument, 'value')
  const chosen = checkOptionalObject(checkOptionalObject(call.params, 'context'), 'arguments')
  const completer = FIND[checkOneOf(ref, 'type', ['ref/prompt', 'ref/resource'])](ref, name, call.server)
  const values = completer?.(value, chosen as { readonly [name: string]: string }) ?? [] // Strings, says the protocol.
  return values instanceof Promise ? values.then(report) : report(values)
}

export function completes(server: Server): boolean {
  for (const prompt of server.prompts) if (prompt.arguments.some((argument) => argument.complete)) return true
  for (const template of server.templates) if (Object.keys(template.complete).length > 0) return true
  return false
}

type Find = (ref: JsonObject, name: string, server: Server) => Completer | undefined

const FIND: Record<'ref/prompt' | 'ref/resource', Find> = {
  'ref/prompt': (ref, name, server) => {
    const key = checkString(ref, 'name')
    const prompt = server.prompts.find(key)
    if (prompt === undefined) throw new Fault('unknownPrompt', `Unknown prompt: ${key}`)
    const argument = prompt.arguments.find((one) => one.name === name)
    if (argument === undefined) throw unknownArgument(name, `the prompt ${key}`)
    return argument.complete
  },
  'ref/resource': (ref, name, server) => {
    const uri = checkString(ref, 'uri')
    const template = server.templates.find(uri) ?? matching(uri, server)
    if (template === undefined) {
      if (server.resources.has(uri)) return undefined
      throw new Fault('invalidParams', `Invalid params: ref.uri: there is no resource template ${uri}`)
    }
    if (!template.template.variables.includes(name)) throw unknownArgument(name, `the template ${uri}`)
    return Object.hasOwn(template.complete, name) ? template.complete[name] : undefined
  },
}

function matching(uri: string, server: Server) {
  for (const template of server.templates) if (template.template.match(uri) !== undefined) return template
  return undefined
}

function unknownArgument(name: string, owner: string): Fault {
  return new Fault('invalidParams', `Invalid params: argument.name: ${owner} has no argument ${name}`)
}

function report(values: readonly string[]): Result {
  return {
    completion: {
      values: values.slice(0, MAX_VALUES),
      total: values.length,
      hasMore: values.length > MAX_VALUES,
    },
  }
}
