import {
  Fault,
  findMethod,
  type Incoming,
  type Outgoing,
  type Outlet,
  type Principal,
  print,
  type Reply,
  type Request,
  readIntroduction,
  toPeer,
} from '../../kernel/index.ts'
import { EVENT_STREAM_HEADERS, printEvent } from './event-stream.ts'
import type { Exchange, Refusal, Sink } from './exchange.ts'
import { checkArgumentHeaders, checkMethodHeaders, checkVersionHeader } from './headers.ts'
import { answerJson, refusal, refusalOf, refuse } from './refuse.ts'
import { checkCalls, checkStreams } from './room.ts'
import { checkScopes } from './scopes.ts'
import { HTTP, openSink, type Site, settleLater } from './site.ts'
import { headersOf, statusOf } from './status.ts'

/** 2026-07-28: a request is a POST and its answer is all there is; nothing is remembered between two of them. */
export function receivePostOnly(
  site: Site,
  message: Incoming,
  exchange: Exchange,
  principal: Principal,
): void {
  if (message.kind === 'notice') return exchange.answer(202, {})
  if (message.kind !== 'request') return refuse(exchange, NOT_ASKED[message.kind])
  const listens = message.method === 'subscriptions/listen'
  const refused =
    (listens ? checkStreams(site) : checkCalls(site)) ?? climb(site, message, exchange, principal)
  if (refused !== undefined) return refuse(exchange, refused, message.id)
  const { server } = site
  const outlet = new PostOutlet(site, exchange, () => link.close())
  const link = server.open({ outlet: NOWHERE, principal, carrier: HTTP })
  const reply = server.receive(message, link, outlet)
  if (!(reply instanceof Promise)) return outlet.finish(reply as Reply | undefined) // A request has one reply.
  // Closing the connection is how a client cancels.
  exchange.onGone(() => link.close())
  site.links.add(link)
  if (listens) site.listening++
  settleLater(site, reply, (settled) => {
    site.links.delete(link)
    if (listens) site.listening--
    outlet.finish(settled as Reply | undefined)
    link.close()
  })
}

const NOT_ASKED = {
  answer: refusal(400, 'Invalid request: there is no question to answer'),
  batch: refusal(400, 'Invalid request: there are no batches in this revision'),
  refused: refusal(400, 'Invalid request'),
}

/** What belongs to no request has nowhere to go. */
const NOWHERE: Outlet = { send() {} }

/** The rungs that a request must climb before it is a call, in the order in which they are told apart. */
function climb(site: Site, request: Request, exchange: Exchange, principal: Principal): Refusal | undefined {
  const { server } = site
  const introduction = readIntroduction(request.params?.['_meta'])
  if (introduction instanceof Fault) return refusalOf(400, introduction)
  const mismatch = checkVersionHeader(exchange, introduction.version)
  if (mismatch !== undefined) return refusalOf(400, mismatch)
  const peer = toPeer(introduction)
  if (peer instanceof Fault) return refusalOf(400, peer)
  const wrongHeader = checkMethodHeaders(exchange, request)
  if (wrongHeader !== undefined) return refusalOf(400, wrongHeader)
  if (findMethod(request.method, peer.revision, server, principal) === undefined) {
    return refusalOf(404, new Fault('methodNotFound', `Method not found: ${request.method}`))
  }
  const wrongArgument = checkArgumentHeaders(exchange, request, server)
  if (wrongArgument !== undefined) return refusalOf(400, wrongArgument)
  return checkScopes(site, request, principal)
}

/** Answers in JSON, unless something has to be said before the answer: then by a stream of events. */
class PostOutlet implements Outlet {
  readonly #site: Site
  readonly #exchange: Exchange
  readonly #gone: () => void
  #sink: Sink | undefined

  constructor(site: Site, exchange: Exchange, gone: () => void) {
    this.#site = site
    this.#exchange = exchange
    this.#gone = gone
  }

  send(message: Outgoing): void {
    this.#sink ??= openSink(this.#site, this.#exchange, EVENT_STREAM_HEADERS, this.#gone)
    this.#sink.write(printEvent(print(message)))
  }

  /** A cancelled call has no reply, and then there is nobody to tell. */
  finish(reply: Reply | undefined): void {
    if (this.#sink !== undefined) {
      if (reply !== undefined) this.#sink.write(printEvent(print(reply)))
      this.#sink.end()
      return
    }
    if (reply !== undefined) answerJson(this.#exchange, statusOf(reply), print(reply), headersOf(reply))
  }
}
