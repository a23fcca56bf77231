import { type Client, ErrorReply } from '../../client/index.ts'
import type { Call, Link, LogLevel, RelayedServer, RelayedState, Server } from '../../kernel/index.ts'
import { Caller } from './caller.ts'
import { type Holding, UpstreamConnections } from './connections.ts'
import { toldBy } from './errors.ts'
import { Health } from './health.ts'
import { FAMILIES, UpstreamOffers } from './offers.ts'
import type { UpstreamOptions } from './options.ts'
import { openPins, type Pins } from './pins/pins.ts'
import { UpstreamRelay } from './relay.ts'
import { UpstreamExtensions } from './relayed-extensions.ts'
import { describeUpstream } from './shown.ts'
import { type Sibling, siblingsOf } from './siblings.ts'
import { Tally } from './tally.ts'
import type { UnlistedReader } from './unlisted.ts'
import { WatchedUris } from './watched-uris.ts'
import { within } from './within.ts'

/** How long calls may finish at an upstream that is no longer wanted. */
const FINISH_MS = 10_000

/** One upstream of a server: what it offers, its connections, and how it is. */
export class Upstream implements Sibling {
  readonly name: string
  readonly #options: UpstreamOptions
  readonly #server: Server
  readonly #connections: UpstreamConnections
  readonly #relay: UpstreamRelay
  readonly #health: Health
  readonly #offers: UpstreamOffers
  readonly #watched: WatchedUris
  readonly #caller: Caller
  readonly #extensions: UpstreamExtensions
  readonly #pins: Pins | undefined
  readonly #tally: Tally
  #first: Promise<void> = Promise.resolve()
  #isClosed = false

  constructor(name: string, options: UpstreamOptions, server: Server) {
    this.name = name
    this.#options = options
    this.#server = server
    this.#tally = new Tally(server.platform.now)
    this.#caller = new Caller({
      name,
      options,
      server,
      note: (message, level) => this.#note(message, level),
      signedIn: () => this.#health.retry(),
      hear: (notification, client) => {
        if (notification.method === 'notifications/progress') this.#relay.hearProgress(notification.params)
        else this.#offers.hear(notification, client)
      },
    })
    const { platform } = server
    const { signIn } = this.#caller
    this.#health = new Health({ name, platform, signIn, retry: () => void this.#look() })
    const connections = new UpstreamConnections({
      name,
      server,
      shared: options.shared === true,
      connect: (holding) => this.#connect(holding),
    })
    this.#relay = new UpstreamRelay({
      name,
      options,
      server,
      connections,
      caller: this.#caller,
      health: this.#health,
      tally: this.#tally,
    })
    this.#pins = openPins(options, {
      upstream: name,
      server,
      note: (message) => this.#note(message),
      changed: () => this.#offers.review(),
    })
    const offers = new UpstreamOffers({
      name,
      pins: this.#pins,
      options,
      server,
      relay: this.#relay,
      confirm: (uri, call) => this.#confirm(uri, call),
      note: (message) => this.#note(message),
    })
    this.#connections = connections
    this.#offers = offers
    this.#extensions = new UpstreamExtensions({
      server,
      scopes: options.scopes ?? [],
      relay: this.#relay,
      listing: () => offers.listing,
    })
    this.#watched = new WatchedUris({ server, connections, ownUri: (uri) => offers.ownUri(uri) })
  }

  /** Begins to look at what it has; nobody waits here, so that all upstreams are looked at at once. */
  open(): void {
    this.#first = this.#look()
  }

  get unlisted(): UnlistedReader {
    return this.#offers.unlisted
  }

  get looked(): Promise<unknown> {
    return Promise.all([this.#first, this.#offers.refreshed])
  }

  /** Is one of the server's from here on. */
  join(): void {
    siblingsOf(this.#server).add(this)
    this.#server.relaying.elsewhere.add(this.#offers.elsewhere)
    this.#server.relaying.interest.add(this.#watched)
    this.#server.relaying.extensions.add(this.#extensions)
  }

  /** Serves what is known; what cannot be served is an error at the start, and noted later. */
  start(problems: 'thrown' | 'noted'): void {
    if (this.#isClosed) return
    this.#offers.start(problems)
    const { declared } = this.#server.relaying
    if (!this.#offers.isKnown) for (const family of FAMILIES) declared.add(family)
  }

  get state(): RelayedState {
    const { name } = this
    return describeUpstream({
      name,
      options: this.#options,
      revision: this.#caller.revision,
      health: this.#health,
      offers: this.#offers,
      tally: this.#tally,
      changed: this.changed,
    })
  }

  get changed(): RelayedServer['changed'] {
    return this.#pins?.changed ?? []
  }

  async approve(tool: string, hash: string): Promise<boolean> {
    return (await this.#pins?.approve(tool, hash)) === true
  }

  /** Has what is known offered again, under the names that it has by now. */
  review(): void {
    this.#offers.review()
  }

  /** Offers nothing any more, and is closed when its calls have been answered or have had their time. */
  async retire(): Promise<void> {
    this.#leave()
    await within(FINISH_MS, this.#tally.idle(), this.#server)
    await this.close()
  }

  left(link: Link): void {
    this.#connections.left(link)
  }

  async close(): Promise<void> {
    this.#leave()
    this.#relay.close()
    await this.#pins?.close()
    await this.#connections.close()
  }

  #leave(): void {
    this.#isClosed = true
    siblingsOf(this.#server).delete(this)
    this.#server.relaying.elsewhere.delete(this.#offers.elsewhere)
    this.#server.relaying.interest.delete(this.#watched)
    this.#server.relaying.extensions.delete(this.#extensions)
    this.#health.close()
    this.#caller.close()
    this.#offers.close()
  }

  async #confirm(uri: string, call: Call): Promise<boolean> {
    try {
      return await this.#watched.confirm(uri, call)
    } catch (error) {
      throw error instanceof ErrorReply
        ? toldBy(error, this.#caller.spoken, call)
        : this.#relay.explain(error, call)
    }
  }

  async #connect(holding: Holding | undefined): Promise<Client> {
    const client = await this.#caller.connect(holding)
    this.#health.well()
    return client
  }

  async #look(): Promise<void> {
    try {
      const client = await this.#connections.everybodys()
      await this.#offers.read(client)
      if (client.revision.opening === 'every-request') await this.#offers.listen(client)
      this.#health.well()
    } catch (error) {
      if (this.#isClosed) return
      const trouble = this.#health.sick(error as Error)
      this.#tally.tell(this.#health.reason)
      this.#note(trouble)
    }
  }

  #note(message: string, level: LogLevel = 'warning'): void {
    this.#server.observe({ kind: 'noted', level, message })
  }
}
