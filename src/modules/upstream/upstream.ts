import { type Client, ClientError, ErrorReply } from '../../client/index.ts'
import {
  type Call,
  Fault,
  type JsonObject,
  type Link,
  type LogLevel,
  type RelayedServer,
  type RelayedState,
  type Server,
} from '../../kernel/index.ts'
import { Caller } from './caller.ts'
import { type Holding, UpstreamConnections, type Used } from './connections.ts'
import { explain, toldBy } from './errors.ts'
import { forwardedOf, type PlainHeaders } from './forwarded.ts'
import { Health } from './health.ts'
import { HeldCalls } from './held-calls.ts'
import { FAMILIES, UpstreamOffers } from './offers.ts'
import { OpenCall } from './open-call.ts'
import type { UpstreamOptions } from './options.ts'
import { paramsOf, type RoundState } from './params.ts'
import { openPins, type Pins } from './pins/pins.ts'
import { markRelayed } from './relayed-call.ts'
import { describeUpstream } from './shown.ts'
import { siblingsOf } from './siblings.ts'
import { adviceFor } from './sign-in/advice.ts'
import { Tally } from './tally.ts'
import { WatchedUris } from './watched-uris.ts'
import { within } from './within.ts'

/** How long calls may finish at an upstream that is no longer wanted. */
const FINISH_MS = 10_000

/** One upstream of a server: what it offers, its connections, and how it is. */
export class Upstream implements RelayedServer {
  readonly name: string
  readonly #options: UpstreamOptions
  readonly #server: Server
  readonly #connections: UpstreamConnections
  readonly #held: HeldCalls
  readonly #health: Health
  readonly #offers: UpstreamOffers
  readonly #watched: WatchedUris
  readonly #caller: Caller
  readonly #pins: Pins | undefined
  readonly #tally: Tally
  looked: Promise<void> = Promise.resolve()
  #isClosed = false

  constructor(name: string, options: UpstreamOptions, server: Server) {
    this.name = name
    this.#options = options
    this.#server = server
    this.#held = new HeldCalls(server)
    this.#tally = new Tally(server.platform.now)
    this.#caller = new Caller({
      name,
      options,
      server,
      note: (message, level) => this.#note(message, level),
      signedIn: () => this.#health.retry(),
      hear: (notification, client) => this.#offers.hear(notification, client),
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
      relay: (call, own) => this.#relay(call, own),
      confirm: (uri, call) => this.#confirm(uri, call),
      note: (message) => this.#note(message),
    })
    this.#connections = connections
    this.#offers = offers
    this.#watched = new WatchedUris({ server, connections, ownUri: (uri) => offers.ownUri(uri) })
  }

  /** Begins to look at what it has; nobody waits here, so that all upstreams are looked at at once. */
  open(): void {
    this.looked = this.#look()
  }

  /** Is one of the server's from here on. */
  join(): void {
    siblingsOf(this.#server).add(this)
    this.#server.relaying.elsewhere.add(this.#offers.elsewhere)
    this.#server.relaying.interest.add(this.#watched)
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
    this.#held.close()
    await this.#pins?.close()
    await this.#connections.close()
  }

  #leave(): void {
    this.#isClosed = true
    siblingsOf(this.#server).delete(this)
    this.#server.relaying.elsewhere.delete(this.#offers.elsewhere)
    this.#server.relaying.interest.delete(this.#watched)
    this.#health.close()
    this.#caller.close()
    this.#offers.close()
  }

  #relay(call: Call, own: JsonObject): Promise<unknown> {
    markRelayed(call, this.name)
    return this.#tally.count(() => this.#answer(call, own))
  }

  async #answer(call: Call, own: JsonObject): Promise<unknown> {
    const state = call.state as RoundState | undefined
    if (state?.held !== undefined) return this.#held.resume(state.held, call)
    const forwarded = forwardedOf(call.outlet, this.#options)
    try {
      const used = await this.#use(call, forwarded)
      const open = new OpenCall(call, forwarded)
      return this.#held.settle(await open.begin(used, paramsOf(call, own, state)), open)
    } catch (error) {
      const isUnknown = error instanceof ClientError && error.details.status === 401
      throw this.#explain(isUnknown ? this.#sicken(error, forwarded) : error, call)
    }
  }

  async #use(call: Call, forwarded: PlainHeaders | undefined): Promise<Used> {
    const { trouble } = this.#health
    if (trouble !== undefined) throw new ClientError('unreachable', trouble)
    try {
      const { link, owner, peer } = call
      const used = await this.#connections.use({ link, owner, peer, forwarded })
      await this.#caller.setLevel(used.client, call)
      return used
    } catch (error) {
      const isSick = error instanceof ClientError && error.reason !== 'closed'
      throw isSick ? this.#sicken(error, forwarded) : error
    }
  }

  /** Who a caller says that it is is between it and the upstream, and no reason to leave others out. */
  #sicken(error: ClientError, forwarded: PlainHeaders | undefined): ClientError {
    if (error.details.status === 401 && forwarded?.['authorization'] !== undefined) return error
    return new ClientError(error.reason, this.#health.sick(error))
  }

  async #confirm(uri: string, call: Call): Promise<boolean> {
    try {
      return await this.#watched.confirm(uri, call)
    } catch (error) {
      throw error instanceof ErrorReply
        ? toldBy(error, this.#caller.spoken, call)
        : this.#explain(error, call)
    }
  }

  #explain(error: unknown, call: Call): unknown {
    if (!(error instanceof ClientError)) return error
    const text = explain(this.name, error, adviceFor(error, this.#caller.signIn))
    if (!call.aborted) this.#tally.fail(text)
    return call.method === 'tools/call' ? new Error(text) : new Fault('internalError', text)
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
