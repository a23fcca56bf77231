import { isObject, type JsonObject } from '../../src/kernel/index.ts'
import type { Heard } from './recorder.ts'
import type { Spec } from './spec.ts'
import { constant, members, methods, properties } from './union.ts'

/** The definition of what a method gives back. */
export const RESULTS: { readonly [method: string]: string } = {
  initialize: 'InitializeResult',
  ping: 'EmptyResult',
  'server/discover': 'DiscoverResult',
  'tools/list': 'ListToolsResult',
  'tools/call': 'CallToolResult',
  'resources/list': 'ListResourcesResult',
  'resources/templates/list': 'ListResourceTemplatesResult',
  'resources/read': 'ReadResourceResult',
  'resources/subscribe': 'EmptyResult',
  'resources/unsubscribe': 'EmptyResult',
  'prompts/list': 'ListPromptsResult',
  'prompts/get': 'GetPromptResult',
  'completion/complete': 'CompleteResult',
  'logging/setLevel': 'EmptyResult',
  'subscriptions/listen': 'SubscriptionsListenResult',
  'tasks/get': 'GetTaskResult',
  'tasks/result': 'GetTaskPayloadResult',
  'tasks/list': 'ListTasksResult',
  'tasks/cancel': 'CancelTaskResult',
  // Not MCP's own; it answers like one that has nothing to say.
  exit: 'EmptyResult',
}

/** Whether members that a definition does not name are let pass. */
export type Strictness = 'as-written' | 'closed'

/** What is wrong with a message of the server's by the official schema of the revision it is in. */
export function judge(spec: Spec, heard: Heard, strictness: Strictness = 'as-written'): readonly string[] {
  const { message } = heard
  const check = strictness === 'closed' ? spec.strictProblems : spec.problems
  if ('error' in message) return judgeError(spec, message, check)
  if ('result' in message) return judgeResult(spec, heard, check)
  const [union, envelope] =
    'id' in message ? ['ServerRequest', 'JSONRPCRequest'] : ['ServerNotification', 'JSONRPCNotification']
  const definition = methods(spec, union).get(String(message['method']))
  if (definition === undefined) return [`${union} has no ${message['method']}`]
  return [...check(envelope, message), ...check(definition, bare(spec, definition, message))]
}

type Check = Spec['problems']

function judgeResult(spec: Spec, { message, method }: Heard, check: Check): readonly string[] {
  const result = message['result']
  const asks = isObject(result) && result['resultType'] === 'input_required'
  const begins = isObject(result) && 'task' in result
  const definition = asks ? 'InputRequiredResult' : begins ? 'CreateTaskResult' : RESULTS[method ?? '']
  if (definition === undefined) return [`nobody asked for ${JSON.stringify(message)}`]
  const envelope = first(spec, ['JSONRPCResultResponse', 'JSONRPCResponse'])
  return [...check(envelope, message), ...check(definition, result)]
}

function judgeError(spec: Spec, message: JsonObject, check: Check): readonly string[] {
  const envelope = first(spec, ['JSONRPCErrorResponse', 'JSONRPCError'])
  const error = message['error']
  const code = isObject(error) ? error['code'] : undefined
  const special = specialErrors(spec).get(code)
  return [...check(envelope, message), ...(special === undefined ? [] : check(special, message))]
}

/** The error responses that have a definition and a code of their own. */
function specialErrors(spec: Spec): ReadonlyMap<unknown, string> {
  const names = Object.keys(spec.definitions).filter((name) => name.endsWith('Error'))
  return new Map(
    names.flatMap((name) => {
      const error = properties(spec, name)['error']
      const allOf = isObject(error) && Array.isArray(error['allOf']) ? error['allOf'] : []
      return allOf.flatMap((part: { properties?: { code?: { const?: number } } }) => {
        const code = part.properties?.code?.const
        return code === undefined ? [] : [[code, name] as const]
      })
    }),
  )
}

/** Older schemas leave the members of JSON-RPC to the envelope. */
function bare(spec: Spec, definition: string, message: JsonObject): JsonObject {
  if (constant(spec, definition, 'jsonrpc') !== '') return message
  const { jsonrpc, id, ...rest } = message
  return rest
}

function first(spec: Spec, names: readonly string[]): string {
  return names.find((name) => name in spec.definitions) ?? ''
}

/** The types of content blocks: of the union where there is one, of a tool result's content before. */
export function contentTypes(spec: Spec): readonly string[] {
  const named = members(spec, 'ContentBlock')
  const names = named.length > 0 ? named : contentOfToolResult(spec)
  return names.map((name) => constant(spec, name, 'type'))
}

function contentOfToolResult(spec: Spec): readonly string[] {
  const content = properties(spec, 'CallToolResult')['content'] as {
    readonly items: { readonly anyOf: readonly { readonly $ref: string }[] }
  } // As the schemas before the union have it.
  return content.items.anyOf.map(({ $ref }) => $ref.split('/').at(-1) ?? '')
}
