import { Call } from './call.ts'
import { Fault, toWire } from './faults.ts'
import { finish } from './fitting/finish.ts'
import type {
  Batch,
  Id,
  Incoming,
  Message,
  Notice,
  Outgoing,
  Refused,
  Reply,
  Request,
  Result,
} from './jsonrpc/message.ts'
import type { Link, Outlet } from './link.ts'
import { findMethod } from './methods/index.ts'
import { askToExit, mayExit } from './methods/lifecycle.ts'
import { broadcastTo } from './methods/subscriptions.ts'
import { findPeer } from './peer.ts'
import { insufficientScope, missingScopes } from './scopes.ts'
import type { Server } from './server.ts'

/** A request's path, top to bottom: who sends it, is it a method, run it, print what came of it. */
export function receive(
  server: Server,
  incoming: Incoming,
  link: Link,
  outlet: Outlet,
): Outgoing | undefined | Promise<Outgoing | undefined> {
  return incoming.kind === 'batch'
    ? receiveBatch(server, incoming, link, outlet)
    : receiveOne(server, incoming, link, outlet)
}

function receiveOne(
  server: Server,
  incoming: Message | Refused,
  link: Link,
  outlet: Outlet,
): Reply | undefined | Promise<Reply | undefined> {
  switch (incoming.kind) {
    case 'request':
      return receiveRequest(server, incoming, link, outlet)
    case 'notice':
      receiveNotice(server, incoming, link)
      return undefined
    case 'answer':
      link.answered(incoming)
      return undefined
    case 'refused':
      server.observe({ kind: 'unreadable', link, fault: incoming.fault })
      return replyUnreadable(incoming, link)
  }
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
    const fault = new Fault('invalidRequest', 'Invalid request: a call with this id is still under way')
    return refuse(server, request, fault, link)
  }
  link.spoken = peer.revision
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
  if (handle === undefined) throw new Fault('methodNotFound', `Method not found: ${method}`)
  if (tooEarly(call)) throw new Fault('notInitialized', 'Not ready: send notifications/initialized first')
  const missing = missingScopes(call.request, call.principal, server)
  if (missing.length > 0) throw insufficientScope(missing)
  return handle(call)
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

function settle(result: Result, call: Call): Reply {
  call.finish()
  const { revision } = call.peer
  return { jsonrpc: '2.0', id: call.id, result: finish(result, revision, call.server.info) }
}

function settleError(error: unknown, call: Call): Reply {
  const { server, peer } = call
  call.finish()
  if (!(error instanceof Fault)) server.observe({ kind: 'crashed', error, method: call.method })
  return { jsonrpc: '2.0', id: call.id, error: toWire(error, peer.revision.codes, server.dialect.codes) }
}

/** A cancelled call gets no reply, and nobody waits for what it still does. */
function settleLater(result: Promise<Result>, call: Call): Promise<Reply | undefined> {
  const { link } = call
  link.calls.set(call.id, call)
  return new Promise((resolve) => {
    call.onAbort = () => {
      link.forget(call)
      resolve(undefined)
    }
    const done = (reply: Reply) => {
      link.forget(call)
      resolve(reply)
    }
    result.then(
      (value) => done(settle(value, call)),
      (error) => done(settleError(error, call)),
    )
  })
}

function receiveNotice(server: Server, { method, params }: Notice, link: Link): void {
  if (method === 'notifications/initialized' && link.state === 'initializing') {
    link.state = 'operating'
    link.listener = broadcastTo(link)
    server.listeners.add(link.listener)
  }
  if (method === 'exit' && mayExit(server, link.principal)) askToExit(server)
  if (method === 'notifications/cancelled') link.cancel(params?.['requestId'] as Id) // Any other value finds no call.
}

function refuse(server: Server, request: Request, fault: Fault, link: Link): Reply {
  server.observe({ kind: 'refused', link, request, fault })
  const codes = link.peer?.revision.codes ?? {}
  return { jsonrpc: '2.0', id: request.id, error: toWire(fault, codes, server.dialect.codes) }
}

function replyUnreadable({ id, fault }: Refused, link: Link): Reply {
  const error = toWire(fault)
  if (id !== undefined) return { jsonrpc: '2.0', id, error }
  const unreadable = link.spoken === undefined ? null : link.spoken.unreadableId
  return unreadable === undefined ? { jsonrpc: '2.0', error } : { jsonrpc: '2.0', id: unreadable, error }
}

/** Batches exist in one revision only, and there they are answered by one array. */
function receiveBatch(
  server: Server,
  batch: Batch,
  link: Link,
  outlet: Outlet,
): Outgoing | undefined | Promise<Outgoing | undefined> {
  if (link.peer?.revision.batches !== true) {
    const where = link.peer === undefined ? 'before initialize' : `in ${link.peer.revision.id}`
    const fault = new Fault('invalidRequest', `Invalid request: there are no batches ${where}`)
    return receiveOne(server, { kind: 'refused', id: undefined, fault }, link, outlet)
  }
  const replies = batch.entries.map((entry) => receiveOne(server, withoutOpening(entry), link, outlet))
  return replies.every(isSettled)
    ? gather(replies)
    : Promise.all(replies.map(async (reply) => reply)).then(gather)
}

/** The handshake must stand alone. */
function withoutOpening(entry: Message | Refused): Message | Refused {
  if (entry.kind !== 'request' || entry.method !== 'initialize') return entry
  const fault = new Fault('invalidRequest', 'Invalid request: initialize cannot be part of a batch')
  return { kind: 'refused', id: entry.id, fault }
}

function isSettled(reply: Reply | undefined | Promise<Reply | undefined>): reply is Reply | undefined {
  return !(reply instanceof Promise)
}

function gather(replies: readonly (Reply | undefined)[]): Outgoing | undefined {
  const given = replies.filter((reply) => reply !== undefined)
  return given.length > 0 ? given : undefined
}
