import { type Client, ClientError, connect, ErrorReply, type Notification } from '../../client/index.ts'
import {
  type Call,
  Fault,
  type JsonObject,
  type Link,
  type ListName,
  type LogLevel,
  NEWEST,
  type Revision,
  type Server,
} from '../../kernel/index.ts'
import { ChildLog } from './child-log.ts'
import { type Holding, UpstreamConnections, type Used } from './connections.ts'
import { declaredOf } from './declared.ts'
import { toldBy } from './errors.ts'
import { forwardedOf, headersWith, type PlainHeaders } from './forwarded.ts'
import { Health } from './health.ts'
import { HeldCalls } from './held-calls.ts'
import { FAMILIES, UpstreamOffers } from './offers.ts'
import { OpenCall } from './open-call.ts'
import type { UpstreamOptions } from './options.ts'
import { paramsOf, type RoundState, targetOf } from './params.ts'
import { openPins, type Pins } from './pins/pins.ts'
import { type Sibling, siblingsOf } from './siblings.ts'
import { WatchedUris } from './watched-uris.ts'

/** How long a server waits for its upstreams before it serves its first client. */
const START_MS = 2000

/** Whoever reads the lists can do anything, so that everything is listed. */
const EVERYTHING = {
  elicitation: { form: {}, url: {} },
  sampling: { tools: {}, context: {} },
  roots: { listChanged: true },
}

/** One upstream of a server: what it offers, its connections, and how it is. */
export class Upstream implements Sibling {
  readonly name: string
  readonly #options: UpstreamOptions
  readonly #server: Server
  readonly #connections: UpstreamConnections
  readonly #held: HeldCalls
  readonly #health: Health
  readonly #offers: UpstreamOffers
  readonly #watched: WatchedUris
  readonly #said: ChildLog
  readonly #pins: Pins | undefined
  readonly #levels = new WeakMap<Client, LogLevel>()
  #revision: string | undefined
  #spoken: Revision = NEWEST
  looked: Promise<void> = Promise.resolve()
  #isClosed = false

  constructor(name: string, options: UpstreamOptions, server: Server) {
    this.name = name
    this.#options = options
    this.#server = server
    this.#revision = options.revision
    this.#held = new HeldCalls(server)
    const note = (message: string) => this.#note(message, 'info')
    this.#said = new ChildLog({ name, now: server.platform.now, note })
    this.#health = new Health({ name, platform: server.platform, retry: () => void this.#look() })
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
    siblingsOf(this.#server).add(this)
    this.#server.relaying.elsewhere.add(this.#offers.elsewhere)
    this.#server.relaying.interest.add(this.#watched)
    this.looked = this.#look()
  }

  /** Waits for all of them for a while, so that they stand in their order; then what is known is served. */
  async ready(): Promise<void> {
    const { platform, relaying } = this.#server
    let stopClock = () => {}
    const late = new Promise<void>((resolve) => {
      stopClock = platform.after(START_MS, resolve)
    })
    const all = [...siblingsOf(this.#server)].map(({ looked }) => looked)
    await Promise.race([Promise.all(all), late])
    stopClock()
    this.#offers.start()
    if (!this.#offers.isKnown) for (const family of FAMILIES) relaying.declared.add(family)
  }

  left(link: Link): void {
    this.#connections.left(link)
  }

  async close(): Promise<void> {
    this.#isClosed = true
    siblingsOf(this.#server).delete(this)
    this.#server.relaying.elsewhere.delete(this.#offers.elsewhere)
    this.#server.relaying.interest.delete(this.#watched)
    this.#health.close()
    this.#held.close()
    this.#offers.close()
    await this.#pins?.close()
    await this.#connections.close()
  }

  async #relay(call: Call, own: JsonObject): Promise<unknown> {
    const state = call.state as RoundState | undefined
    if (state?.held !== undefined) return this.#held.resume(state.held, call)
    try {
      const forwarded = forwardedOf(call.outlet, this.#options)
      const used = await this.#use(call, forwarded)
      const open = new OpenCall(call, forwarded)
      return this.#held.settle(await open.begin(used, paramsOf(call, own, state)), open)
    } catch (error) {
      throw this.#explain(error, call)
    }
  }

  async #use(call: Call, forwarded: PlainHeaders | undefined): Promise<Used> {
    const { trouble } = this.#health
    if (trouble !== undefined) throw new ClientError('unreachable', trouble)
    try {
      const { link, owner, peer } = call
      const used = await this.#connections.use({ link, owner, peer, forwarded })
      await this.#setLevel(used.client, call)
      return used
    } catch (error) {
      const isSick = error instanceof ClientError && error.reason !== 'closed'
      throw isSick ? new ClientError(error.reason, this.#health.sick(error.message)) : error
    }
  }

  /** A client that hears log notices of a level hears those of the upstream, too. */
  async #setLevel(client: Client, { logLevel, server }: Call): Promise<void> {
    const told = this.#levels.get(client) ?? server.settings.logLevel
    const canBeTold = client.revision.logLevel === 'by-method' && 'logging' in client.capabilities
    if (!canBeTold || logLevel === undefined || logLevel === told) return
    this.#levels.set(client, logLevel)
    await client.setLogLevel(logLevel)
  }

  async #confirm(uri: string, call: Call): Promise<boolean> {
    try {
      return await this.#watched.confirm(uri, call)
    } catch (error) {
      throw error instanceof ErrorReply ? toldBy(error, this.#spoken, call) : this.#explain(error, call)
    }
  }

  /** What went wrong on the way is told with who it was; a tool has failed, anything else is an error. */
  #explain(error: unknown, call: Call): unknown {
    if (!(error instanceof ClientError)) return error
    const text = error.message.startsWith(this.name) ? error.message : `${this.name}: ${error.message}`
    return call.method === 'tools/call' ? new Error(text) : new Fault('internalError', text)
  }

  async #connect(holding: Holding | undefined): Promise<Client> {
    const { peer, forwarded } = holding ?? {}
    const headers = headersWith(this.#options.headers, forwarded)
    const client: Client = await connect(
      targetOf(this.#options, (text) => this.#said.hear(text)),
      {
        info: peer?.info ?? this.#server.info,
        capabilities: peer === undefined ? EVERYTHING : declaredOf(peer),
        ...(headers !== undefined && { headers }),
        ...(this.#revision !== undefined && { revision: this.#revision }),
        onNotification: (notification) => this.#hear(notification, () => client),
      },
    )
    this.#spoken = client.revision
    this.#revision = client.revision.id
    this.#health.well()
    return client
  }

  async #look(): Promise<void> {
    try {
      const client = await this.#connections.everybodys()
      await this.#offers.read(client)
      if (client.revision.opening === 'every-request') await this.#listen(client)
    } catch (error) {
      if (!this.#isClosed) this.#note(this.#health.sick((error as Error).message))
    }
  }

  async #listen(client: Client): Promise<void> {
    await client.listen({ tools: true, resources: true, prompts: true }, ({ kind }) => {
      if (FAMILIES.includes(kind as ListName)) this.#offers.refresh(kind as ListName, () => client)
    })
  }

  #hear({ method }: Notification, client: () => Client): void {
    const family = FAMILIES.find((one) => method === `notifications/${one}/list_changed`)
    if (family !== undefined) this.#offers.refresh(family, client)
  }

  #note(message: string, level: LogLevel = 'warning'): void {
    this.#server.observe({ kind: 'noted', level, message })
  }
}
