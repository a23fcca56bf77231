import {
  Fault,
  findRevision,
  type Incoming,
  NEWEST_HANDSHAKE,
  type Principal,
  REVISIONS,
  type Request,
  type Revision,
  unsupportedVersion,
} from '../../../kernel/index.ts'
import { refusal, refusalOf, refuse } from '../answers.ts'
import { type Exchange, isRefusal, type Refusal } from '../exchange.ts'
import { checkStreamAccept } from '../guards/media-types.ts'
import { checkCalls, checkOwnStreams, checkSessions, checkStreams } from '../limits.ts'
import type { HttpState, Posted } from '../state.ts'
import { parseEventId } from '../streams/stream.ts'
import { Session } from './session.ts'
import { SessionResponse } from './session-response.ts'
import { answerCall } from './single-call.ts'

/** 2025-03-26 to 2025-11-25: a session by header, answers as JSON or events, and streams that can be resumed. */
export function receiveStreamable(state: HttpState, posted: Posted): void {
  const { incoming, exchange, principal } = posted
  const named = exchange.headers['mcp-session-id'] !== undefined
  if (!named && incoming.kind === 'request' && incoming.method === 'initialize')
    return openSession(state, { incoming, exchange, principal })
  if (!named && state.settings.sessionless === 'served') return receiveSessionless(state, posted)
  const session = findSession(state, exchange, principal)
  const id = incoming.kind === 'request' ? incoming.id : null
  if (!(session instanceof Session)) return refuse(exchange, session, id)
  if (incoming.kind !== 'notification' && !session.used) session.use()
  const refused = checkMessage(session, incoming)
  if (refused !== undefined) return refuse(exchange, refused, id)
  new SessionResponse(session, exchange).receive(incoming)
}

/** A client that opens no session is served as one that can do nothing but call. */
function receiveSessionless(state: HttpState, { incoming, exchange, principal }: Posted): void {
  const id = incoming.kind === 'request' ? incoming.id : null
  const revision = findSpoken(exchange, incoming)
  if (isRefusal(revision)) return refuse(exchange, revision, id)
  if (incoming.kind === 'batch' && !revision.batches)
    return refuse(exchange, refusal(400, `Invalid request: there are no batches in ${revision.id}`))
  if (incoming.kind === 'response')
    return refuse(exchange, refusal(400, 'Invalid request: without a session there is no question to answer'))
  const refused = checkCalls(state, principal, incoming)
  if (refused !== undefined) return refuse(exchange, refused, id)
  const peer = { revision, capabilities: {}, info: undefined, logLevel: undefined }
  answerCall(state, exchange, { incoming, principal, peer })
}

/** A batch without a version is of the one revision that has batches, which is also what the protocol says to assume. */
function findSpoken(exchange: Exchange, { kind }: Incoming): Revision | Refusal {
  const version = exchange.headers['mcp-protocol-version']
  if (version !== undefined) return findRevision(version) ?? wrongVersion(version)
  return kind === 'batch' ? BATCHING : NEWEST_HANDSHAKE
}

const BATCHING: Revision = REVISIONS.find((one) => one.batches) ?? NEWEST_HANDSHAKE

function wrongVersion(version: string): Refusal {
  const supported = REVISIONS.map((one) => one.id)
  return refusalOf(400, unsupportedVersion(version, supported))
}

/** GET: the stream of what belongs to no call, or the rest of a stream that broke. */
export function openStream(state: HttpState, exchange: Exchange, principal: Principal): void {
  const notAcceptable = checkStreamAccept(exchange)
  if (notAcceptable !== undefined) return refuse(exchange, notAcceptable)
  const session = findSession(state, exchange, principal)
  if (!(session instanceof Session)) return refuse(exchange, session)
  session.use()
  const lastEventId = exchange.headers['last-event-id']
  if (lastEventId !== undefined) return resume(session, exchange, lastEventId)
  if (session.standalone.connected) {
    return refuse(exchange, refusal(409, 'Conflict: the session has its stream open already'))
  }
  const refused = checkOwnStreams(session) ?? checkStreams(state, principal)
  if (refused !== undefined) return refuse(exchange, refused)
  session.standalone.attach(exchange, session.headers)
}

/** DELETE: the client is done. */
export function closeSession(state: HttpState, exchange: Exchange, principal: Principal): void {
  const session = findSession(state, exchange, principal)
  if (!(session instanceof Session)) return refuse(exchange, session)
  session.end()
  exchange.answer(204, {})
}

function openSession(state: HttpState, { incoming: request, exchange, principal }: Posted<Request>): void {
  const refused = checkSessions(state, principal) ?? checkCalls(state, principal, request)
  if (refused !== undefined) return refuse(exchange, refused, request.id)
  const session = new Session(state, state.server.platform.randomId(), principal)
  const { link } = session
  let waiting = 0
  const answered = link.receive(request, (reply) => {
    const opened = link.peer !== undefined
    if (opened) session.begin()
    if (waiting > 0) state.places.countCalls(principal, -waiting)
    new SessionResponse(session, exchange, opened ? session.headers : undefined).deliver(reply)
  })
  if (answered) return
  waiting = 1
  state.places.countCalls(principal, waiting)
}

/** Answers and notices are always let in: calls that fill the place may be waiting for them. */
function checkMessage(session: Session, incoming: Incoming): Refusal | undefined {
  if (incoming.kind !== 'request' && incoming.kind !== 'batch') return undefined
  if (incoming.kind === 'request' && incoming.method === 'initialize') {
    return refusalOf(400, new Fault('alreadyInitialized'))
  }
  return checkCalls(session.state, session.principal, incoming) ?? checkOwnStreams(session)
}

function resume(session: Session, exchange: Exchange, lastEventId: string): void {
  const event = parseEventId(lastEventId)
  const stream = event === undefined ? undefined : session.findStream(event.stream)
  if (event === undefined || stream === undefined || event.number > stream.last) {
    return refuse(
      exchange,
      refusal(400, 'Bad request: Last-Event-ID: expected the id of an event of this session'),
    )
  }
  if (!stream.hasRest(event.number)) {
    return refuse(
      exchange,
      refusal(400, 'Bad request: Last-Event-ID: the answer after it is not kept any more'),
    )
  }
  const { state, principal } = session
  const refused = stream.connected ? undefined : (checkOwnStreams(session) ?? checkStreams(state, principal))
  if (refused !== undefined) return refuse(exchange, refused)
  stream.attach(exchange, session.headers, event.number)
}

/** Somebody else's session looks like one that is not there. */
function findSession(state: HttpState, exchange: Exchange, principal: Principal): Session | Refusal {
  const version = exchange.headers['mcp-protocol-version']
  if (version !== undefined && findRevision(version) === undefined) return wrongVersion(version)
  const id = exchange.headers['mcp-session-id']
  if (id === undefined)
    return refusal(400, 'Bad request: the Mcp-Session-Id header is missing; send initialize first')
  const session = state.sessions.get(id)
  if (!(session instanceof Session) || session.principal.id !== principal.id) {
    return refusal(404, 'Not found: there is no such session; send initialize again')
  }
  session.lastSeen = state.server.platform.now()
  session.link.principal = principal // The same caller may come back with a token for more, or for less.
  return session
}
