import type { Client } from '../../client/index.ts'
import type { Link } from '../../kernel/index.ts'
import type { UpstreamConnectionsOptions } from './connections-options.ts'
import { hintAtSharing, isLost } from './errors.ts'
import type { Health } from './health.ts'
import { conversationOf, type HeldFor, type Holder, type Holding, holderOf } from './holder.ts'
import {
  closeClient,
  findLeaving,
  givenAway,
  isBare,
  type KeptConnection,
  type Used,
} from './kept-connection.ts'

/** How long a session or a process is kept that nobody uses. */
const IDLE_MS = 60_000

const EVERYBODY = 'everybody'

/** The connections to one upstream: one for all where it keeps nothing for anybody, one for each client where it does. */
export class UpstreamConnections {
  readonly #options: UpstreamConnectionsOptions
  readonly #kept = new Map<Holder, KeptConnection>()
  readonly #gaveWay = new WeakSet<Client>()
  readonly #stopWatch: () => void
  /** How many were left while they were used. */
  #left = 0
  /** Whether it keeps something for each client, as far as it is known. */
  #keeps: boolean | undefined
  /** Whether it is told once what a client can do, and not with every request. */
  #isTold = true

  constructor(options: UpstreamConnectionsOptions) {
    const { usage } = options.server
    this.#options = options
    this.#stopWatch = usage.watch('maxUpstreamConnections', () => this.#counted.length)
  }

  /** The connection that is nobody's in particular: by it the lists are read. */
  async everybodys(): Promise<Client> {
    const kept = this.#open(EVERYBODY, undefined)
    const client = await kept.client
    this.#keeps = client.isKept && !this.#options.shared
    this.#isTold = client.revision.opening === 'handshake'
    this.#rest(EVERYBODY, kept) // Only now is it known whether it may.
    return client
  }

