import { receiveBatch } from './batch.ts'
import { Call } from './call.ts'
import { checkBudget } from './check/budget.ts'
import { describe } from './check/describe.ts'
import { checkString } from './check/params.ts'
import { isIdIn, mayExit } from './dialect.ts'
import { Fault, INTERNAL, legible, methodNotFound, plainFault, Told, toWire } from './faults.ts'
import { finish } from './fitting/finish.ts'
import {
  type Id,
  type Incoming,
  isObject,
  type Message,
  type Notice,
  type Outgoing,
  type Refused,
  type Reply,
  type Request,
  type Result,
  type WireError,
} from './jsonrpc/message.ts'
import type { Link, Outlet } from './link.ts'
import { findMethod } from './methods/index.ts'
import { askToExit } from './methods/lifecycle.ts'
import { broadcastTo } from './methods/subscriptions.ts'
import { findPeer, STRANGER } from './peer.ts'
import type { Revision } from './revisions/revision.ts'
import { insufficientScope, missingScopes } from './scopes.ts'
import type { Server } from './server.ts'
import { lackOfRoom } from './underway.ts'
import { weigh } from './weight.ts'

/** A request's path, top to bottom: who sends it, is it a method, run it, print what came of it. */
export function receive(
  server: Server,
  incoming: Incoming,
  link: Link,
  outlet: Outlet,
): Outgoing | undefined | Promise<Outgoing | undefined> {
  if (incoming.kind !== 'batch') return receiveOne(server, incoming, link, outlet)
  return receiveBatch(incoming, link.peer?.revision ?? spokenOn(link, server), {
    server,
    link,
    receiveOne: (message) => receiveOne(server, message, link, outlet),
  })
}

function receiveOne(
  server: Server,
  incoming: Message | Refused,
  link: Link,
  outlet: Outlet,
): Reply | undefined | Promise<Reply | undefined> {
  if (link.leaving && incoming.kind !== 'answer' && incoming.kind !== 'notice') return undefined
  switch (incoming.kind) {
    case 'request':
      return receiveRequest(server, incoming, link, outlet)
    case 'notice':
      return receiveNotice(server, incoming, link)
    case 'answer':
      link.answered(incoming)
      return undefined
    case 'refused':
      return refuseUnreadable(server, incoming, link)
  }
}

const WITHOUT_ID: Refused = {
  kind: 'refused',
  id: undefined,
  fault: plainFault('invalidRequest', 'Invalid request: id is missing'),
  isResponse: false,
}

/** Until a client has said what it speaks, a server that has a revision of its own takes it for that. */
function spokenOn({ spoken }: Link, { revisions }: Server): Revision | undefined {
  return spoken ?? revisions[0]
}

function receiveRequest(
  server: Server,
  request: Request,
  link: Link,
  outlet: Outlet,
): Reply | undefined | Promise<Reply | undefined> {
  const peer = findPeer(request, link, server.dialect)
  if (peer instanceof Fault) return refuse(server, request, peer, link)
  if (link.calls.has(request.id)) {
    const fault = plainFault('invalidRequest', 'Invalid request: a call with this id is still under way')
    return refuse(server, request, fault, link)
  }
  const full = lackOfRoom(server, request, link)
  if (full !== undefined) return refuse(server, request, full, link)
  if (peer !== STRANGER) link.spoken = peer.revision
  server.changes.beginCall()
  const call = new Call(request, peer, link, outlet, server)
  try {
    const result = server.handle(call)
    return result instanceof Promise ? settleLater(result, call) : settle(result, call)
  } catch (error) {
    return settleError(error, call)
  }
}

/** The innermost handler: finds the method and hands the call over. */
export function dispatch(call: Call): Result | Promise<Result> {
  const { server, peer, method } = call
  const handle = findMethod(method, peer.revision, server, call.principal)
  if (handle === undefined) throw methodNotFound(method)
  if (tooEarly(call)) throw plainFault('notInitialized', 'Not ready: send notifications/initialized first')
  checkProgressToken(call)
  const missing = missingScopes(call.request, call.principal, server)
  if (missing.length > 0) throw insufficientScope(missing)
  return handle(call)
}

/** It is repeated by every notice, and kept with them for clients that come back. */
function checkProgressToken({ meta, server }: Call): void {
  const token = meta?.['progressToken']
  if (token === undefined || typeof token === 'number') return
  const text = checkString(meta, 'progressToken', '_meta.')
  checkBudget(server, 'maxProgressTokenBytes', text.length, '_meta.progressToken')
}

