import type { Link, Principal } from '../../../kernel/index.ts'
import type { Exchange, HttpHeaders } from '../exchange.ts'
import type { Away } from '../limits.ts'
import { HTTP, type HttpState, type OpenSession } from '../state.ts'
import { MissedChanges } from '../streams/missed-changes.ts'
import { Stream } from '../streams/stream.ts'

/** The stream of what belongs to no call. */
const STANDALONE = '0'

/** Finished streams that a session remembers for clients that lost their connection at the very end. */
const MAX_FINISHED = 16

/** A handshake client over HTTP: its link, and the streams that messages reach it on. */
export class Session implements OpenSession {
  readonly id: string
  readonly state: HttpState
  readonly link: Link
  readonly principal: Principal
  readonly standalone: Stream
  lastSeen: number
  readonly #streams = new Map<string, Stream>()
  /** What has not been answered yet. */
  readonly waiting = new Set<Away>()
  /** Whether anything was asked of it since it was opened. */
  used = false
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
      makeRoom: state.places.makeRoom,
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

  /** Opens the stream on which a POST is answered. */
  openStream(exchange: Exchange, headers: HttpHeaders | undefined): Stream {
    if (this.#streams.size > MAX_FINISHED) this.#prune()
    const stream = new Stream(this, String(++this.#lastStream))
    this.#streams.set(stream.id, stream)
    stream.connect(exchange, headers)
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
    this.used = true
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
