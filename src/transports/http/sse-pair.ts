import { type Incoming, type Link, type Outgoing, type Principal, parse, print } from '../../kernel/index.ts'
import { EVENT_STREAM_HEADERS, printNamedEvent } from './event-stream.ts'
import type { Exchange, Sink } from './exchange.ts'
import { checkContentType, checkStreamAccept } from './guards.ts'
import { refusal, refusalOf, refuse } from './refuse.ts'
import { checkCalls, checkSessions, checkStreams, countRequests } from './room.ts'
import { HTTP, openSink, type Site, settleLater } from './site.ts'

/** A client of 2024-11-05: it hears on one connection and speaks on others. */
export interface Pair {
  readonly link: Link
  readonly principal: Principal
  end(): void
}

/** GET: opens the stream, whose first event says where to post. */
export function openPair(site: Site, exchange: Exchange, principal: Principal, messages: string): void {
  const { server, pairs, room } = site
  const refused =
    checkStreamAccept(exchange) ?? checkSessions(site, principal) ?? checkStreams(site, principal)
  if (refused !== undefined) return refuse(exchange, refused)
  const id = server.platform.randomId()
  const send = (message: Outgoing) => sink.write(printNamedEvent('message', print(message)))
  const link = server.open({
    outlet: { send },
    principal,
    carrier: { ...HTTP, session: id },
    rested: room.rested,
  })
  const leave = () => {
    if (pairs.delete(id)) room.count(principal, (share) => void share.sessions--)
    link.close()
  }
  const sink: Sink = openSink(site, exchange, { headers: EVENT_STREAM_HEADERS, gone: leave, link, principal })
  const end = () => {
    leave()
    sink.end()
  }
  pairs.set(id, { link, principal, end })
  room.count(principal, (share) => void share.sessions++)
  sink.write(printNamedEvent('endpoint', `${messages}?sessionId=${id}`))
}

/** POST: what the client says; the answer goes out on its stream. */
export function postToPair(site: Site, exchange: Exchange, principal: Principal): void {
  const id = new URLSearchParams(exchange.query).get('sessionId')
  if (id === null) return refuse(exchange, refusal(400, 'Bad request: the parameter sessionId is missing'))
  const pair = site.pairs.get(id)
  if (pair === undefined || pair.principal.id !== principal.id) {
    return refuse(exchange, refusal(404, 'Not found: there is no such session'))
  }
  const unsupported = checkContentType(exchange)
  if (unsupported !== undefined) return refuse(exchange, unsupported)
  exchange.readBody(site.settings.maxBodyBytes, (body) => {
    if (typeof body !== 'string') return refuse(exchange, body)
    site.server.usage.saw('maxBodyBytes', body.length)
    const incoming = parse(body, site.server.dialect)
    if (incoming.kind === 'refused') return refuse(exchange, refusalOf(400, incoming.fault), incoming.id)
    const full = checkCalls(site, principal, incoming)
    if (full !== undefined) return refuse(exchange, full, incoming.kind === 'request' ? incoming.id : null)
    exchange.answer(202, { 'content-type': 'text/plain' }, 'Accepted')
    pair.link.principal = principal // The same caller may come back with a token for more, or for less.
    deliver(site, pair, incoming)
  })
}

function deliver(site: Site, { link, principal }: Pair, incoming: Incoming): void {
  const settle = (reply: Outgoing | undefined) => {
    if (reply !== undefined && link.state !== 'closed') link.outlet.send(reply)
    link.release()
  }
  const reply = site.server.receive(incoming, link)
  const count = countRequests(incoming)
  if (reply instanceof Promise) settleLater(site, { reply, principal, count }, settle)
  else settle(reply)
}
