import { type Client, ClientError } from '../../client/index.ts'
import type { Call, JsonObject, Server } from '../../kernel/index.ts'
import type { UpstreamConnections } from './connections.ts'
import { isBroken, isClosed } from './errors.ts'
import type { Health } from './health.ts'
import { type Listing, readListing } from './listing.ts'
import type { UpstreamOffers } from './offers.ts'
import type { Pins } from './pins/pins.ts'

/** Whoever looks at the upstream. */
interface Looks {
  readonly looking: Promise<void> | undefined
  readonly reading: Promise<boolean>
  look(teller?: Client): void
  freshen(): Promise<void> | undefined
}

export interface VettingOptions {
  readonly server: Server
  readonly connections: UpstreamConnections
  readonly offers: UpstreamOffers
  readonly health: Health
  readonly lookout: Looks
  readonly pins: Pins | undefined
}

/** Whoever cannot say what it has is held against the upstream like anybody who says something else. */
const UNREADABLE = 'unreadable'

/** To approve it would change nothing. */
const ELSEWHERE =
  'To the gateway itself it lists what was approved: where a server lists otherwise on each connection, "shared": true or --pins off helps, and no approval'

/** Holds what each new process or session lists against what is offered: it may be another than the one before it. */
export class Vetting {
  readonly #options: VettingOptions
  readonly #under = new WeakMap<Client, Promise<void>>()
  /** Those of which it could not be found out. */
  readonly #unsure = new WeakSet<Client>()
  /** The tools of those that list otherwise than the one that is nobody's, by what the upstream calls them. */
  readonly #tools = new WeakMap<Client, ReadonlyMap<unknown, JsonObject>>()
  #renewing: Promise<void> | undefined

  constructor(options: VettingOptions) {
    this.#options = options
  }

  /** A connection has been made, for somebody or for everybody. */
  begin(client: Client, isSomebodys: boolean): void {
    const { lookout } = this.#options
    if (!isSomebodys) lookout.look()
    const isNew = !this.#unsure.has(client)
    const vetting = isSomebodys ? this.#vet(client, isNew) : lookout.reading.then(() => {})
    this.#under.set(client, vetting)
    this.#unsure.delete(client)
    const end = () => this.#under.get(client) === vetting && this.#under.delete(client)
    vetting.then(end, () => {
      if (end()) this.#unsure.add(client) // Whoever waits for it is told.
    })
  }

  /** Its session has been opened again, maybe with another server, or has told that its tools have changed: it is vetted when a tool is called by it. */
  doubt(client: Client): void {
    this.#unsure.add(client)
  }

  /** Resolves when a tool that is pinned may be called by a connection; undefined where it may at once. */
  readonly vetted = (client: Client, call: Call): Promise<void> | undefined => {
    const fresh = this.#options.lookout.freshen()
    if (this.#options.pins === undefined || call.method !== 'tools/call') return undefined
    if (this.#unsure.has(client)) this.begin(client, true)
    const under = this.#under.get(client)
    const check = () => this.#check(client, call)
    if (fresh !== undefined) return Promise.all([under, fresh]).then(check)
    return under === undefined ? check() : under.then(check)
  }

  /** What has been found out meanwhile counts. */
  #check(client: Client, call: Call): Promise<never> | undefined {
    const { health, server, connections } = this.#options
    const refusal = health.refusal('unreachable')
    if (refusal !== undefined && !connections.isProvedBy(client, health)) return Promise.reject(refusal)
    const name = String(call.params?.['name'])
    const reason = server.relaying.withheld.get(name)?.reason ?? this.#differs(client, name)
    return reason === undefined ? undefined : Promise.reject(new Error(reason))
  }

  /** Why a tool is not called by a connection to which the upstream lists another by its name, or none. */
  #differs(client: Client, name: string): string | undefined {
    const tools = this.#tools.get(client)
    if (tools === undefined) return undefined
    const { offers, pins } = this.#options
    const own = offers.ownTool(name)
    const tool = tools.get(own)
    const reason = tool === undefined ? pins?.unlisted(own) : pins?.reason(tool)
    return reason && `${reason}. ${ELSEWHERE}`
  }

  async #vet(client: Client, isNew: boolean): Promise<void> {
    const { offers } = this.#options
    const listing = await listingOf(client)
    const mark = listing?.mark ?? UNREADABLE
    const isOther = () => offers.selection.isOther(mark)
    if (mark === offers.listing.mark) this.#tools.delete(client)
    else this.#tools.set(client, new Map(listing?.tools.map((tool) => [tool['name'], tool])))
    while (this.#renewing !== undefined && isOther()) await this.#renewing
    if (!isOther()) return
    this.#renewing = this.#renew(client, mark, isNew).finally(() => {
      this.#renewing = undefined
    })
    await this.#renewing
  }

  /** Has the upstream looked at as it is now; what is being looked at may be what it was. */
  async #renew(client: Client, mark: string, isNew: boolean): Promise<void> {
    const { connections, offers, health, lookout } = this.#options
    await lookout.looking
    if (!offers.selection.isOther(mark)) return
    if (isNew) connections.renew() // What has told of a change is of no other make for that.
    lookout.look(offers.changes.hasTold(client) ? client : undefined)
    if (!(await lookout.reading)) throw new ClientError('unreachable', health.complaint ?? 'It is not there')
    offers.selection.allow(mark)
  }
}

async function listingOf(client: Client): Promise<Listing | undefined> {
  try {
    return await readListing(client)
  } catch (error) {
    if (isBroken(error) || isClosed(error)) throw error
    return undefined
  }
}
