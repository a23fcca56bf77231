import type { Carrier, Principal } from '../callers/principal.ts'
import { checkNotice } from '../check/notice.ts'
import type { Id, Incoming, JsonObject, Outgoing, Response, ServerRequest } from '../jsonrpc/message.ts'
import { isAtLeast, type LogLevel } from '../log-level.ts'
import type { Revision } from '../revisions/revision.ts'
import type { Call } from './call.ts'
import { SubscribedUris } from './interest.ts'
import type { Listener } from './listener.ts'
import type { Outlet } from './outlet.ts'
import { Passing } from './passing.ts'
import type { Peer } from './peer.ts'
import { type Asking, ClientLeft, OpenQuestions } from './questions.ts'
import type { LinkOptions, Server } from './server.ts'

/**
 * Takes the reply to a message, once there is one; undefined where it gets none. Whoever says 'later' keeps it for
 * now, and calls `release` when it has left.
 */
export type Deliver = (reply: Outgoing | undefined) => unknown

/** One conversation: its peer, its calls under way, its questions waiting. */
export class Link {
  readonly server: Server
  readonly outlet: Outlet
  readonly carrier: Carrier | undefined
  readonly stateless: boolean
  /** Whoever sent the last message; it stays the same caller, but what it may use can change. */
  principal: Principal | undefined
  /** Known once a handshake has been made. */
  peer: Peer | undefined
  /** The revision of the last request, whoever made it. */
  spoken: Revision | undefined
  /** Hears of changes on behalf of a handshake client. */
  listener: Listener | undefined
  state: 'created' | 'initializing' | 'operating' | 'closed' = 'created'
  logLevel: LogLevel | undefined
  /** Whether what has been agreed on changed since somebody wrote it down. */
  unsaved = false
  /** The client has asked the server to exit: what it says from here on is not answered. */
  leaving = false
  /** How many calls the server has given up; undefined while it answers them. */
  lost: number | undefined
  /** The calls that have not been answered at once; ids are unique only within a link. */
  readonly calls = new Passing<Id, Call>()
  readonly #options: LinkOptions
  // Made when first needed: over HTTP a link may live for a single call.
  #subscriptions: SubscribedUris | undefined
  #questions: OpenQuestions | undefined
  #waiting: Map<Id, () => void> | undefined
  #resting: Map<Call, 'asking' | 'listening'> | undefined
  #held: Outgoing[] | undefined

  constructor(options: LinkOptions) {
    this.#options = options
    this.server = options.server
    this.outlet = options.outlet
    this.principal = options.principal
    this.carrier = options.carrier
    this.stateless = options.stateless === true
    this.logLevel = firstLevel(options.server)
  }

