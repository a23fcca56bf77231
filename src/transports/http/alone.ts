import { type Link, type Outgoing, type Outlet, print, type Reply, type Request } from '../../kernel/index.ts'
import { EVENT_STREAM_HEADERS, printEvent } from './event-stream.ts'
import type { Exchange, Sink } from './exchange.ts'
import { answerJson } from './refuse.ts'
import { openSink, type Site, settleLater } from './site.ts'
import { headersOf, statusOf } from './status.ts'

/** What belongs to no request has nowhere to go. */
export const NOWHERE: Outlet = { send() {} }

/** Answers a request that stands alone: its link is opened for it and closed after it. */
export function answerAlone(site: Site, request: Request, exchange: Exchange, link: Link): void {
  const outlet = new PostOutlet(site, exchange, () => link.close())
  const reply = site.server.receive(request, link, outlet)
  if (!(reply instanceof Promise)) return outlet.finish(reply as Reply | undefined) // A request has one reply.
  // Closing the connection is how a client cancels.
  exchange.onGone(() => link.close())
  site.links.add(link)
  const listens = request.method === 'subscriptions/listen'
  if (listens) site.listening++
  settleLater(site, reply, (settled) => {
    site.links.delete(link)
    if (listens) site.listening--
    outlet.finish(settled as Reply | undefined)
    link.close()
  })
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
