import { type Client, ClientError, connect, type Notification } from '../../client/index.ts'
import {
  type Call,
  Fault,
  type JsonObject,
  type Link,
  type ListName,
  type LogLevel,
  type Peer,
  type Server,
  type Source,
} from '../../kernel/index.ts'
import { UpstreamConnections, type Used } from './connections.ts'
import { declaredOf } from './declared.ts'
import { Health } from './health.ts'
import { HeldCalls } from './held-calls.ts'
import { type Listing, NOTHING, readListing } from './listing.ts'
import { OpenCall } from './open-call.ts'
import type { UpstreamOptions } from './options.ts'
import { completionOf, ownOf, paramsOf, type RoundState, targetOf } from './params.ts'
import { Published } from './published.ts'
import { join, type Sibling, siblingsOf } from './siblings.ts'

/** How long a server waits for its upstreams before it serves its first client. */
const START_MS = 2000

/** How long several notices of one change may take. */
const SETTLE_MS = 20

/** Whoever reads the lists can do anything, so that everything is listed. */
const EVERYTHING = {
  elicitation: { form: {}, url: {} },
  sampling: { tools: {}, context: {} },
  roots: { listChanged: true },
}

const FAMILIES: readonly ListName[] = ['tools', 'resources', 'prompts']

/** One upstream of a server: its lists, its connections, and how it is. */
export class Upstream implements Sibling {
  readonly name: string
  readonly #options: UpstreamOptions
  readonly #server: Server
  readonly #connections: UpstreamConnections
  readonly #held: HeldCalls
  readonly #health: Health
  readonly #published: Published
  readonly #levels = new WeakMap<Client, LogLevel>()
  #listing: Listing = NOTHING
  #revision: string | undefined
  #starting: Promise<void> | undefined
  #refreshing: (() => void) | undefined
  #isReady = false
  #isClosed = false

