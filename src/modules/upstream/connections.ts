import type { Client } from '../../client/index.ts'
import type { Call, Link, Server } from '../../kernel/index.ts'
import { declaredOf } from './declared.ts'
import type { PlainHeaders } from './forwarded.ts'

/** How long a session or a process is kept that nobody uses. */
const IDLE_MS = 60_000

export interface UpstreamConnectionsOptions {
  readonly name: string
  readonly server: Server
  /** Connects on behalf of a client, or of nobody in particular. */
  readonly connect: (held: HeldFor | undefined, signal: AbortSignal) => Promise<Client>
  /** Whether all callers share what would be one for each. */
  readonly shared: boolean
  /** Whether each of them is a process, which is not kept where nobody uses it. */
  readonly isProcess: boolean
}

/** Whoever a connection is for. */
export interface Holding extends Pick<Call, 'link' | 'owner' | 'peer'> {
  /** What of its headers the upstream is told. */
  readonly forwarded?: PlainHeaders | undefined
}

/** Whoever a connection is for, as it was last seen: a client over HTTP has a new link whenever it has been away. */
export interface HeldFor {
  holding: Holding
}

export interface Used {
  readonly client: Client
  readonly release: () => void
}

/** A connection to an upstream, and how many calls use it. */
interface KeptConnection {
  readonly client: Promise<Client>
  /** Gives up connecting. */
  readonly stop: AbortController
  /** The same, once it is there. */
  opened: Client | undefined
  readonly held: HeldFor | undefined
  calls: number
  /** Whether its client has left. */
  isLeft: boolean
  stopClock: (() => void) | undefined
}

/** Whom a connection is for: one conversation, by its session if it has one or, where those end with each call, one caller with what it says of itself. */
export type Holder = Link | string

const EVERYBODY = 'everybody'

/** The connections to one upstream: one for all where it keeps nothing for anybody, one for each client where it does. */
export class UpstreamConnections {
  readonly #options: UpstreamConnectionsOptions
  readonly #kept = new Map<Holder, KeptConnection>()
  readonly #stopWatch: () => void
  /** Whether it keeps something for each client, as far as it is known. */
  #keeps: boolean | undefined
  /** Whether it is told once what a client can do, and not with every request. */
  #isTold = true

  constructor(options: UpstreamConnectionsOptions) {
    const { usage } = options.server
    this.#options = options
    this.#stopWatch = usage.watch('maxUpstreamConnections', () => this.#held)
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

  /** The lists cannot be read by this one: the next look is by another, and what is under way on it goes on. */
  abandon(client: Client): void {
    if (this.#kept.get(EVERYBODY)?.opened === client) this.#leave(EVERYBODY)
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
      if (kept.isLeft && kept.calls === 0) void closeClient(kept)
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
    this.#forget(holder, kept)
    if (kept.calls === 0) void closeClient(kept)
    else kept.isLeft = true
  }

  async close(): Promise<void> {
    this.#stopWatch()
    await Promise.all([...this.#kept.keys()].map((holder) => this.#end(holder)))
  }

  #open(holder: Holder, holding: Holding | undefined): KeptConnection {
    const known = this.#kept.get(holder)
    if (known !== undefined) return known
    if (holder !== EVERYBODY) this.#makeRoom()
    const held = holding && { holding }
    const stop = new AbortController()
    const kept: KeptConnection = {
      client: this.#options.connect(held, stop.signal),
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
        client.whenOver(() => this.#forget(holder, kept)) // Another may stand in its place by then.
      },
      () => this.#forget(holder, kept), // Whoever waits for it is told.
    )
    this.#rest(holder, kept)
    return kept
  }

  /** How many are clients': what the gateway wants for itself takes nobody's place. */
  get #held(): number {
    return this.#kept.size - Number(this.#kept.has(EVERYBODY))
  }

  /** The one that has been idle for longest goes; where all are in use, there is no room. */
  #makeRoom(): void {
    const { server, name } = this.#options
    const most = server.budgets.maxUpstreamConnections
    if (this.#held < most) return
    for (const [holder, { calls }] of this.#kept)
      if (calls === 0 && holder !== EVERYBODY) return void this.#end(holder)
    throw new Error(`${name} has ${most} connections for clients, all in use (--max-upstream-connections)`)
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

  #forget(holder: Holder, kept: KeptConnection): void {
    kept.stopClock?.()
    if (this.#kept.get(holder) === kept) this.#kept.delete(holder)
  }

  async #end(holder: Holder): Promise<void> {
    const kept = this.#kept.get(holder)
    if (kept === undefined) return
    this.#forget(holder, kept)
    await closeClient(kept)
  }
}

async function closeClient({ client, stop }: KeptConnection): Promise<void> {
  stop.abort(new Error('The upstream is closed')) // Where it has not answered yet, nobody waits for it.
  await client.then((one) => one.close()).catch(() => {}) // It is gone either way.
}

/** Where a conversation ends with its call, its caller is known by who it is and by what is told once: what it calls itself, and can do. */
export function holderOf({ link, owner, peer, forwarded }: Holding, isTold: boolean): Holder {
  const { carrier } = link
  const isSingle = carrier?.protocol === 'http' && carrier.session === undefined
  if (!isSingle) return conversationOf(link)
  const told = isTold && [peer.info?.name, peer.info?.version, declaredOf(peer)]
  return `caller ${JSON.stringify([owner, told, forwarded])}`
}

/** A session goes on with another link when it has not been used for a while. */
function conversationOf(link: Link): Holder {
  const session = link.carrier?.session
  return session === undefined ? link : `session ${session}`
}
