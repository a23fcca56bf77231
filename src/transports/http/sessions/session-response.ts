import type {
  Call,
  Fault,
  Id,
  Incoming,
  Outgoing,
  Outlet,
  Principal,
  Reply,
  Request,
  WireError,
} from '../../../kernel/index.ts'
import { answerRefused, answerReply, refusal, refuse } from '../answers.ts'
import type { Exchange, HttpHeaders, Refusal } from '../exchange.ts'
import { accepts, EVENTS } from '../guards/media-types.ts'
import { denial, isBarred } from '../guards/refused-call.ts'
import { type Away, checkStreams } from '../limits.ts'
import { requestsOf } from '../streams/lost-calls.ts'
import type { Stream } from '../streams/stream.ts'
import type { Session } from './session.ts'

/** The answer to one POST of a session: JSON, unless something is said before it. */
export class SessionResponse implements Outlet, Away {
  readonly #session: Session
  readonly #exchange: Exchange
  readonly #headers: HttpHeaders | undefined
  /** Among those that wait for their answers. */
  readonly #place = {}
  #stream: Stream | undefined
  #refused: Refusal | undefined
  #ids: readonly Id[] | undefined
  #incoming: Incoming | undefined
  #gone = false

  constructor(session: Session, exchange: Exchange, headers?: HttpHeaders) {
    this.#session = session
    this.#exchange = exchange
    this.#headers = headers
  }

  /** Hands a message to the session's link; the reply is the answer, now or later. */
  receive(incoming: Incoming): void {
    const { link } = this.#session
    this.#incoming = incoming
    const batched = incoming.kind === 'batch' && link.peer?.revision.batches !== true
    const status = batched ? 400 : undefined
    if (!link.receive(incoming, (reply) => this.deliver(reply, status), this)) this.#wait(incoming)
  }

  refused(request: Request, fault: Fault): boolean {
    if (this.#stream !== undefined || this.#incoming?.kind === 'batch') return false
    const { state, link } = this.#session
    this.#refused = denial(state, request, { fault, principal: link.principal })
    return this.#refused !== undefined
  }

  /** A client that takes no events, for whom there is no stream left, or that may not call, hears the answer alone. */
  get answersOnly(): boolean {
    if (this.#stream !== undefined) return false
    const { state, principal, link } = this.#session
    if (!accepts(this.#exchange, EVENTS) || checkStreams(state, principal) !== undefined) return true
    return link.principal?.scopes !== undefined && isBarred(state, this.#incoming, link.principal)
  }

  get headers(): HttpHeaders {
    return this.#exchange.headers
  }

  get principal(): Principal {
    return this.#session.principal
  }

  /** Whether the client is there to hear it. */
  get present(): boolean {
    return this.#stream === undefined ? !this.#gone : this.#stream.heard
  }

  get working(): number {
    const { link } = this.#session
    return this.#calls.length - this.asking + this.#waitingIds.filter((id) => link.waits(id)).length
  }

  get asking(): number {
    return this.#calls.filter((call) => this.#session.link.isResting(call)).length
  }

  get #waitingIds(): readonly Id[] {
    return this.#ids ?? []
  }

  get #calls(): readonly Call[] {
    return this.#waitingIds.flatMap((id) => this.#session.link.calls.get(id) ?? [])
  }

  /** There is no answer yet, and the client may leave before there is. */
  #wait(incoming: Incoming): void {
    const { waiting, state, principal } = this.#session
    this.#ids = requestsOf(incoming).map(({ id }) => id)
    state.places.countCalls(principal, this.#ids.length)
    waiting.set(this.#place, this)
    this.#exchange.onGone(() => {
      this.#gone = true
      if (waiting.has(this.#place)) state.places.away.add(this)
    })
  }

  #stopWaiting(calls: number): void {
    const { waiting, state, principal } = this.#session
    state.places.countCalls(principal, -calls)
    waiting.delete(this.#place)
    state.places.away.delete(this)
  }

  /** Ends calls whose client is not there; if it comes back, it hears why. */
  giveUp(): void {
    const { link } = this.#session
    for (const id of this.#waitingIds) {
      if (link.calls.has(id) || link.waits(id)) this.#stream?.send(failed(id, GIVEN_UP))
      link.cancel(id)
    }
  }

  send(message: Outgoing): void {
    if (this.answersOnly) return
    this.#stream ??= this.#session.openStream(this.#exchange, this.#headers, this.#incoming)
    this.#stream.send(message)
  }

  /** Only a client that was given an id to come back with can be let go. */
  detach(): void {
    if (!this.#session.priming || this.answersOnly) return
    this.#stream ??= this.#session.openStream(this.#exchange, this.#headers, this.#incoming)
    this.#stream.disconnect()
  }

  /** What has been agreed on is there for every node before the client hears that it is. */
  deliver(reply: Outgoing | undefined, status?: number): 'later' | undefined {
    if (this.#ids !== undefined) this.#stopWaiting(this.#ids.length)
    const { link } = this.#session
    if (!link.unsaved || link.state === 'closed' || link.lost !== undefined) {
      this.#finish(reply, status)
      return undefined
    }
    const finish = () => {
      this.#finish(reply, status)
      link.release()
    }
    // What could not be written down is when something else is; this node knows it anyway.
    this.#session.save().then(finish, finish)
    return 'later'
  }

  #finish(reply: Outgoing | undefined, status: number | undefined): void {
    if (this.#session.link.state === 'closed' && this.#waitingIds.length > 0) {
      const ready = repliesIn(reply)
      const left = this.#waitingIds.filter((id) => !ready.some((one) => one.id === id))
      if (left.length > 0) return this.#abandon(ready, left)
    }
    if (this.#stream !== undefined) return this.#stream.end(reply)
    const headers = this.#headers
    if (reply === undefined) return this.#exchange.answer(202, headers ?? {})
    if (this.#refused !== undefined) return answerRefused(this.#exchange, reply, this.#refused)
    answerReply(this.#exchange, reply, { status, headers })
  }

  /** Nobody has called these off: the session is over. What is ready is said with it. */
  #abandon(ready: readonly Reply[], left: readonly Id[]): void {
    if (this.#stream !== undefined) return this.#stream.disconnect()
    if (ready.length === 0) return refuse(this.#exchange, ENDED, left[0])
    const reply = [...ready, ...left.map((id) => failed(id, ENDED.error))]
    answerReply(this.#exchange, reply, { headers: this.#headers })
  }
}

function repliesIn(reply: Outgoing | undefined): readonly Reply[] {
  if (reply === undefined || 'method' in reply) return []
  return 'jsonrpc' in reply ? [reply] : reply
}

const failed = (id: Id, error: WireError): Reply => ({ jsonrpc: '2.0', id, error })

const ENDED = refusal(404, 'Not found: the session has ended, and with it this call; send initialize again')

const GIVEN_UP = refusal(503, 'Service unavailable: the client had left, and others needed the place').error
