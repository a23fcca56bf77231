import type { Client } from '../../client/index.ts'
import type { Call, Link, RelayedServer, RelayedState, Server } from '../../kernel/index.ts'
import { Caller } from './caller.ts'
import { UpstreamConnections } from './connections.ts'
import { Discretion } from './discretion.ts'
import { Health } from './health.ts'
import type { HeldFor } from './holder.ts'
import { FAMILIES } from './list-changes.ts'
import { Lookout } from './lookout.ts'
import { UpstreamOffers } from './offers.ts'
import type { UpstreamOptions } from './options.ts'
import { openPins, type Pins } from './pins/pins.ts'
import { UpstreamRelay } from './relay.ts'
import { UpstreamExtensions } from './relayed-extensions.ts'
import { describeUpstream } from './shown.ts'
import { joinServer, type Sibling } from './siblings.ts'
import { Tally } from './tally.ts'
import { WatchedUris } from './watched-uris.ts'
import { within } from './within.ts'

/** How long calls may finish at an upstream that is no longer wanted. */
const FINISH_MS = 10_000

/** One upstream of a server: what it offers, its connections, and how it is. */
export class Upstream implements Sibling {
  readonly name: string
  readonly options: UpstreamOptions
  readonly offers: UpstreamOffers
  readonly #server: Server
  readonly #connections: UpstreamConnections
  readonly #relay: UpstreamRelay
  readonly #health: Health
  readonly #note: ReturnType<Discretion['noting']>
  readonly #watched: WatchedUris
  readonly #caller: Caller
  readonly #extensions: UpstreamExtensions
  readonly #pins: Pins | undefined
  readonly #tally: Tally
  readonly #lookout: Lookout
  #part = () => {}
  #isClosed = false

