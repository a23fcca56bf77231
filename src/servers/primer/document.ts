import { findString, isObject, type JsonObject, type Middleware, type Server } from '../../kernel/index.ts'
import { changing } from '../changing.ts'

/** The document writes parameters beside the method, too; those in `params` come first. */
export function readParams(message: JsonObject): unknown {
  const { jsonrpc, id, method, params, ...beside } = message
  const alone = Object.keys(beside).length === 0 || (params !== undefined && !isObject(params))
  return alone ? params : { ...beside, ...params }
}

/** A prompt that is asked for without arguments is given with `{{name}}` in their places. */
export const unfilled: Middleware = (call, next) => {
  const { method, params, server, owner, request } = call
  if (method !== 'prompts/get' || params?.['arguments'] !== undefined) return next(call)
  const prompt = server.prompts.find(findString(params, 'name') ?? '', owner)
  if (prompt === undefined) return next(call)
  const places = Object.fromEntries(prompt.arguments.map(({ name }) => [name, `{{${name}}}`]))
  call.request = { ...request, params: { ...params, arguments: places } }
  return next(call)
}

/** A listed resource says when it last changed beside its name, in every revision. */
export const lastModified: Middleware = (call, next) => {
  if (call.method !== 'resources/list') return next(call)
  return changing(next(call), (result) => {
    const resources = result['resources'] as readonly JsonObject[] // It is the list's own result.
    return { ...result, resources: resources.map((one) => dated(one, call.server, call.owner)) }
  })
}

function dated(listed: JsonObject, server: Server, owner: string): JsonObject {
  const modified = server.resources.find(String(listed['uri']), owner)?.modified
  if (modified === undefined) return listed
  const { annotations, ...rest } = listed
  const { lastModified, ...others } = isObject(annotations) ? annotations : {}
  const kept = Object.keys(others).length === 0 ? {} : { annotations: others }
  return { ...rest, ...kept, lastModified: lastModified ?? modified().toISOString() }
}
