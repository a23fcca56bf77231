import {
  type Agreement,
  type Incoming,
  type Link,
  type Outgoing,
  Passing,
  type Principal,
} from '../../../kernel/index.ts'
import { HTTP } from '../carrier.ts'
import type { Exchange, HttpHeaders } from '../exchange.ts'
import type { Away } from '../limits.ts'
import type { NodeMessage } from '../nodes/messages.ts'
import type { HttpState, KnownClient } from '../state.ts'
import { storeFailed } from '../store-failed.ts'
import { describeCalls } from '../streams/lost-calls.ts'
import { Standalone } from '../streams/standalone.ts'
import { Stream } from '../streams/stream.ts'

/** Finished streams that a session remembers for clients that lost their connection at the very end. */
const MAX_FINISHED = 16

/** Whoever looks after sessions. */
interface SessionOwner {
  readonly state: HttpState
  save(session: Session): Promise<void>
  /** It is not warm any more. */
  cooled(session: Session): void
}

/** A handshake client over HTTP while it is used here: its link, and the streams that messages reach it on. */
export class Session implements KnownClient {
  readonly id: string
  readonly state: HttpState
  readonly link: Link
  readonly principal: Principal
  readonly standalone: Standalone
  lastSeen: number
  /** When its record was last kept alive. */
  touchedAt: number
  /** The version of its record, and what that says. */
  version = 0
  base: Agreement | undefined
  /** Whether its record has to be read again. */
  stale = false
  /** Whether anything was asked of it since it was opened. */
  used = false
  /** Whether it goes on by its record, so that it may have been opened on another node. */
  restored = false
  /** What has not been answered yet. */
  readonly waiting = new Passing<object, Away>()
  readonly #streams = new Map<string, Stream>()

  readonly #owner: SessionOwner

  constructor(owner: SessionOwner, id: string, principal: Principal) {
    const { state } = owner
    this.id = id
    this.state = state
    this.#owner = owner
    this.principal = principal
    this.standalone = new Standalone(this)
    this.link = state.server.open({
      outlet: this.standalone,
      principal,
      carrier: { ...HTTP, session: id },
      rested: state.places.rested,
      makeRoom: state.places.makeRoom,
      questions: state.node?.id,
    })
    this.lastSeen = state.server.platform.now()
    this.touchedAt = this.lastSeen
  }

  get headers(): HttpHeaders {
    return { 'mcp-session-id': this.id }
  }

  /** Whether a client is given an id to come back with before the first event. */
  get priming(): boolean {
    return this.link.peer?.revision.priming === true
  }

  get openStreams(): number {
    let open = this.standalone.connected ? 1 : 0
    for (const stream of this.#streams.values()) if (stream.connected) open++
    return open
  }

  /** Whether it can be gone on with as it is. */
  get current(): boolean {
    return !this.stale && this.state.server.platform.now() - this.seen <= this.state.settings.sessionIdleMs
  }

  /** When it was last used, which it is for as long as it is busy. */
  get seen(): number {
    return this.busy ? this.state.server.platform.now() : this.lastSeen
  }

  /** Whether its record has to be kept alive. */
  isDue(now: number): boolean {
    return now - this.touchedAt > this.state.settings.sessionIdleMs / 4
  }

  /** An open stream is use, and so is a call whose client waits for it. */
  get busy(): boolean {
    if (this.openStreams > 0) return true
    return this.waiting.size > 0 && this.waiting.values().some(({ present }) => present)
  }

  findStream(id: string): Stream | undefined {
    return this.#streams.get(id)
  }

  /** Opens the stream on which a POST is answered. */
  openStream(exchange: Exchange, headers: HttpHeaders | undefined, incoming: Incoming | undefined): Stream {
    if (this.#streams.size >= MAX_FINISHED) this.#makeRoom()
    const { node, server } = this.state
    const calls =
      node === undefined || incoming === undefined
        ? undefined
        : describeCalls(incoming, server, this.principal)
    const stream = new Stream(this, { id: this.state.nextStream(), calls })
    this.#streams.set(stream.id, stream)
    stream.connect(exchange, headers)
    return stream
  }

  /** One that is used does not have to make room for others, on whichever node it was opened. */
  use(): void {
    this.used = true
    this.state.places.use(this.id, this.principal)
    if (this.restored) this.#tell({ kind: 'used', session: this.id })
  }

  /** Writes down what has been agreed on. */
  save(): Promise<void> {
    return this.#owner.save(this)
  }

  /** Something that belongs to no call reaches the client where it listens. */
  forward(message: Outgoing): void {
    this.#tell({ kind: 'notice', session: this.id, message })
  }

  #tell(message: NodeMessage): void {
    this.state.node?.sendAll(message).catch(storeFailed(this.state, message.kind))
  }

  /** What others have said of it may not have been heard. */
  deafened(): void {
    this.stale = true
    this.standalone.deafened()
  }

  /** Forgets streams that nobody will come back for. */
  prune(now: number): void {
    for (const stream of this.#streams.values()) if (stream.isOver(now)) this.#forget(stream)
  }

  /** From here on it is but a record; whoever speaks next goes on with it. */
  park(): void {
    if (this.busy || this.waiting.size + this.link.calls.size > 0) return
    this.#owner.cooled(this)
    this.link.park()
  }

  /** It is over, and nothing of it is kept. */
  end(): void {
    this.#owner.cooled(this)
    this.link.close()
    this.standalone.forget()
    for (const stream of this.#streams.values()) stream.forget()
    this.state.log.drop(this.id)
  }

  /** The server stops; the client goes on with another node, where there is one. */
  leave(): void {
    if (this.state.node === undefined) return this.end()
    this.#owner.cooled(this)
    this.standalone.disconnect()
    this.link.close('elsewhere')
    for (const stream of this.#streams.values()) stream.disconnect()
  }

  #makeRoom(): void {
    const finished = [...this.#streams.values()].filter((stream) => stream.ended && !stream.connected)
    for (const stream of finished.slice(0, -MAX_FINISHED)) this.#forget(stream)
  }

  #forget(stream: Stream): void {
    stream.forget()
    this.#streams.delete(stream.id)
  }
}
