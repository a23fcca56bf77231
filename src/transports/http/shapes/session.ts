import type { Call, Id, Incoming, Link, Outgoing, Outlet, Principal } from '../../../kernel/index.ts'
import { answerReply, refusal } from '../answers.ts'
import type { Exchange, HttpHeaders } from '../exchange.ts'
import { accepts, EVENTS } from '../guards/media-types.ts'
import { type Away, checkStreams } from '../limits.ts'
import { HTTP, type HttpState } from '../state.ts'
import { MissedChanges } from '../streams/missed-changes.ts'
import { Stream } from '../streams/stream.ts'

/** The stream of what belongs to no call. */
const STANDALONE = '0'

/** Finished streams that a session remembers for clients that lost their connection at the very end. */
const MAX_FINISHED = 16

/** A handshake client over HTTP: its link, and the streams that messages reach it on. */
export class Session {
  readonly id: string
  readonly state: HttpState
  readonly link: Link
  readonly principal: Principal
  readonly standalone: Stream
  lastSeen: number
  readonly #streams = new Map<string, Stream>()
  /** What has not been answered yet. */
  readonly waiting = new Set<SessionResponse>()
  #used = false
  #lastStream = 0

  constructor(state: HttpState, id: string, principal: Principal) {
    this.id = id
    this.state = state
    this.principal = principal
    this.standalone = new Stream(this, STANDALONE, new MissedChanges())
    this.#streams.set(STANDALONE, this.standalone)
    this.link = state.server.open({
      outlet: this.standalone,
      principal,
      carrier: { ...HTTP, session: id },
      rested: state.places.rested,
    })
    this.lastSeen = state.server.platform.now()
  }

  get headers(): HttpHeaders {
    return { 'mcp-session-id': this.id }
  }

  /** Whether a client is given an id to come back with before the first event. */
  get priming(): boolean {
    return this.link.peer?.revision.priming ?? false
  }

  get openStreams(): number {
    let open = 0
    for (const stream of this.#streams.values()) if (stream.connected) open++
    return open
  }

  findStream(id: string): Stream | undefined {
    return this.#streams.get(id)
  }

  createStream(): Stream {
    this.#prune()
    const stream = new Stream(this, String(++this.#lastStream))
    this.#streams.set(stream.id, stream)
    return stream
  }

  /** From here on clients find it. */
  begin(): void {
    this.state.sessions.set(this.id, this)
    this.state.places.count(this.principal, (share) => {
      share.sessions++
      share.unused.add(this)
    })
  }

  /** One that is used does not have to make room for others. */
  use(): void {
    if (this.#used) return
    this.#used = true
    this.state.places.count(this.principal, ({ unused }) => void unused.delete(this))
  }

  /** Ends it when nobody has used it for long; an open stream is use, and so is a call whose client waits for it. */
  expire(now: number): void {
    for (const stream of this.#streams.values()) if (stream.isOver(now)) this.#forget(stream)
    if (this.openStreams > 0 || [...this.waiting].some(({ present }) => present)) this.lastSeen = now
    else if (now - this.lastSeen > this.state.settings.sessionIdleMs) this.end()
  }

  end(): void {
    if (this.state.sessions.delete(this.id)) {
      this.state.places.count(this.principal, (share) => {
        share.sessions--
        share.unused.delete(this)
      })
    }
    this.link.close()
    for (const stream of this.#streams.values()) stream.forget()
  }

  #prune(): void {
    const finished = [...this.#streams.values()].filter((stream) => stream.ended && !stream.connected)
    for (const stream of finished.slice(0, -MAX_FINISHED)) this.#forget(stream)
  }

  #forget(stream: Stream): void {
    stream.forget()
    this.#streams.delete(stream.id)
  }
}

/** The answer to one POST of a session: JSON, unless something is said before it. */
export class SessionResponse implements Outlet, Away {
  readonly #session: Session
  readonly #exchange: Exchange
  readonly #headers: HttpHeaders | undefined
  #stream: Stream | undefined
  #ids: readonly Id[] = []
  #gone = false

  constructor(session: Session, exchange: Exchange, headers?: HttpHeaders) {
    this.#session = session
    this.#exchange = exchange
    this.#headers = headers
  }

  /** A client that takes no events, or for whom there is no stream left, hears the answer and nothing before it. */
  get answersOnly(): boolean {
    if (this.#stream !== undefined) return false
    const { state, principal } = this.#session
    return !accepts(this.#exchange, EVENTS) || checkStreams(state, principal) !== undefined
  }

  get principal(): Principal {
    return this.#session.principal
  }

  /** Whether the client is there to hear it. */
  get present(): boolean {
    return this.#stream === undefined ? !this.#gone : this.#stream.connected
  }

  get working(): number {
    return this.#calls.length - this.asking + this.#ids.filter((id) => this.#session.link.waits(id)).length
  }

  get asking(): number {
    return this.#calls.filter((call) => this.#session.link.isResting(call)).length
  }

  get #calls(): readonly Call[] {
    return this.#ids.flatMap((id) => this.#session.link.calls.get(id) ?? [])
  }

  /** There is no answer yet, and the client may leave before there is. */
  wait(incoming: Incoming): void {
    const { waiting, state } = this.#session
    this.#ids = idsOf(incoming)
    waiting.add(this)
    this.#exchange.onGone(() => {
      this.#gone = true
      if (waiting.has(this)) state.places.away.add(this)
    })
  }

  #stopWaiting(): void {
    this.#session.waiting.delete(this)
    this.#session.state.places.away.delete(this)
  }

  /** Ends calls whose client is not there; if it comes back, it hears why. */
  giveUp(): void {
    const { link } = this.#session
    for (const id of this.#ids) {
      if (link.calls.has(id) || link.waits(id)) this.#stream?.send({ jsonrpc: '2.0', id, error: GIVEN_UP })
      link.cancel(id)
    }
  }

  send(message: Outgoing): void {
    if (!this.answersOnly) this.#open().send(message)
  }

  /** Only a client that was given an id to come back with can be let go. */
  detach(): void {
    if (this.#session.priming && !this.answersOnly) this.#open().disconnect()
  }

  finish(reply: Outgoing | undefined, status?: number): void {
    if (this.#ids.length > 0) this.#stopWaiting()
    if (this.#stream !== undefined) {
      if (reply !== undefined) this.#stream.send(reply)
      this.#stream.end()
      return
    }
    const headers = this.#headers
    if (reply === undefined) return this.#exchange.answer(202, headers ?? {})
    answerReply(this.#exchange, reply, { status, headers })
  }

  #open(): Stream {
    if (this.#stream === undefined) {
      this.#stream = this.#session.createStream()
      this.#stream.connect(this.#exchange, this.#headers)
    }
    return this.#stream
  }
}

const GIVEN_UP = refusal(503, 'Service unavailable: the client had left, and others needed the place').error

function idsOf(incoming: Incoming): readonly Id[] {
  if (incoming.kind === 'request') return [incoming.id]
  return incoming.kind === 'batch' ? incoming.entries.flatMap((entry) => idsOf(entry)) : []
}
