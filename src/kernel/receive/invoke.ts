import { overBudget } from '../budgets/check.ts'
import { Call } from '../calls/call.ts'
import { findTool } from '../calls/find-tool.ts'
import { type Invocation, InvokedOutlet } from '../calls/invoked.ts'
import type { Peer } from '../calls/peer.ts'
import { findSource } from '../catalogue/find-source.ts'
import type { Origin } from '../catalogue/origin.ts'
import { findString } from '../check/params.ts'
import type { Request, Result } from '../jsonrpc/message.ts'
import { NEWEST } from '../revisions/index.ts'

/** How many calls have been made for a client's call: ten that make ten each, eight deep, would be a hundred million. */
const MADE = new WeakMap<object, number>()

/** Has a call call a tool, by the whole way that a client's call goes once it has been let in. */
export async function invoke(outer: Call, invocation: Invocation): Promise<Result> {
  const { name } = invocation
  const { server, link } = outer
  if (outer.aborted || outer.finished) throw new Error(`${name} was not called: ${outer.method} is over`)
  const outlet = new InvokedOutlet(outer, invocation)
  const made = (MADE.get(outlet.root) ?? 0) + 1
  const tooMuch = overBudget(server, 'maxInvokeDepth', outlet.depth) ?? overBudget(server, 'maxInvokes', made)
  if (tooMuch !== undefined) throw new Error(`${name} was not called: tools that call tools: ${tooMuch}`)
  MADE.set(outlet.root, made)
  server.usage.saw('maxInvokeDepth', outlet.depth)
  server.usage.saw('maxInvokes', made)
  const call = new Call(requestOf(outer, { ...invocation, name: ownName(outer, name) }), link, outlet)
  call.peer = peerOf(outer)
  return untilAborted(call, outer)
}

/** Like its caller's, with an id of its own; progress is told to whoever asked for that of the caller. */
function requestOf(outer: Call, { name, args, round }: Invocation): Request {
  const progressToken = outer.meta?.['progressToken']
  const meta = progressToken === undefined ? {} : { _meta: { progressToken } }
  const id = `${outer.id}/${outer.server.platform.randomId()}`
  const params = { ...round, name, arguments: args, ...meta }
  const request = { kind: 'request', id, method: 'tools/call', params, length: 0 } as const
  return round === undefined ? request : { ...request, front: 'through' }
}

/** A module that was mounted finds its own tools by the names it knows. */
function ownName(outer: Call, name: string): string {
  const { server, owner } = outer
  const origin = originOf(outer)
  if (origin === undefined) return name
  const prefixed = `${origin.prefix}${name}`
  return server.tools.has(prefixed, owner) ? prefixed : name
}

/** The module of whatever is at work. */
function originOf({ method, params, server, owner, principal, request }: Call): Origin | undefined {
  const name = findString(params, 'name') ?? ''
  if (method === 'tools/call') return findTool(name, { server, owner, front: request.front })?.origin
  if (method === 'prompts/get') return server.prompts.find(name, owner)?.origin
  return findSource(findString(params, 'uri') ?? '', server, principal)?.origin
}

/** An author gets the same whoever calls: results are in words of the newest revision, and fitted when they leave. */
function peerOf({ peer, link }: Call): Peer {
  const logLevel = peer.revision.logLevel === 'by-method' ? link.logLevel : peer.logLevel
  return { ...peer, revision: NEWEST, logLevel }
}

/** Nobody waits any longer for what was called by a call that is aborted. */
async function untilAborted(call: Call, outer: Call): Promise<Result> {
  const { server, method } = outer
  const inner = innerOf(outer)
  let abort = () => {}
  const aborted = new Promise<never>((_resolve, reject) => {
    abort = () => {
      reject(new Error(`${method} was cancelled`))
      call.abort()
    }
    inner.add(abort)
  })
  try {
    return await Promise.race([server.handle(call), aborted])
  } finally {
    if (call.aborted) server.abandoned.add(call)
    call.finish()
    inner.delete(abort)
  }
}

/** What ends the calls that a call has made, and that have not ended. */
const INNER = new WeakMap<Call, Set<() => void>>()

/** They share one listener: more than ten of one signal are taken for a leak, and warned of on stderr. */
function innerOf(outer: Call): Set<() => void> {
  const known = INNER.get(outer)
  if (known !== undefined) return known
  const inner = new Set<() => void>()
  INNER.set(outer, inner)
  outer.signal.addEventListener('abort', () => {
    for (const abort of [...inner])
      try {
        abort()
      } catch (error) {
        outer.crashed(error) // What one of them does about it keeps none of the others from hearing of it.
      }
  })
  return inner
}