  /**
   * The door for transports. The reply goes to `deliver`, now or later, and what had to wait behind it follows;
   * `outlet` takes what belongs to this message alone. Tells whether it has been answered already.
   */
  receive(incoming: Incoming, deliver: Deliver, outlet = this.outlet): boolean {
    const reply = this.#options.receive(this, incoming, outlet)
    if (reply instanceof Promise) {
      void reply.then((settled) => deliver(settled) !== 'later' && this.release())
      return false
    }
    const left = deliver(reply) !== 'later'
    if (left && (this.#held !== undefined || this.server.changes.untold)) this.release()
    return true
  }

  /** Has the transport give up what nobody waits for, until there is enough room. */
  makeRoom(enough: () => boolean): void {
    this.#options.makeRoom?.(this, enough)
  }

  /** Hears of changes from here on, on behalf of a handshake client. */
  operate(listener: Listener): void {
    this.state = 'operating'
    this.listener = listener
    this.server.listeners.add(listener)
  }

  /** The resources a handshake client subscribed to. */
  get subscriptions(): SubscribedUris {
    this.#subscriptions ??= new SubscribedUris(this)
    return this.#subscriptions
  }

  /** Keeps notices back until `release`, so that nothing overtakes the answer that comes next. */
  hold(): void {
    this.#held ??= []
  }

  /** The answer has left; now whatever waited behind it may. */
  release(): void {
    const held = this.#held
    this.#held = undefined
    if (held !== undefined) for (const message of held) this.outlet.send(message)
    this.server.changes.tell()
  }

  notify(method: string, params?: JsonObject): void {
    if (this.state === 'closed') return
    const message: ServerRequest =
      params === undefined ? { jsonrpc: '2.0', method } : { jsonrpc: '2.0', method, params }
    if (this.#held === undefined) this.outlet.send(message)
    else this.#held.push(message)
  }

  /** Tells a handshake client something that belongs to no call. */
  log(level: LogLevel, ...said: readonly [data: unknown, logger?: string]): void {
    const { data, logger } = checkNotice('link.log', level, said)
    if (this.peer === undefined || this.logLevel === undefined || !isAtLeast(level, this.logLevel)) return
    this.notify('notifications/message', { level, ...(logger !== undefined && { logger }), data })
  }

  ask(asking: Asking): Promise<JsonObject> {
    if (this.state === 'closed') return Promise.reject(new ClientLeft())
    this.#questions ??= new OpenQuestions(this.server.platform.after, this.#options.questions)
    return this.#questions.ask(asking)
  }

  /** How many calls are at work, as opposed to waiting for the client. */
  get busy(): number {
    return this.calls.size - (this.#resting?.size ?? 0)
  }

  /** A call that waits for the client does not count as work. */
  rest(call: Call, reason: 'asking' | 'listening'): void {
    this.wake(call)
    this.#resting ??= new Map()
    this.#resting.set(call, reason)
    this.#options.rested?.(this, reason, 1)
  }

  wake(call: Call): void {
    const reason = this.#resting?.get(call)
    if (reason === undefined) return
    this.#resting?.delete(call)
    this.#options.rested?.(this, reason, -1)
  }

  isResting(call: Call): boolean {
    return this.#resting?.has(call) === true
  }

  /** Whether a call of it only listens. */
  get listens(): boolean {
    return [...(this.#resting?.values() ?? [])].includes('listening')
  }

  /** Another call may have its id by now. */
  forget(call: Call): void {
    if (this.calls.get(call.id) === call) this.calls.delete(call.id)
    this.wake(call)
  }

  /** Somebody new speaks: what the one before had agreed on is forgotten, what it had called for is still answered. */
  reopen(): void {
    this.#leave()
    this.listener = undefined
    this.logLevel = firstLevel(this.server)
    this.#subscriptions = undefined
  }

  /** The client will say nothing more: nobody is left to listen or to be asked, but answers may still reach it. */
  hangUp(): void {
    for (const [call, reason] of [...(this.#resting ?? [])]) if (reason === 'listening') call.abort()
    this.#questions?.abandon()
  }

  /** Settles a question of ours; an answer to none is ignored. */
  answered(answer: Response): void {
    this.#questions?.settle(answer)
  }

  cancel(id: Id, reason?: string): void {
    this.calls.get(id)?.abort(reason)
    this.#callOff(id)
  }

  /** A request of a batch whose turn has not come; `callOff` is called when it never will. */
  wait(id: Id, callOff: () => void): void {
    this.#waiting ??= new Map()
    this.#waiting.set(id, callOff)
  }

  /** Its turn has come. */
  begin(id: Id): void {
    this.#waiting?.delete(id)
  }

  waits(id: Id): boolean {
    return this.#waiting?.has(id) === true
  }

  #callOff(id: Id): void {
    const callOff = this.#waiting?.get(id)
    this.#waiting?.delete(id)
    callOff?.()
  }

  /** The server stops, and its client is still there: what has no answer, and what is asked from here on, gets an error. */
  giveUp(): void {
    this.lost ??= 0
    for (const id of [...(this.#waiting?.keys() ?? [])]) this.#callOff(id)
    for (const call of [...this.calls.values()]) call.abort()
  }

  /** The client has left, or goes on elsewhere: whatever runs for it is told to stop. */
  close(client: 'left' | 'elsewhere' = 'left'): void {
    if (this.state === 'closed') return
    this.state = 'closed'
    for (const id of [...(this.#waiting?.keys() ?? [])]) this.#callOff(id)
    for (const call of this.calls.values()) call.abort()
    this.#questions?.abandon()
    this.#leave(client)
  }

  /** Lets go of everything, for a client that may go on elsewhere or later by what has been agreed on. */
  park(): void {
    this.state = 'closed'
    this.#questions?.abandon()
    this.#forgetClient()
  }

  /** Nothing is kept for a client that has left. */
  #leave(client: 'left' | 'elsewhere' = 'left'): void {
    this.#forgetClient()
    if (client === 'left') this.server.observe({ kind: 'link-closed', link: this })
  }

  #forgetClient(): void {
    if (this.listener !== undefined) this.server.listeners.delete(this.listener)
    this.server.held.remove(this)
    this.#subscriptions?.leave()
  }
}

/** The level of log notices before the client sets one; undefined means that none are sent. */
function firstLevel({ settings }: Server): LogLevel | undefined {
  return settings.logLevel === 'off' ? undefined : settings.logLevel
}