  constructor(name: string, options: UpstreamOptions, server: Server) {
    this.name = name
    this.options = options
    this.#server = server
    const discretion = new Discretion(options)
    this.#note = discretion.noting(server)
    this.#tally = new Tally(server.platform.now)
    this.#caller = this.#createCaller(discretion)
    const { signIn, advise } = this.#caller
    const retry = () => this.#lookout.look()
    const recovered = () => this.#caller.own.clear()
    const { platform } = server
    this.#health = new Health({ name, platform, discretion, signIn, advise, retry, recovered })
    this.#connections = new UpstreamConnections({
      name,
      server,
      shared: options.shared === true,
      isProcess: options.command !== undefined,
      connect: (held, signal) => this.#connect(held, signal),
      check: (holding) => this.#caller.own.check(holding),
    })
    this.#relay = this.#createRelay()
    this.#pins = openPins(options, {
      upstream: name,
      server,
      note: this.#note,
      changed: () => this.offers.review(),
    })
    this.offers = this.#createOffers()
    this.#lookout = this.#createLookout()
    const listing = () => this.offers.listing
    this.#extensions = new UpstreamExtensions({ name, server, options, relay: this.#relay, listing })
    this.#watched = new WatchedUris({
      server,
      connections: this.#connections,
      ownUri: (uri) => this.offers.ownUri(uri),
      options,
    })
  }

  #createCaller(discretion: Discretion): Caller {
    return new Caller({
      discretion,
      name: this.name,
      options: this.options,
      server: this.#server,
      note: this.#note,
      signedIn: () => this.#health.hurry(),
      hear: (notification) => this.#relay.tasks.hear(notification),
      reopened: (client) => this.#lookout.vetting.doubt(client),
      failed: () => this.#connections.isProved || void this.#lookout.doubt(),
    })
  }

  #createRelay(): UpstreamRelay {
    return new UpstreamRelay({
      name: this.name,
      options: this.options,
      server: this.#server,
      connections: this.#connections,
      caller: this.#caller,
      health: this.#health,
      tally: this.#tally,
      doubt: () => this.#lookout.doubt(),
      vetted: (client, call) => this.#lookout.vetting.vetted(client, call),
    })
  }

  #createOffers(): UpstreamOffers {
    return new UpstreamOffers({
      name: this.name,
      pins: this.#pins,
      options: this.options,
      server: this.#server,
      relay: this.#relay,
      everybodys: () => (this.#health.trouble === undefined ? this.#connections.everybodys() : undefined),
      failed: (error) => this.#lookout.failed(error),
      confirm: (uri, call) => this.#confirm(uri, call),
      note: this.#note,
      looked: async () => this.#lookout.looking,
    })
  }

  #createLookout(): Lookout {
    return new Lookout({
      name: this.name,
      server: this.#server,
      pins: this.#pins,
      connections: this.#connections,
      offers: this.offers,
      health: this.#health,
      tally: this.#tally,
      note: this.#note,
      seen: () => this.#server.relaying.awaited.delete(this),
    })
  }

  /** Begins to look at what it has; nobody waits here, so that all upstreams are looked at at once. */
  open(): void {
    this.#lookout.look()
  }

  get looked(): Promise<unknown> {
    return Promise.all([this.#lookout.looking, this.offers.changes.refreshed])
  }

  /** Is one of the server's from here on. */
  join(): void {
    this.#part = joinServer(this.#server, {
      upstream: this,
      elsewhere: this.offers.elsewhere,
      interest: this.#watched,
      extensions: this.#extensions,
      roots: (link) => this.#connections.tell(link as Link, 'notifications/roots/list_changed'), // The kernel's own face.
    })
  }

  /** Serves what is known. */
  start(): void {
    if (this.#isClosed) return
    this.offers.start()
    if (this.offers.isKnown) return
    const { declared, awaited } = this.#server.relaying
    for (const family of FAMILIES) declared.add(family)
    if (this.#lookout.looking !== undefined) awaited.add(this)
  }

  readonly cacheOf: RelayedServer['cacheOf'] = (list) => this.offers.cacheOf(list)
  readonly nameHere: RelayedServer['nameHere'] = (list, name) => this.offers.nameHere(list, name)

  readonly asked = (): void => void this.#lookout.freshen()

  get state(): RelayedState {
    return describeUpstream({
      name: this.name,
      options: this.options,
      revision: this.#caller.revision,
      health: this.#health,
      offers: this.offers,
      tally: this.#tally,
      changed: this.changed,
    })
  }

  get introduced(): RelayedServer['introduced'] {
    return this.offers.isKnown ? { ...this.offers.listing, scopes: this.options.scopes ?? [] } : undefined
  }

  get absence(): RelayedServer['absence'] {
    const { isKnown, isRemembered, prefix } = this.offers
    const { complaint } = this.#health
    const reason = complaint ?? this.#lookout.waiting
    if (reason === undefined || isKnown || (complaint !== undefined && isRemembered)) return undefined
    return { reason, isAwaited: complaint === undefined, prefix, scopes: this.options.scopes ?? [] }
  }

  get changed(): RelayedServer['changed'] {
    return this.#pins?.changed ?? []
  }

  async approve(tool: string, hash: string): Promise<boolean> {
    return (await this.#pins?.approve(tool, hash)) === true
  }

  /** Offers nothing any more, and is closed when its calls have been answered or have had their time. */
  async retire(): Promise<void> {
    this.#leave()
    await within(FINISH_MS, this.#tally.idle(), this.#server)
    await this.close()
  }

  readonly left = (link: Link): void => this.#connections.left(link)

  async close(): Promise<void> {
    this.#leave()
    await this.#relay.close()
    await this.#pins?.close()
    await this.#connections.close()
  }

  #leave(): void {
    this.#isClosed = true
    this.#lookout.close()
    this.#part()
    this.#watched.close()
    this.#health.close()
    this.#caller.close()
    this.offers.close()
  }

  async #confirm(uri: string, call: Call): Promise<boolean> {
    try {
      return await this.#watched.confirm(uri, call)
    } catch (error) {
      throw this.#relay.explain(error, call)
    }
  }

  async #connect(held: HeldFor | undefined, signal: AbortSignal): Promise<Client> {
    const client = await this.#caller.connect(held, signal)
    const { vetting } = this.#lookout
    const changed = () => vetting.doubt(client)
    if (held !== undefined) this.offers.changes.listen(client, { changed }).catch(() => {}) // Its calls say what is wrong.
    vetting.begin(client, held !== undefined)
    return client
  }
}
