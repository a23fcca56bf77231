import type { Id, Link, Outgoing, Outlet, Principal, Reply } from '../../kernel/index.ts'
import { print } from '../../kernel/index.ts'
import type { Exchange, HttpHeaders } from './exchange.ts'
import { answerJson } from './refuse.ts'
import type { Site } from './site.ts'
import { headersOf, statusOf } from './status.ts'
import { Stream } from './stream.ts'

/** The stream of what belongs to no call. */
const STANDALONE = '0'

/** Finished streams that a session remembers for clients that lost their connection at the very end. */
const MAX_FINISHED = 16

/** A handshake client over HTTP: its link, and the streams that messages reach it on. */
export class Session {
  readonly id: string
  readonly link: Link
  readonly principal: Principal
  readonly standalone: Stream
  lastSeen: number
  readonly #site: Site
  readonly #streams = new Map<string, Stream>()
  #lastStream = 0

  constructor(site: Site, id: string, principal: Principal) {
    this.id = id
    this.principal = principal
    this.#site = site
    this.standalone = new Stream({ site, session: id, id: STANDALONE, priming: false })
    this.link = site.server.open({ outlet: this.standalone, principal })
    this.lastSeen = site.server.platform.now()
  }

  get headers(): HttpHeaders {
    return { 'mcp-session-id': this.id }
  }

  get openStreams(): number {
    const open = [...this.#streams.values()].filter((stream) => stream.connected).length
    return this.standalone.connected ? open + 1 : open
  }

  isIdle(now: number): boolean {
    const quiet = now - this.lastSeen > this.#site.settings.sessionIdleMs
    return quiet && this.openStreams === 0 && this.link.calls.size === 0
  }

  findStream(id: string): Stream | undefined {
    return id === STANDALONE ? this.standalone : this.#streams.get(id)
  }

  createStream(): Stream {
    const id = String(++this.#lastStream)
    const priming = this.link.peer?.revision.priming ?? false
    const stream = new Stream({ site: this.#site, session: this.id, id, priming })
    this.#streams.set(id, stream)
    this.#prune()
    return stream
  }

  end(): void {
    this.#site.sessions.delete(this.id)
    this.link.close()
    this.standalone.forget()
    for (const stream of this.#streams.values()) stream.forget()
  }

  #prune(): void {
    const finished = [...this.#streams.values()].filter((stream) => stream.ended && !stream.connected)
    for (const stream of finished.slice(0, -MAX_FINISHED)) {
      stream.forget()
      this.#streams.delete(stream.id)
    }
  }
}

/** The answer to one POST of a session: JSON, unless something is said before it. */
export class SessionOutlet implements Outlet {
  readonly #session: Session
  readonly #exchange: Exchange
  readonly #headers: HttpHeaders
  #stream: Stream | undefined

  constructor(session: Session, exchange: Exchange, headers: HttpHeaders) {
    this.#session = session
    this.#exchange = exchange
    this.#headers = headers
  }

  send(message: Outgoing): void {
    this.#open().send(message)
  }

  /** Only a client that was given an id to come back with can be let go. */
  detach(): void {
    if (this.#session.link.peer?.revision.priming === true) this.#open().disconnect()
  }

  finish(reply: Outgoing | undefined, status?: number): void {
    if (this.#stream !== undefined) {
      if (reply !== undefined) this.#stream.send(reply)
      this.#stream.end()
      return
    }
    if (reply === undefined) return this.#exchange.answer(202, this.#headers)
    const single = isReply(reply) ? reply : undefined
    const code = status ?? (single === undefined ? 200 : statusOf(single))
    const extra = single === undefined ? undefined : headersOf(single)
    answerJson(this.#exchange, code, print(reply), { ...this.#headers, ...extra })
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

export function parseEventId(text: string): { readonly stream: Id; readonly number: number } | undefined {
  const [, stream, number] = /^(\d{1,9}):(\d{1,15})$/.exec(text) ?? []
  return stream === undefined ? undefined : { stream, number: Number(number) }
}
