import { type Incoming, type Link, type Outgoing, type Outlet, print } from '../../../kernel/index.ts'
import { answerReply } from '../answers.ts'
import type { Exchange, Sink } from '../exchange.ts'
import { accepts, EVENTS } from '../guards/media-types.ts'
import { countRequests } from '../limits.ts'
import { type HttpState, settleLater } from '../state.ts'
import { EVENT_STREAM_HEADERS, printEvent } from '../streams/event-stream.ts'
import { openSink } from '../streams/sink.ts'

/** What belongs to no request has nowhere to go. */
export const NOWHERE: Outlet = { send() {} }

/** Answers a message that stands alone: its link is opened for it and closed after it. */
export function answerCall(state: HttpState, incoming: Incoming, exchange: Exchange, link: Link): void {
  const outlet = new CallResponse(state, exchange, link)
  const reply = state.server.receive(incoming, link, outlet)
  if (!(reply instanceof Promise)) {
    if (reply === undefined) return exchange.answer(202, {})
    return outlet.finish(reply)
  }
  // Closing the connection is how a client cancels.
  exchange.onGone(() => link.close())
  state.links.add(link)
  const { principal } = link
  settleLater(state, { reply, principal, count: countRequests(incoming) }, (settled) => {
    state.links.delete(link)
    outlet.finish(settled)
    link.close()
  })
}

/** Answers in JSON, unless something has to be said before the answer: then by a stream of events. */
class CallResponse implements Outlet {
  readonly #state: HttpState
  readonly #exchange: Exchange
  readonly #link: Link
  #sink: Sink | undefined

  constructor(state: HttpState, exchange: Exchange, link: Link) {
    this.#state = state
    this.#exchange = exchange
    this.#link = link
  }

  /** A client that takes no events hears the answer and nothing before it. */
  get answersOnly(): boolean {
    return !accepts(this.#exchange, EVENTS)
  }

  send(message: Outgoing): void {
    if (this.answersOnly) return
    this.#sink ??= this.#open()
    this.#sink.write(printEvent(print(message)))
  }

  /** A call that was let in is answered; what only listens ends when its caller may listen no more. */
  #open(): Sink {
    const link = this.#link
    const opened = {
      headers: EVENT_STREAM_HEADERS,
      gone: () => link.close(),
      principal: link.principal,
    }
    return openSink(this.#state, this.#exchange, link.listens ? { ...opened, link } : opened)
  }

  /** A cancelled call has no reply, and then there is nobody to tell. */
  finish(reply: Outgoing | undefined): void {
    if (this.#sink !== undefined) {
      if (reply !== undefined) this.#sink.write(printEvent(print(reply)))
      this.#sink.end()
      return
    }
    if (reply !== undefined) answerReply(this.#exchange, reply)
  }
}
