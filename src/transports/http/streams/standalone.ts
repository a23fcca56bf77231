import { ANYTHING, type Link, type Outgoing, type Outlet, type Principal } from '../../../kernel/index.ts'
import type { Exchange, HttpHeaders } from '../exchange.ts'
import type { HttpState } from '../state.ts'
import { MissedChanges } from './missed-changes.ts'
import { Stream } from './stream.ts'

/** Its name among the streams of a session. */
export const STANDALONE = '0'

/** The session that it belongs to. */
interface StandaloneOwner {
  readonly id: string
  readonly state: HttpState
  readonly link: Link
  readonly principal: Principal
  readonly priming: boolean
  /** Has whichever node the client listens on tell it. */
  forward(message: Outgoing): void
}

/** The stream of what belongs to no call. A client has it on one node, and takes it along when it comes back elsewhere. */
export class Standalone implements Outlet {
  readonly #session: StandaloneOwner
  readonly #changes = new MissedChanges()
  #stream: Stream
  /** Whether the client was last heard to listen here. */
  #held: boolean
  #heldAt = 0
  /** Whether something has changed while nobody here could hear of it. */
  #missed = false

  constructor(session: StandaloneOwner) {
    this.#session = session
    this.#held = session.state.node === undefined
    this.#stream = new Stream(session, { id: STANDALONE, changes: this.#changes })
  }

  get connected(): boolean {
    return this.#stream.connected
  }

  /** Of changes every node hears by itself; everything else goes where the client is. */
  send(message: Outgoing): void {
    if (this.#held || this.#session.state.node === undefined) this.#stream.send(message)
    else if (this.#changes.isChange(message)) return
    else this.#session.forward(message)
  }

  /** Another node has something for the client. */
  receive(message: Outgoing): void {
    if (this.#held) this.#stream.send(message)
  }

  /** Connects a client that has not listened before, or says nothing of it. */
  open(exchange: Exchange, headers: HttpHeaders): void {
    this.#hold()
    this.#stream.attach(exchange, headers)
    this.#tellMissed()
  }

  /** Whether a client can have seen the event of a number. */
  has(number: number): boolean {
    return !this.#held || number <= this.#stream.last
  }

  /** Connects a client that has seen the events up to a number. */
  async resume(exchange: Exchange, headers: HttpHeaders, after: number): Promise<void> {
    if (this.#held) return this.#stream.attach(exchange, headers, after)
    const stream = new Stream(this.#session, { id: STANDALONE, changes: this.#changes })
    await stream.takeOver(after)
    this.#stream = stream
    this.#hold()
    stream.attach(exchange, headers, after)
    const { node, settings } = this.#session.state
    this.#missed ||= node !== undefined && !settings.successor // What other nodes have told of is not known here.
    this.#tellMissed()
  }

  /** Its client looks again at whatever may have changed. */
  #tellMissed(): void {
    if (this.#missed) this.#session.link.listener?.tell(ANYTHING)
    this.#missed = false
  }

  /** The session goes on by its record, and whether something has changed meanwhile is all that is known. */
  restored(missed: boolean): void {
    this.#held = false
    this.#missed = missed
  }

  /** The client listens on another node from here on. */
  moved(at: number): void {
    if (at < this.#heldAt) return // It has come back since.
    this.#held = false
    this.#stream.disconnect()
    this.#stream = new Stream(this.#session, { id: STANDALONE, changes: this.#changes })
  }

  disconnect(): void {
    this.#stream.disconnect()
  }

  forget(): void {
    this.#stream.forget()
  }

  #hold(): void {
    const { node, server } = this.#session.state
    if (this.#held) return
    this.#held = true
    this.#heldAt = server.platform.now()
    if (node === undefined) return
    const moved = { session: this.#session.id, stream: STANDALONE, at: this.#heldAt }
    const told = node.sendAll({ kind: 'moved', ...moved })
    told.catch((error: unknown) => server.observe({ kind: 'crashed', error, method: 'stream' }))
  }
}
