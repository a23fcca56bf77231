import { answer } from '../asking/answer.ts'
import { checkBudget } from '../budgets/check.ts'
import { isGranted } from '../callers/audience.ts'
import type { Call } from '../calls/call.ts'
import { SUBSCRIPTION } from '../calls/interest.ts'
import { findSource, type Source } from '../catalogue/find-source.ts'
import { wrongContents } from '../check/blocks.ts'
import { checkString, wrong } from '../check/params.ts'
import { checkPrintable } from '../check/printable.ts'
import type { ResourceContents } from '../definitions/content.ts'
import type { CacheHint } from '../definitions/implementation.ts'
import { Fault } from '../faults.ts'
import { fitContents } from '../fitting/content.ts'
import { fitAnnotated } from '../fitting/fields.ts'
import { fitRelayedRead } from '../fitting/relayed.ts'
import { isObject, type JsonObject, type Result } from '../jsonrpc/message.ts'
import { cut } from '../words/describe.ts'
import { Mistake } from '../words/mistake.ts'
import { toBase64 } from './base64.ts'
import { listPage } from './listing.ts'

export function listResources(call: Call): Result {
  const page = listPage('resources', call.server.resources, { call })
  const listed = page['resources'] as readonly JsonObject[] // It is the page's own list.
  return { ...page, resources: listed.map((one) => withLastModified(one, call)) }
}

/** A time that changes cannot stand in a list that is made once. */
function withLastModified(listed: JsonObject, { server, peer, owner }: Call): JsonObject {
  const lastModified = server.resources.find(String(listed['uri']), owner)?.modified?.().toISOString()
  if (lastModified === undefined) return listed
  const { annotations } = listed
  return fitAnnotated(
    'resource',
    { ...listed, annotations: { ...(isObject(annotations) && annotations), lastModified } },
    peer.revision,
  )
}

export function listTemplates(call: Call): Result {
  return listPage('resourceTemplates', call.server.templates, { call })
}

export function readResource(call: Call): Result | Promise<Result> {
  const uri = checkString(call.params, 'uri')
  const source = findSource(uri, call.server, call.principal)
  if (source === undefined) throw nowhere(uri, call)
  const around = source.origin?.around
  return around === undefined
    ? readSource(source, uri, call)
    : around(call, (one: Call) => readSource(source, uri, one))
}

function readSource(source: Source, uri: string, call: Call): Result | Promise<Result> {
  return answer(call, {
    offer: source,
    run: () => source.read(call),
    report: (_source, output) => {
      if (output === undefined) throw notFound(uri)
      if (source.relayed) return fitRelayedRead(output as Result, call.peer.revision, NO_CACHE) // As its server gave it.
      return report(toContents(uri, source.mimeType, output), source.cache ?? NO_CACHE, call)
    },
  })
}

export function subscribe(call: Call): Result | Promise<Result> {
  const uri = checkString(call.params, 'uri')
  const told = isTold(uri, call)
  if (told instanceof Promise) return told.then((isSo) => keep(uri, isSo, call))
  return keep(uri, told, call)
}

function keep(uri: string, isTold: boolean, call: Call): Result {
  if (!isTold) throw nowhere(uri, call)
  const { link, server, aborted } = call
  if (aborted || link.subscriptions.has(uri)) return {} // Whoever has left while another server was asked ends nothing.
  checkBudget(server, 'maxSubscriptionsPerSession', link.subscriptions.size + 1, 'subscriptions')
  server.held.add(link, SUBSCRIPTION + uri.length)
  link.subscriptions.add(uri)
  link.unsaved = true
  return {}
}

export function unsubscribe(call: Call): Result {
  const uri = checkString(call.params, 'uri')
  const { link, server } = call
  if (!link.subscriptions.delete(uri)) return {}
  server.held.remove(link, SUBSCRIPTION + uri.length)
  link.unsaved = true
  return {}
}

/** Whether a caller can be told when a resource changes; another server has to be asked, where that has it. */
export function isTold(uri: string, call: Call): boolean | Promise<boolean> {
  const { server, principal } = call
  const source = findSource(uri, server, principal)
  if (source?.subscribable !== true || !isGranted(source.scopes, principal)) return false
  return source.confirm === undefined || source.confirm(uri, call)
}

/** What a resource may change at any time keeps for no time, unless its author says otherwise. */
const NO_CACHE: CacheHint = { ttlMs: 0, cacheScope: 'private' }

function report(contents: readonly ResourceContents[], cache: CacheHint, call: Call): Result {
  const retried = call.params !== undefined && 'requestState' in call.params
  return {
    contents: contents.map((one) => fitContents(one, call.peer.revision)),
    ...(retried ? NO_CACHE : cache),
  }
}

function toContents(uri: string, mimeType: string | undefined, output: unknown): readonly ResourceContents[] {
  const type = mimeType === undefined ? {} : { mimeType }
  if (typeof output === 'string') return [{ uri, ...type, text: output }]
  if (output instanceof Uint8Array) return [{ uri, ...type, blob: toBase64(output) }]
  if (isObject(output) && Array.isArray(output['contents']))
    return output['contents'].flatMap((one: unknown) =>
      isObject(one) && ('text' in one || 'blob' in one || 'uri' in one)
        ? checked({ uri, ...type, ...one })
        : toContents(uri, mimeType, one),
    )
  if (Array.isArray(output)) return output.flatMap((one) => toContents(uri, mimeType, one))
  if (isObject(output) && ('text' in output || 'blob' in output)) {
    return [checked({ uri, ...type, ...output })]
  }
  checkPrintable(output, `The resource ${uri}`)
  return [{ uri, mimeType: mimeType ?? 'application/json', text: JSON.stringify(output) }]
}

function checked(contents: JsonObject): ResourceContents {
  const wrong = wrongContents(contents)
  if (wrong !== undefined) throw new Mistake(`The resource ${contents['uri']} gave contents${wrong}`)
  return contents as ResourceContents // As was just looked at.
}

function notFound(uri: string): Fault {
  const shown = cut(uri)
  return new Fault('resourceNotFound', `Resource not found: ${shown}`, { uri: shown })
}

/** What is no URI at all cannot be one of a resource. */
function nowhere(uri: string, { params }: Call): Fault {
  if (URL.canParse(uri)) return notFound(uri)
  const expected = 'an absolute URI such as file:///logs/app.log'
  return wrong({ key: 'uri', expected, schema: { type: 'string', format: 'uri' }, params })
}
