import { ANYTHING, type Link, type Outgoing, type Outlet, type Principal } from '../../../kernel/index.ts'
import type { Exchange, HttpHeaders } from '../exchange.ts'
import type { HttpState } from '../state.ts'
import { storeFailed } from '../store-failed.ts'
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
  /** How often we have said that it is here, and have yet to hear that ourselves. */
  #unheard = 0
  /** Whether something has changed while nobody here could hear of it. */
  #missed = false
  #taking: Promise<void> | undefined

  constructor(session: StandaloneOwner) {
    this.#session = session
    this.#held = session.state.node === undefined
    this.#stream = new Stream(session, { id: STANDALONE, changes: this.#changes })
  }

  get connected(): boolean {
    return this.#stream.connected
  }

  /** How many changes there had been when its client knew of all; whatever was said to nobody has changed since. */
  get told(): number {
    return this.#missed || this.#stream.behind ? -1 : this.#session.state.server.changes.told
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

  /** Connects a client that has not listened before, or says nothing of it; there may be something to wait for. */
  open(exchange: Exchange, headers: HttpHeaders): Promise<void> | undefined {
    if (!this.#held) return this.#openHere(exchange, headers)
    this.#attach(exchange, headers)
    return undefined
  }

  /** What changed here since the session went on is told all the same. */
  async #openHere(exchange: Exchange, headers: HttpHeaders): Promise<void> {
    this.#missed ||= this.#stream.last > 0
    await this.#take(this.#stream.last)
    this.#attach(exchange, headers, this.#stream.last)
  }

  /** Whether a client can have seen the event of a number: where there are nodes, it may have been on another. */
  has(number: number): boolean {
    return this.#session.state.node !== undefined || !this.#held || number <= this.#stream.last
  }

  /** Connects a client that has seen the events up to a number. */
  async resume(exchange: Exchange, headers: HttpHeaders, after: number): Promise<void> {
    if (this.#held && after <= this.#stream.last) return this.#stream.attach(exchange, headers, after)
    if (this.#held) this.#letGo() // It was on another node meanwhile, of which we have yet to hear.
    await this.#take(after)
    const { node, settings } = this.#session.state
    this.#missed ||= node !== undefined && !settings.successor // What other nodes have told of is not known here.
    this.#attach(exchange, headers, after)
  }

  /** Goes on where another node has left off, once for all who ask for it. */
  #take(after: number): Promise<void> {
    this.#taking ??= this.#takeOver(after).finally(() => {
      this.#taking = undefined
    })
    return this.#taking
  }

  async #takeOver(after: number): Promise<void> {
    const stream = new Stream(this.#session, { id: STANDALONE, changes: this.#changes })
    await stream.takeOver(after)
    this.#stream = stream
    this.#hold()
  }

  #attach(exchange: Exchange, headers: HttpHeaders, after?: number): void {
    this.#stream.attach(exchange, headers, after)
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

  /** A node has said that the client listens there; what comes before our own word is older than that. */
  heardOf(node: string): void {
    if (node === this.#session.state.node?.id) this.#unheard = Math.max(0, this.#unheard - 1)
    else if (this.#unheard === 0) this.#letGo()
  }

  /** What was said, by us or others, may not have been heard. */
  deafened(): void {
    this.#unheard = 0
  }

  #letGo(): void {
    this.#held = false
    this.#stream.release()
    this.#stream = new Stream(this.#session, { id: STANDALONE, changes: this.#changes })
  }

  disconnect(): void {
    this.#stream.disconnect()
  }

  forget(): void {
    this.#stream.forget()
  }

  #hold(): void {
    const { state, id } = this.#session
    this.#held = true
    if (state.node === undefined) return
    this.#unheard++
    state.node.sendAll({ kind: 'held', session: id, by: state.node.id }).catch((error: unknown) => {
      this.#unheard = 0
      storeFailed(state, 'stream')(error)
    })
  }
}