  constructor(name: string, options: UpstreamOptions, server: Server) {
    this.name = name
    this.#options = options
    this.#server = server
    this.#revision = options.revision
    this.#published = new Published(server)
    this.#held = new HeldCalls(server)
    this.#health = new Health({ name, platform: server.platform, retry: () => void this.#look() })
    this.#connections = new UpstreamConnections({
      name,
      server,
      shared: options.shared === true,
      connect: (peer) => this.#connect(peer),
    })
  }

  /** Begins to look at what it has; nobody waits here, so that all upstreams are looked at at once. */
  open(): void {
    join(this, this.#server)
    this.#server.relaying.elsewhere.add(this.#elsewhere)
    this.#starting = this.#look()
  }

  /** Waits for a while, then serves what is known. */
  async ready(): Promise<void> {
    let stopClock = () => {}
    const late = new Promise<void>((resolve) => {
      stopClock = this.#server.platform.after(START_MS, resolve)
    })
    await Promise.race([this.#starting, late])
    stopClock()
    this.#isReady = true
    if (this.#listing === NOTHING) for (const family of FAMILIES) this.#server.relaying.declared.add(family)
  }

  renamed(): void {
    this.#publish()
  }

  left(link: Link): void {
    this.#connections.left(link)
  }

  async close(): Promise<void> {
    this.#isClosed = true
    siblingsOf(this.#server).delete(this)
    this.#server.relaying.elsewhere.delete(this.#elsewhere)
    this.#refreshing?.()
    this.#health.close()
    this.#held.close()
    this.#published.clear()
    await this.#connections.close()
  }

  /** Has the upstream answer a call, whose parameters have its own name for what is called. */
  async relay(call: Call, own: JsonObject): Promise<unknown> {
    const state = call.state as RoundState | undefined
    if (state?.held !== undefined) return this.#held.resume(state.held, call)
    try {
      const used = await this.#use(call)
      const open = new OpenCall(call)
      return this.#held.settle(await open.begin(used, paramsOf(call, own, state)), open)
    } catch (error) {
      throw this.#explain(error, call)
    }
  }

  async #use(call: Call): Promise<Used> {
    const { trouble } = this.#health
    if (trouble !== undefined) throw new ClientError('unreachable', trouble)
    try {
      const used = await this.#connections.use(call)
      await this.#setLevel(used.client, call)
      return used
    } catch (error) {
      throw error instanceof ClientError
        ? new ClientError(error.reason, this.#health.sick(error.message))
        : error
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

  /** What went wrong on the way is told with who it was; a tool has failed, anything else is an error. */
  #explain(error: unknown, call: Call): unknown {
    if (!(error instanceof ClientError)) return error
    const text = error.message.startsWith(this.name) ? error.message : `${this.name}: ${error.message}`
    return call.method === 'tools/call' ? new Error(text) : new Fault('internalError', text)
  }

  async #connect(peer: Peer | undefined): Promise<Client> {
    const { headers } = this.#options
    const client: Client = await connect(targetOf(this.#options), {
      info: peer?.info ?? this.#server.info,
      capabilities: peer === undefined ? EVERYTHING : declaredOf(peer),
      ...(headers !== undefined && { headers }),
      ...(this.#revision !== undefined && { revision: this.#revision }),
      onNotification: (notification) => this.#hear(notification, () => client),
    })
    this.#revision = client.revision.id
    this.#health.well()
    return client
  }

  async #look(): Promise<void> {
    try {
      const client = await this.#connections.everybodys()
      await this.#read(client)
      if (client.revision.opening === 'every-request') await this.#listen(client)
    } catch (error) {
      if (this.#isClosed) return
      this.#note(this.#health.sick((error as Error).message))
    }
  }

  async #listen(client: Client): Promise<void> {
    await client.listen({ tools: true, resources: true, prompts: true }, () => this.#refresh(() => client))
  }

  async #read(client: Client): Promise<void> {
    const listing = await readListing(client)
    if (this.#isClosed) return
    this.#listing = listing
    for (const family of FAMILIES)
      if (family in listing.capabilities) this.#server.relaying.declared.add(family)
    this.#publish()
  }

  #hear({ method }: Notification, client: () => Client): void {
    if (/^notifications\/(tools|resources|prompts)\/list_changed$/.test(method)) this.#refresh(client)
  }

  /** Reads the lists again, once for however many have changed. */
  #refresh(client: () => Client): void {
    this.#refreshing ??= this.#server.platform.after(SETTLE_MS, () => {
      this.#refreshing = undefined
      this.#read(client()).catch((error: Error) => this.#note(`${this.name}: ${error.message}`))
    })
  }

  #publish(): void {
    const { scopes, prefix } = this.#options
    const { completes, subscribes } = this.#listing
    const prefixed = siblingsOf(this.#server).size > 1
    this.#published.publish(this.#listing, {
      name: this.name,
      prefix: prefix ?? (prefixed ? `${this.name}_` : ''),
      leaveOut: (problem) => this.#note(problem),
      define: (list, listed, named) => ({
        relayed: named,
        scopes,
        subscribable: subscribes,
        answer: (call) => this.relay(call as Call, ownOf(list, listed, call.params)),
        ...(completes &&
          (list === 'prompts' || list === 'templates') && {
            complete: (call) => this.relay(call as Call, completionOf(list, listed)),
          }),
      }),
    })
  }

  /** What stands on no list can be read all the same: a tool may have told of it. */
  readonly #elsewhere = (uri: string): Source | undefined => {
    if (!('resources' in this.#listing.capabilities)) return undefined
    const { scopes = [] } = this.#options
    return {
      scopes,
      mimeType: undefined,
      subscribable: this.#listing.subscribes,
      cache: undefined,
      relayed: true,
      read: (call) => this.relay(call as Call, { uri }),
    }
  }

  #note(message: string): void {
    if (!this.#isReady || !this.#isClosed) this.#server.observe({ kind: 'noted', level: 'warning', message })
  }
}
