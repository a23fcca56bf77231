import { type Incoming, type Outgoing, type Principal, print } from '../../../kernel/index.ts'
import { refusal, refuse } from '../answers.ts'
import type { BodySink, Exchange } from '../exchange.ts'
import { checkContentType, checkStreamAccept } from '../guards/media-types.ts'
import { checkCalls, checkSessions, checkStreams, countRequests } from '../limits.ts'
import { parseBody } from '../post.ts'
import { HTTP, type HttpState, type KnownClient } from '../state.ts'
import { EVENT_STREAM_HEADERS, printNamedEvent } from '../streams/event-stream.ts'
import { openSink } from '../streams/sink.ts'

/** GET: opens the stream, whose first event says where to post. */
export function openPair(
  state: HttpState,
  exchange: Exchange,
  { principal, messages }: { readonly principal: Principal; readonly messages: string },
): void {
  const { server, pairs, places } = state
  const refused =
    checkStreamAccept(exchange) ?? checkSessions(state, principal) ?? checkStreams(state, principal)
  if (refused !== undefined) return refuse(exchange, refused)
  const id = server.platform.randomId()
  const send = (message: Outgoing) => sink.write(printNamedEvent('message', print(message)))
  const link = server.open({
    outlet: { send },
    principal,
    carrier: { ...HTTP, session: id },
    rested: places.rested,
    makeRoom: places.makeRoom,
  })
  const leave = () => {
    if (pairs.delete(id)) places.count(principal, (share) => void share.sessions--)
    link.close()
  }
  const sink: BodySink = openSink(state, exchange, {
    headers: EVENT_STREAM_HEADERS,
    gone: leave,
    link,
    principal,
  })
  const end = () => {
    leave()
    sink.end()
  }
  pairs.set(id, { link, principal, end })
  places.count(principal, (share) => void share.sessions++)
  sink.write(printNamedEvent('endpoint', `${messages}?sessionId=${id}`))
}

/** POST: what the client says; the answer goes out on its stream. */
export function postToPair(state: HttpState, exchange: Exchange, principal: Principal): void {
  const id = new URLSearchParams(exchange.query).get('sessionId')
  if (id === null) return refuse(exchange, refusal(400, 'Bad request: the parameter sessionId is missing'))
  const pair = state.pairs.get(id)
  if (pair === undefined || pair.principal.id !== principal.id) {
    return refuse(exchange, refusal(404, 'Not found: there is no such session'))
  }
  const unsupported = checkContentType(exchange)
  if (unsupported !== undefined) return refuse(exchange, unsupported)
  exchange.body.read(state.settings.maxBodyBytes, (body) => {
    const incoming = parseBody(state, exchange, body)
    if (incoming === undefined) return
    const full = checkCalls(state, principal, incoming)
    if (full !== undefined) return refuse(exchange, full, incoming.kind === 'request' ? incoming.id : null)
    exchange.answer(202, { 'content-type': 'text/plain' }, 'Accepted')
    pair.link.principal = principal // The same caller may come back with a token for more, or for less.
    deliver(state, pair, incoming)
  })
}

/** The answer is an event on its stream. */
function deliver({ places }: HttpState, { link, principal }: KnownClient, incoming: Incoming): void {
  let waiting = 0
  const answered = link.receive(incoming, (reply) => {
    if (waiting > 0) places.countCalls(principal, -waiting)
    if (reply !== undefined && link.state !== 'closed') link.outlet.send(reply)
  })
  if (answered) return
  waiting = countRequests(incoming)
  places.countCalls(principal, waiting)
}
