import {
  findRevision,
  type Incoming,
  type Outgoing,
  type Principal,
  type Request,
  unsupportedVersion,
} from '../../kernel/index.ts'
import type { Exchange, Refusal } from './exchange.ts'
import { checkAccept } from './guards.ts'
import { refusal, refusalOf, refuse } from './refuse.ts'
import { checkScopes } from './scopes.ts'
import { parseEventId, Session, SessionOutlet } from './session.ts'
import type { Site } from './site.ts'

/** 2025-03-26 to 2025-11-25: a session by header, answers as JSON or events, and streams that can be resumed. */
export function receiveStreamable(
  site: Site,
  incoming: Incoming,
  exchange: Exchange,
  principal: Principal,
): void {
  const opening = incoming.kind === 'request' && incoming.method === 'initialize'
  if (opening && exchange.header('mcp-session-id') === undefined)
    return openSession(site, incoming, exchange, principal)
  const session = findSession(site, exchange, principal)
  const id = incoming.kind === 'request' ? incoming.id : null
  if (!(session instanceof Session)) return refuse(exchange, session, id)
  const refused =
    checkStreams(site, session) ??
    (incoming.kind === 'request' ? checkScopes(site, incoming, principal) : undefined)
  if (refused !== undefined) return refuse(exchange, refused, id)
  deliver(site, session, incoming, new SessionOutlet(session, exchange, {}))
}

/** GET: the stream of what belongs to no call, or the rest of a stream that broke. */
export function openStream(site: Site, exchange: Exchange, principal: Principal): void {
  const notAcceptable = checkAccept(exchange, ['text/event-stream'])
  if (notAcceptable !== undefined) return refuse(exchange, notAcceptable)
  const session = findSession(site, exchange, principal)
  if (!(session instanceof Session)) return refuse(exchange, session)
  const lastEventId = exchange.header('last-event-id')
  if (lastEventId !== undefined) return resume(site, session, exchange, lastEventId)
  if (session.standalone.connected) {
    return refuse(exchange, refusal(409, 'Conflict: the session has its stream open already'))
  }
  const refused = checkStreams(site, session)
  if (refused !== undefined) return refuse(exchange, refused)
  void session.standalone.attach(exchange, session.headers)
}

/** DELETE: the client is done. */
export function closeSession(site: Site, exchange: Exchange, principal: Principal): void {
  const session = findSession(site, exchange, principal)
  if (!(session instanceof Session)) return refuse(exchange, session)
  session.end()
  exchange.answer(204, {})
}

function openSession(site: Site, request: Request, exchange: Exchange, principal: Principal): void {
  const { server, settings, sessions } = site
  if (sessions.size >= settings.maxSessions) {
    return refuse(
      exchange,
      refusal(503, 'Service unavailable: too many sessions', { 'retry-after': '10' }),
      request.id,
    )
  }
  const session = new Session(site, server.platform.randomId(), principal)
  const reply = server.receive(request, session.link)
  const settle = (settled: Outgoing | undefined) => {
    const opened = session.link.peer !== undefined
    if (opened) sessions.set(session.id, session)
    new SessionOutlet(session, exchange, opened ? session.headers : {}).finish(settled)
    session.link.release()
  }
  if (reply instanceof Promise) void reply.then(settle)
  else settle(reply)
}

function deliver(site: Site, session: Session, incoming: Incoming, outlet: SessionOutlet): void {
  const { link } = session
  const status = isMalformed(incoming, link.peer?.revision.batches ?? false) ? 400 : undefined
  const reply = site.server.receive(incoming, link, outlet)
  if (!(reply instanceof Promise)) return outlet.finish(reply, status)
  site.calls++
  void reply.then((settled) => {
    site.calls--
    session.lastSeen = site.server.platform.now()
    outlet.finish(settled, status)
    site.settled()
  })
}

function isMalformed(incoming: Incoming, batches: boolean): boolean {
  return incoming.kind === 'refused' || (incoming.kind === 'batch' && !batches)
}

function resume(site: Site, session: Session, exchange: Exchange, lastEventId: string): void {
  const event = parseEventId(lastEventId)
  const stream = event === undefined ? undefined : session.findStream(String(event.stream))
  if (event === undefined || stream === undefined) {
    return refuse(
      exchange,
      refusal(400, 'Bad request: Last-Event-ID: expected the id of an event of this session'),
    )
  }
  const refused = stream.connected ? undefined : checkStreams(site, session)
  if (refused !== undefined) return refuse(exchange, refused)
  void stream.attach(exchange, session.headers, event.number)
}

/** Somebody else's session looks like one that is not there. */
function findSession(site: Site, exchange: Exchange, principal: Principal): Session | Refusal {
  const version = exchange.header('mcp-protocol-version')
  if (version !== undefined && findRevision(version) === undefined)
    return refusalOf(400, unsupportedVersion(version))
  const id = exchange.header('mcp-session-id')
  if (id === undefined)
    return refusal(400, 'Bad request: the Mcp-Session-Id header is missing; send initialize first')
  const session = site.sessions.get(id)
  if (session === undefined || session.principal.id !== principal.id) {
    return refusal(404, 'Not found: there is no such session; send initialize again')
  }
  session.lastSeen = site.server.platform.now()
  session.link.principal = principal // The same caller may come back with a token for more, or for less.
  return session
}

function checkStreams({ settings, sinks }: Site, session: Session): Refusal | undefined {
  if (session.openStreams >= settings.maxStreamsPerSession) {
    return refusal(429, 'Too many requests: too many open streams in this session', { 'retry-after': '1' })
  }
  return sinks.size >= settings.maxStreams
    ? refusal(503, 'Service unavailable: too many open streams', { 'retry-after': '10' })
    : undefined
}
