import {
  type Fault,
  type HeaderArgument,
  type Incoming,
  type Link,
  NOWHERE,
  type Outgoing,
  type Outlet,
  type Peer,
  type Principal,
  print,
  type Request,
} from '../../../kernel/index.ts'
import { answerRefused, answerReply } from '../answers.ts'
import { HTTP } from '../carrier.ts'
import type { BodySink, Exchange, HttpHeaders, Refusal } from '../exchange.ts'
import { accepts, EVENTS } from '../guards/media-types.ts'
import { denial, isBarred, refusedRequest } from '../guards/refused-call.ts'
import { checkArguments, checkHeaders } from '../guards/request-headers.ts'
import { countRequests } from '../limits.ts'
import type { HttpState } from '../state.ts'
import { EVENT_STREAM_HEADERS, printEvent } from '../streams/event-stream.ts'
import { openSink } from '../streams/sink.ts'

/** A message that belongs to no session. */
interface SingleCall {
  readonly incoming: Incoming
  readonly principal: Principal
  /** Who sends it, where the message does not say so itself. */
  readonly peer?: Peer
}

interface LinkedCall extends SingleCall {
  readonly link: Link
}

/** Answers a message whose link is opened for it and closed after it. */
export function answerCall(state: HttpState, exchange: Exchange, call: SingleCall): void {
  const { incoming, principal, peer } = call
  const { rested, makeRoom } = state.places
  const stateless = peer === undefined
  // What belongs to no request has nowhere to go.
  const link = state.server.open({ outlet: NOWHERE, principal, carrier: HTTP, rested, makeRoom, stateless })
  if (peer !== undefined) introduce(link, peer)
  const response = new CallResponse(state, exchange, { ...call, link })
  if (!link.receive(incoming, (reply) => response.deliver(reply), response)) response.wait(incoming)
}

function introduce(link: Link, peer: Peer): void {
  link.peer = peer
  link.state = 'operating'
  link.logLevel = undefined // It has not asked for notifications, and JSON is easier to read than events.
}

/** Answers in JSON, unless something has to be said before the answer: then by a stream of events. */
class CallResponse implements Outlet {
  readonly #link: Link
  readonly #state: HttpState
  readonly #exchange: Exchange
  readonly #principal: Principal
  readonly #incoming: Incoming
  readonly #stateless: boolean
  /** Among those that wait for their answers. */
  readonly #place = {}
  #sink: BodySink | undefined
  #refused: Refusal | undefined
  /** How many requests wait to be answered. */
  #waiting: number | undefined

  constructor(state: HttpState, exchange: Exchange, { incoming, principal, peer, link }: LinkedCall) {
    this.#link = link
    this.#state = state
    this.#exchange = exchange
    this.#principal = principal
    this.#incoming = incoming
    this.#stateless = peer === undefined
  }

  /** A client that takes no events, or that is turned away, hears the answer and nothing before it. */
  get answersOnly(): boolean {
    if (this.#sink !== undefined) return false
    if (this.#refused !== undefined || !accepts(this.#exchange, EVENTS)) return true
    return isBarred(this.#state, this.#incoming, this.#principal)
  }

  get headers(): HttpHeaders {
    return this.#exchange.headers
  }

  check(request: Request, sender: Peer | Fault): Fault | undefined {
    return this.#stateless ? checkHeaders(this.#exchange.headers, request, sender) : undefined
  }

  checkArguments(request: Request, headers: readonly HeaderArgument[]): Fault | undefined {
    return this.#stateless ? checkArguments(this.#exchange.headers, request, headers) : undefined
  }

  refused(request: Request, fault: Fault): boolean {
    if (this.#sink !== undefined || this.#incoming.kind === 'batch') return false
    this.#refused = denial(this.#state, request, { fault, principal: this.#principal })
    if (this.#refused === undefined && this.#stateless) this.#refused = refusedRequest(fault)
    return this.#refused !== undefined
  }

  send(message: Outgoing): void {
    if (this.answersOnly) return
    this.#sink ??= this.#open()
    this.#sink.write(printEvent(print(message)))
  }

  /** A call that was let in is answered; what only listens ends when its caller may listen no more. */
  #open(): BodySink {
    const link = this.#link
    const opened = {
      headers: EVENT_STREAM_HEADERS,
      gone: () => link.close(),
      principal: this.#principal,
      link: link.listens ? link : undefined,
    }
    return openSink(this.#state, this.#exchange, opened)
  }

  /** There is no answer yet; until there is, closing the connection is how a client cancels. */
  wait(incoming: Incoming): void {
    const link = this.#link
    this.#waiting = countRequests(incoming)
    this.#state.places.countCalls(this.#principal, this.#waiting)
    this.#state.links.set(this.#place, link)
    this.#exchange.onGone(() => link.close())
  }

  deliver(reply: Outgoing | undefined): void {
    if (this.#waiting === undefined) return this.#finish(reply)
    this.#state.places.countCalls(this.#principal, -this.#waiting)
    this.#state.links.delete(this.#place)
    this.#finish(reply)
    this.#link.close()
  }

  #finish(reply: Outgoing | undefined): void {
    if (this.#sink !== undefined)
      return this.#sink.end(reply === undefined ? undefined : printEvent(print(reply)))
    if (reply !== undefined) {
      if (this.#refused === undefined) return answerReply(this.#exchange, reply)
      return answerRefused(this.#exchange, reply, this.#refused)
    }
    this.#exchange.answer(202, {}) // Whoever has cancelled its call by leaving hears nothing of it.
  }
}
