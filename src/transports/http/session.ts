import {
  type Link,
  type Outgoing,
  type Outlet,
  type Principal,
  print,
  type Reply,
} from '../../kernel/index.ts'
import { Changes } from './changes.ts'
import type { Exchange, HttpHeaders } from './exchange.ts'
import { EVENTS, takes } from './guards.ts'
import { answerJson } from './refuse.ts'
import { HTTP, type Site } from './site.ts'
import { headersOf, statusOf } from './status.ts'
import { Stream } from './stream.ts'

/** The stream of what belongs to no call. */
const STANDALONE = '0'

/** Finished streams that a session remembers for clients that lost their connection at the very end. */
const MAX_FINISHED = 16

/** A handshake client over HTTP: its link, and the streams that messages reach it on. */
export class Session {
  readonly id: string
  readonly site: Site
  readonly link: Link
  readonly principal: Principal
  readonly standalone: Stream
  lastSeen: number
  readonly #streams = new Map<string, Stream>()
  #lastStream = 0

  constructor(site: Site, id: string, principal: Principal) {
    this.id = id
    this.site = site
    this.principal = principal
    this.standalone = new Stream(this, STANDALONE, new Changes())
    this.#streams.set(STANDALONE, this.standalone)
    this.link = site.server.open({ outlet: this.standalone, principal, carrier: { ...HTTP, session: id } })
    this.lastSeen = site.server.platform.now()
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

  /** Ends it when nobody has used it for long; an open stream or a running call is use. */
  expire(now: number): void {
    for (const stream of this.#streams.values()) if (stream.isOver(now)) this.#forget(stream)
    if (this.openStreams > 0 || this.link.calls.size > 0) this.lastSeen = now
    else if (now - this.lastSeen > this.site.settings.sessionIdleMs) this.end()
  }

  end(): void {
    this.site.sessions.delete(this.id)
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
export class SessionOutlet implements Outlet {
  readonly #session: Session
  readonly #exchange: Exchange
  readonly #headers: HttpHeaders | undefined
  #stream: Stream | undefined

  constructor(session: Session, exchange: Exchange, headers?: HttpHeaders) {
    this.#session = session
    this.#exchange = exchange
    this.#headers = headers
  }

  /** A client that takes no events hears the answer and nothing before it. */
  get answersOnly(): boolean {
    return !takes(this.#exchange, EVENTS)
  }

  send(message: Outgoing): void {
    if (!this.answersOnly) this.#open().send(message)
  }

  /** Only a client that was given an id to come back with can be let go. */
  detach(): void {
    if (this.#session.priming && !this.answersOnly) this.#open().disconnect()
  }

  finish(reply: Outgoing | undefined, status?: number): void {
    if (this.#stream !== undefined) {
      if (reply !== undefined) this.#stream.send(reply)
      this.#stream.end()
      return
    }
    const headers = this.#headers
    if (reply === undefined) return this.#exchange.answer(202, headers ?? {})
    if (!isReply(reply)) return answerJson(this.#exchange, status ?? 200, print(reply), headers)
    const extra = headersOf(reply)
    const all = extra === undefined ? headers : { ...headers, ...extra }
    answerJson(this.#exchange, status ?? statusOf(reply), print(reply), all)
  }

  #open(): Stream {
    if (this.#stream === undefined) {
      this.#stream = this.#session.createStream()
      this.#stream.connect(this.#exchange, this.#headers)
    }
    return this.#stream
  }
}

function isReply(message: Outgoing): message is Reply {
  return !Array.isArray(message) && !('method' in message)
}