function tooEarly({ server, link, peer, method }: Call): boolean {
  return (
    server.dialect.ready === 'after-initialized' &&
    link.peer === peer &&
    link.state === 'initializing' &&
    method !== 'ping' &&
    method !== 'initialize'
  )
}

/** What a function gave may throw when it is touched, and is answered all the same. */
function settle(result: Result, call: Call): Reply {
  call.finish()
  try {
    if (!isObject(result))
      throw new TypeError(`A middleware gave ${describe(result)}: does it return next(call)?`)
    return { jsonrpc: '2.0', id: call.id, result: finish(result, call.peer.revision, call.server.info) }
  } catch (error) {
    return settleError(error, call)
  }
}

function settleError(thrown: unknown, call: Call): Reply {
  const { server, peer } = call
  const error = legible(thrown)
  call.finish()
  if (!(error instanceof Fault || error instanceof Told))
    server.observe({ kind: 'crashed', error, method: call.method, request: call.request })
  const revision = peer === STRANGER ? spokenOn(call.link, server) : peer.revision
  return { jsonrpc: '2.0', id: call.id, error: tell(error, revision, server) }
}

/** A cancelled call gets no reply, and nobody waits for what it still does. */
function settleLater(result: Promise<Result>, call: Call): Promise<Reply | undefined> {
  const { link, owner, server } = call
  let weight = weigh(call.params)
  server.underway.count(owner, weight)
  link.calls.set(call.id, call)
  return new Promise((resolve) => {
    const done = (reply: Reply | undefined) => {
      server.underway.remove(owner, weight)
      weight = 0
      link.forget(call)
      resolve(reply)
    }
    call.onAbort = () => done(undefined)
    result.then(
      (value) => done(settle(value, call)),
      (error) => done(settleError(error, call)),
    )
  })
}

function receiveNotice(server: Server, { method, params }: Notice, link: Link): Reply | undefined {
  const revision = spokenOn(link, server)
  if (revision?.notices === 'refused') return refuseUnreadable(server, WITHOUT_ID, link)
  if (method === 'notifications/initialized' && link.state === 'initializing') {
    link.state = 'operating'
    link.listener = broadcastTo(link)
    server.listeners.add(link.listener)
  }
  if (method === 'exit' && mayExit(server.dialect, link.principal)) {
    if (missingScopes({ method, params }, link.principal, server).length > 0) return undefined
    askToExit(server, link)
    return server.dialect.exit === 'acknowledged' ? ACKNOWLEDGED : undefined
  }
  if (method === 'notifications/cancelled') link.cancel(params?.['requestId'] as Id) // Any other value finds no call.
  return undefined
}

/** What answers a request to exit that came as a notification, in the dialect that wants it answered. */
const ACKNOWLEDGED: Reply = { jsonrpc: '2.0', result: {} }

function refuse(server: Server, request: Request, fault: Fault, link: Link): Reply {
  const error = tell(fault, spokenOn(link, server), server)
  server.observe({ kind: 'refused', link, request, fault, error })
  return { jsonrpc: '2.0', id: request.id, error }
}

function tell(error: unknown, revision: Revision | undefined, { dialect }: Server): WireError {
  const wire = toWire(error, revision?.codes ?? {}, dialect.codes)
  if (dialect.details === 'few' || error instanceof Told) return wire
  const { details } = error instanceof Fault ? error : INTERNAL
  return details === undefined ? wire : { ...wire, data: typeof details === 'function' ? details() : details }
}

function refuseUnreadable(server: Server, refused: Refused, link: Link): Reply | undefined {
  const { id, fault, isResponse, request } = refused
  // What can be read of a request is told like any other that is refused.
  if (request !== undefined) return refuse(server, request, fault, link)
  server.observe({ kind: 'unreadable', link, fault })
  if (isResponse) return undefined
  const error = tell(fault, spokenOn(link, server), server)
  if (id !== undefined && isIdIn(server.dialect, id)) return { jsonrpc: '2.0', id, error }
  const unreadable = link.spoken === undefined ? null : link.spoken.unreadableId
  return unreadable === undefined ? { jsonrpc: '2.0', error } : { jsonrpc: '2.0', id: unreadable, error }
}
