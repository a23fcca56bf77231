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
import { checkCalls, checkOwnStreams, checkStreams } from '../limits.ts'
import { routeElsewhere } from '../nodes/route.ts'
import { Session } from '../sessions/session.ts'
import { SessionResponse } from '../sessions/session-response.ts'
import { whenStored } from '../sessions/when-stored.ts'
import type { HttpSite } from '../site.ts'
import type { Posted } from '../state.ts'
import { follow } from '../streams/followed.ts'
import { STANDALONE } from '../streams/standalone.ts'
import { parseEventId } from '../streams/stream.ts'
import { answerCall } from './single-call.ts'

/** 2025-03-26 to 2025-11-25: a session by header, answers as JSON or events, and streams that can be resumed. */
export function receiveStreamable(state: HttpSite, posted: Posted): void {
  const { incoming, exchange, principal } = posted
  const named = exchange.headers['mcp-session-id'] !== undefined
  if (!named && incoming.kind === 'request' && incoming.method === 'initialize')
    return openSession(state, { incoming, exchange, principal })
  if (!named && state.settings.sessionless === 'served') return receiveSessionless(state, posted)
  findSession(state, posted, (session) => receiveInSession(session, posted))
}

function receiveInSession(session: Session, { incoming, exchange }: Posted): void {
  const id = incoming.kind === 'request' ? incoming.id : null
  if (incoming.kind !== 'notification' && !session.used) session.use()
  const refused = checkMessage(session, incoming)
  if (refused !== undefined) return refuse(exchange, refused, id)
  if (session.state.node !== undefined && routeElsewhere(session, exchange, incoming)) return
  new SessionResponse(session, exchange).receive(incoming)
}

/** A client that opens no session is served as one that can do nothing but call. */
function receiveSessionless(state: HttpSite, { incoming, exchange, principal }: Posted): void {
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
export function openStream(state: HttpSite, exchange: Exchange, principal: Principal): void {
  const notAcceptable = checkStreamAccept(exchange)
  if (notAcceptable !== undefined) return refuse(exchange, notAcceptable)
  findSession(state, { exchange, principal }, (session) => {
    session.use()
    const lastEventId = exchange.headers['last-event-id']
    if (lastEventId !== undefined) return resume(session, exchange, lastEventId)
    const refused = session.standalone.connected
      ? refusal(409, 'Conflict: the session has its stream open already')
      : (checkOwnStreams(session) ?? checkStreams(state, principal))
    if (refused !== undefined) return refuse(exchange, refused)
    const opening = session.standalone.open(exchange, session.headers)
    if (opening !== undefined) whenStored({ state, exchange }, opening, () => {})
  })
}

/** DELETE: the client is done. */
export function closeSession(state: HttpSite, exchange: Exchange, principal: Principal): void {
  findSession(state, { exchange, principal }, ({ id }) =>
    whenStored({ state, exchange }, state.sessions.end(id), () => exchange.answer(204, {})),
  )
}

function openSession(state: HttpSite, posted: Posted<Request>): void {
  const { incoming: request, exchange, principal } = posted
  const refused = checkCalls(state, principal, request)
  if (refused !== undefined) return refuse(exchange, refused, request.id)
  const id = state.server.platform.randomId()
  whenStored({ state, exchange, id: request.id }, state.sessions.admit(id, principal), (full) => {
    if (full !== undefined) return refuse(exchange, full, request.id)
    shakeHands(state.sessions, new Session(state.sessions, id, principal), posted)
  })
}

/** A session is there for every node before its client hears of it. */
function shakeHands(
  sessions: HttpSite['sessions'],
  session: Session,
  { incoming: request, exchange }: Posted<Request>,
): void {
  const { link, state, principal, id } = session
  let waiting = 0
  const answered = link.receive(request, (reply) => {
    if (waiting > 0) state.places.countCalls(principal, -waiting)
    const opened = link.peer !== undefined
    const kept = opened ? sessions.begin(session) : sessions.leave(id, principal)
    whenStored({ state, exchange, id: request.id }, kept, () => {
      new SessionResponse(session, exchange, opened ? session.headers : undefined).deliver(reply)
      link.release()
    })
    return 'later'
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

/** A stream is resumed where it is, or by what its node has kept of it. */
function resume(session: Session, exchange: Exchange, lastEventId: string): void {
  const { state, principal, headers } = session
  const event = parseEventId(lastEventId)
  if (event === undefined) return refuse(exchange, NO_EVENT)
  const { stream: id, number } = event
  const stream = session.findStream(id)
  if (id === STANDALONE ? !session.standalone.has(number) : stream !== undefined && number > stream.last)
    return refuse(exchange, NO_EVENT)
  if (stream !== undefined && !stream.hasRest(number)) return refuse(exchange, NOT_KEPT)
  const connected = id === STANDALONE ? session.standalone.connected : stream?.connected === true
  const refused = connected ? undefined : (checkOwnStreams(session) ?? checkStreams(state, principal))
  if (refused !== undefined) return refuse(exchange, refused)
  if (stream !== undefined) return stream.attach(exchange, headers, number)
  if (id === STANDALONE)
    return whenStored({ state, exchange }, session.standalone.resume(exchange, headers, number), () => {})
  whenStored({ state, exchange }, follow({ session, exchange, stream: id, after: number }), (found) => {
    if (!found) refuse(exchange, NOT_KEPT)
  })
}

const NO_EVENT = refusal(400, 'Bad request: Last-Event-ID: expected the id of an event of this session')
const NOT_KEPT = refusal(400, 'Bad request: Last-Event-ID: the answer after it is not kept any more')

/** Goes on with the session that a request names, by its record where it is not in use here. */
function findSession(state: HttpSite, asked: SessionRequest, go: (session: Session) => void): void {
  const { exchange, principal, incoming } = asked
  const { headers } = exchange
  const version = headers['mcp-protocol-version']
  const id = headers['mcp-session-id']
  const message = incoming?.kind === 'request' ? incoming.id : null
  if (version !== undefined && findRevision(version) === undefined)
    return refuse(exchange, wrongVersion(version), message)
  if (id === undefined) return refuse(exchange, NO_SESSION_NAMED, message)
  const check = (session: Session | 'foreign' | undefined) => {
    if (session === 'foreign') return refuse(exchange, FOREIGN_SESSION, message)
    if (session === undefined || session.principal.id !== principal.id)
      return refuse(exchange, NO_SESSION, message)
    session.link.principal = principal // The same caller may come back with a token for more, or for less.
    go(session)
  }
  const warm = state.sessions.warm.get(id)
  if (warm?.current !== true)
    return whenStored({ state, exchange, id: message }, state.sessions.adopt(id), check)
  const now = state.server.platform.now()
  warm.lastSeen = now
  if (warm.isDue(now)) state.sessions.touch(warm)
  check(warm)
}

interface SessionRequest {
  readonly exchange: Exchange
  readonly principal: Principal
  readonly incoming?: Incoming
}

const NO_SESSION_NAMED = refusal(
  400,
  'Bad request: the Mcp-Session-Id header is missing; send initialize first',
)

/** While servers of two versions share a store, a client may reach the one that it has not spoken to. */
const FOREIGN_SESSION = refusal(
  404,
  'Not found: the session was opened by a server of another version, which this one cannot go on with; send initialize again',
)

/** Somebody else's session looks like one that is not there. */
const NO_SESSION = refusal(404, 'Not found: there is no such session; send initialize again')