  /** Is of no use: the next one who wants it has another, and what is under way on it goes on. */
  abandon(client: Client): void {
    for (const [holder, { opened, isLeft }] of [...this.#kept])
      if (opened === client && !isLeft) this.#leave(holder)
  }

  /** The next look is by another process, since the one that is there may be of an older make; an address is the same for all. */
  renew(): void {
    if (this.#options.isProcess) this.#leave(EVERYBODY)
  }

  /** Resolves when it is known who holds which connection. */
  async known(): Promise<void> {
    if (this.#keeps === undefined) await this.everybodys()
  }

  /** Whether it keeps something for each client. */
  get isKept(): boolean {
    return this.#keeps === true
  }

  /** Whether somebody has a process that runs, so that it does not fail for all. */
  get isProved(): boolean {
    return this.#options.isProcess && [...this.#kept.values()].some(({ opened }) => opened !== undefined)
  }

  /** Whether a client may call however others fare: by a connection of its own, or by one that it gets in a name of its own. */
  isProvedFor(holding: Holding, health: Health): boolean {
    const isNamed = holding.forwarded?.['authorization'] !== undefined && this.#isAlone(health)
    return isNamed || this.isProvedBy(this.#kept.get(this.holderOf(holding))?.opened, health)
  }

  /** Whether a connection is of use however others fare: a process that runs, or a session where the gateway alone is refused. */
  isProvedBy(client: Client | undefined, health: Health): boolean {
    const isOpen =
      client !== undefined && [...this.#kept.values()].some((one) => one.opened === client && !one.isLeft)
    return isOpen && (this.#options.isProcess || this.#isAlone(health))
  }

  /** Whether it is the gateway that is refused, by one that knows its clients apart. */
  #isAlone({ state }: Health): boolean {
    return this.isKept && state.sick === 'signed-out'
  }

  /** By whom a connection is held. */
  holderOf(holding: Holding): Holder {
    return this.isKept ? holderOf(holding, this.#isTold) : EVERYBODY
  }

  /** Has a client use its connection, until the function given back is called. */
  use(holding: Holding): Used | Promise<Used> {
    return this.#keeps === undefined ? this.known().then(() => this.#use(holding)) : this.#use(holding)
  }

  #use(holding: Holding): Used | Promise<Used> {
    const holder = this.holderOf(holding)
    const kept = this.#open(holder, holder === EVERYBODY ? undefined : holding)
    const release = () => {
      kept.calls--
      if (kept.isLeft && kept.calls === 0) void this.#end(kept.holder)
      else this.#rest(holder, kept)
    }
    kept.calls++
    kept.stopClock?.()
    if (kept.held !== undefined) kept.held.holding = holding
    if (kept.opened !== undefined) return { client: kept.opened, release }
    return kept.client.then(
      (client) => ({ client, release }),
      (error) => {
        release()
        throw error
      },
    )
  }

  /** Tells an upstream something that a client has told us, on that client's own connection. */
  tell(link: Link, method: string): void {
    this.#kept
      .get(conversationOf(link))
      ?.client.then((client) => client.notify(method))
      .catch(() => {}) // Whoever cannot be told asks again when it is called.
  }

  /** A client has left; what it has called for and nobody has called off is still answered. */
  left(link: Link): void {
    this.#leave(conversationOf(link))
  }

  #leave(holder: Holder): void {
    const kept = this.#kept.get(holder)
    if (kept === undefined) return
    this.#forget(kept)
    if (kept.calls === 0) return void closeClient(kept)
    kept.isLeft = true
    kept.holder = `left ${++this.#left}` // It takes a place as long as it is used.
    this.#kept.set(kept.holder, kept)
    if (kept.held === undefined && this.#counted.length > this.#options.server.budgets.maxUpstreamConnections)
      this.#giveAway(this.#counted.find(({ held, isLeft }) => isLeft && held === undefined))
  }

  async close(): Promise<void> {
    this.#stopWatch()
    await Promise.all([...this.#kept.keys()].map((holder) => this.#end(holder)))
  }

  #open(holder: Holder, holding: Holding | undefined): KeptConnection {
    const known = this.#kept.get(holder)
    if (known !== undefined) return known
    if (holding !== undefined) {
      this.#options.check?.(holding)
      this.#makeRoom(holding.owner)
    }
    const held = holding && { holding }
    const stop = new AbortController()
    const kept: KeptConnection = {
      holder,
      client: this.#connect(held, stop.signal),
      stop,
      opened: undefined,
      held,
      calls: 0,
      isLeft: false,
      stopClock: undefined,
    }
    this.#kept.set(holder, kept)
    kept.client.then(
      (client) => {
        kept.opened = client
        client.whenOver(() => this.#forget(kept)) // Another may stand in its place by then.
      },
      () => this.#forget(kept), // Whoever waits for it is told.
    )
    this.#rest(holder, kept)
    return kept
  }

  /** Where one process alone can have something, such as a port or a profile, that by which lists were read gives way. */
  async #connect(held: HeldFor | undefined, signal: AbortSignal): Promise<Client> {
    const { connect } = this.#options
    try {
      return await connect(held, signal)
    } catch (error) {
      if (held === undefined || !this.isProved || !isLost(error) || signal.aborted) throw error
      if (!this.#kept.has(EVERYBODY)) throw hintAtSharing(error)
      await this.#end(EVERYBODY)
      return connect(held, signal)
    }
  }

  /** Those that take a place: what the gateway wants for itself takes nobody's. */
  get #counted(): readonly KeptConnection[] {
    return [...this.#kept.values()].filter((one) => one.holder !== EVERYBODY && !isBare(one))
  }

  #makeRoom(owner: string): void {
    const { server, name } = this.#options
    const most = server.budgets.maxUpstreamConnections
    if (this.#counted.length < most) return
    const leaving = findLeaving(this.#kept, owner)
    if (leaving === undefined)
      throw new Error(`${name} has ${most} connections for clients, all in use (--max-upstream-connections)`)
    this.#giveAway(this.#kept.get(leaving))
  }

  #giveAway(kept: KeptConnection | undefined): void {
    if (kept === undefined) return
    if (kept.opened !== undefined && kept.calls !== 0) this.#gaveWay.add(kept.opened)
    kept.stop.abort(givenAway()) // Whoever waits for one that is still being made is told by this.
    void this.#end(kept.holder)
  }

  /** Whether a connection was ended that was in use. */
  hasGivenWay(client: Client): boolean {
    return this.#gaveWay.has(client)
  }

  /** What costs nothing where it is not used stays. */
  #rest(holder: Holder, kept: KeptConnection): void {
    if (kept.calls > 0 || this.#kept.get(holder) !== kept) return
    kept.stopClock?.()
    if (holder === EVERYBODY && !(this.isKept && this.#options.isProcess)) return
    kept.stopClock = this.#options.server.platform.after(IDLE_MS, () => void this.#end(holder))
    this.#kept.delete(holder) // The one that was used last stands last.
    this.#kept.set(holder, kept)
  }

  #forget(kept: KeptConnection): void {
    kept.stopClock?.()
    if (this.#kept.get(kept.holder) === kept) this.#kept.delete(kept.holder)
  }

  async #end(holder: Holder): Promise<void> {
    const kept = this.#kept.get(holder)
    if (kept === undefined) return
    this.#forget(kept)
    await closeClient(kept)
  }
}
