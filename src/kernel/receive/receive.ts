import { CALL, weigh } from '../budgets/weight.ts'
import { Call } from '../calls/call.ts'
import { beat } from '../calls/heartbeat.ts'
import type { Link } from '../calls/link.ts'
import type { Outlet } from '../calls/outlet.ts'
import { STRANGER } from '../calls/peer.ts'
import { insufficientScope, missingScopes } from '../calls/scopes.ts'
import type { Server } from '../calls/server.ts'
import { tell } from '../calls/tell.ts'
import { mayExit } from '../dialect.ts'
import { Fault, legible, plainFault, Told } from '../faults.ts'
import { finish } from '../fitting/finish.ts'
import { answerError, answerResult } from '../jsonrpc/answer.ts'
import {
  type Id,
  type Incoming,
  isObject,
  type Message,
  type Notification,
  type Outgoing,
  type Refused,
  type Reply,
  type Request,
  type Result,
} from '../jsonrpc/message.ts'
import { broadcastTo } from '../methods/broadcast.ts'
import { askToExit } from '../methods/lifecycle.ts'
import { describe } from '../words/describe.ts'
import { admit } from './admit.ts'
import { receiveBatch } from './batch.ts'
import { cancelReason } from './cancel-reason.ts'
import { describeLost, type LostCall, lostReply } from './lost.ts'
import { refusalOf, refuse, refuseUnreadable } from './refused.ts'
import { spokenOn } from './spoken-on.ts'

type Received<Message> = Message | undefined | Promise<Message | undefined>

/** A request's path, top to bottom: let it in, run it, print what came of it. */
export function receive(link: Link, incoming: Incoming, outlet: Outlet): Received<Outgoing> {
  if (incoming.kind === 'request') return receiveRequest(link, incoming, outlet)
  if (incoming.kind !== 'batch') return receiveOne(link, incoming, outlet)
  return receiveBatch(incoming, link.peer?.revision ?? spokenOn(link), {
    link,
    receiveOne: (message) => receiveOne(link, message, outlet),
  })
}

function receiveOne(link: Link, incoming: Message | Refused, outlet: Outlet): Received<Reply> {
  switch (incoming.kind) {
    case 'request':
      return receiveRequest(link, incoming, outlet)
    case 'notification':
      return receiveNotification(link, incoming)
    case 'response':
      link.answered(incoming)
      return undefined
    case 'refused':
      return link.leaving ? undefined : refuseUnreadable(link, incoming)
  }
}

function receiveRequest(link: Link, request: Request, outlet: Outlet): Received<Reply> {
  if (link.leaving) return undefined
  if (link.lost !== undefined) return lose(link, { id: request.id, retry: true })
  const { server } = link
  const call = new Call(request, link, outlet)
  const refused = admit(call)
  if (refused !== undefined) {
    const told = outlet.refused?.(request, refused) === true
    return told ? refusalOf(link, request.id, refused) : refuse(link, request, refused)
  }
  server.changes.called()
  if (server.front !== undefined) call.request = server.front.redirect(request, call)
  try {
    const result = server.handle(call)
    return result instanceof Promise ? settleLater(result, call) : settle(result, call)
  } catch (error) {
    return settleError(error, call)
  }
}

const WITHOUT_ID: Refused = {
  kind: 'refused',
  id: undefined,
  fault: plainFault('invalidRequest', 'Invalid request: id is missing'),
  isResponse: false,
}

/** What a function gave may throw when it is touched, and is answered all the same. */
function settle(result: Result, call: Call): Reply {
  call.finish()
  try {
    if (!isObject(result))
      throw new TypeError(`A middleware gave ${describe(result)}: does it return next(call)?`)
    return answerResult(call, finish(result, call.peer.revision, call.server.info))
  } catch (error) {
    return settleError(error, call)
  }
}

function settleError(thrown: unknown, call: Call): Reply {
  const { server, link } = call
  const { peer }: Partial<Call> = call // A tool may have taken it away.
  const error = legible(thrown)
  call.finish()
  if (!(error instanceof Fault || error instanceof Told)) call.crashed(error)
  const revision = peer === STRANGER ? spokenOn(link) : peer?.revision
  return answerError(call, tell(error, revision, server))
}

/** What the server gives up is answered all the same, since its client waits for it. */
function lose(link: Link, call: LostCall): Reply {
  link.lost = (link.lost ?? 0) + 1
  return lostReply(call, 'is closing')
}

/** A cancelled call gets no reply, and nobody waits for what it still does. */
function settleLater(result: Promise<Result>, call: Call): Promise<Reply | undefined> {
  const { link, owner, server } = call
  let weight = CALL + weigh(call.params)
  const calm = call.meta?.['progressToken'] === undefined ? undefined : beat(call)
  server.underway.count(owner, weight)
  link.calls.set(call.id, call)
  return new Promise((resolve) => {
    const done = (reply: Reply | undefined) => {
      calm?.()
      server.underway.remove(owner, weight)
      weight = 0
      if (call.aborted) server.abandoned.add(call)
      link.forget(call)
      resolve(reply)
    }
    call.onAbort = () =>
      done(
        link.lost === undefined ? undefined : lose(link, describeLost(call.request, server, call.principal)),
      )
    result.then(
      (value) => done(settle(value, call)),
      (error) => done(settleError(error, call)),
    )
  })
}

function receiveNotification(link: Link, { method, params }: Notification): Reply | undefined {
  const { server } = link
  const revision = spokenOn(link)
  if (revision?.notices === 'refused') return refuseUnreadable(link, { ...WITHOUT_ID, method })
  if (method === 'notifications/initialized' && link.state === 'initializing') {
    link.operate(broadcastTo(link))
    link.unsaved = true
  }
  if (method === 'exit' && mayExit(server.dialect, link.principal)) {
    const missing = missingScopes({ method, params }, link.principal, server)
    if (missing.length > 0) return ignoreExit(server, missing)
    askToExit(server, link)
    return server.dialect.exit === 'acknowledged' ? ACKNOWLEDGED : undefined
  }
  if (method === 'notifications/roots/list_changed') for (const tell of server.relaying.roots) tell(link)
  if (method === 'notifications/cancelled') link.cancel(params?.['requestId'] as Id, cancelReason(params)) // Any other value finds no call.
  return undefined
}

/** Nobody is there to be answered, so that whoever runs the server alone is told. */
function ignoreExit(server: Server, missing: readonly string[]): undefined {
  const message = `A notification to exit was ignored: ${insufficientScope(missing).message}`
  server.observe({ kind: 'noted', level: 'warning', message })
}

/** What answers a request to exit that came as a notification, in the dialect that wants it answered. */
const ACKNOWLEDGED: Reply = { jsonrpc: '2.0', result: {} }
