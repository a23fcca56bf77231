import type { Client } from '../../client/index.ts'
import type { Call, RelayedState, Server, Source } from '../../kernel/index.ts'
import { ListAge } from './list-age.ts'
import { toList } from './list-caches.ts'
import { FAMILIES, ListChanges } from './list-changes.ts'
import type { Listing, ListOf } from './listing.ts'
import { type NameClaim, type NamedList, outranks, prefixOf, type WantedName } from './names.ts'
import { few, Notes } from './notes.ts'
import type { UpstreamOptions } from './options.ts'
import { completionOf, ownOf } from './params.ts'
import type { Pins } from './pins/pins.ts'
import { Published } from './published.ts'
import { readAlone, readerOf } from './reads-unlisted.ts'
import type { UpstreamRelay } from './relay.ts'
import { Selection } from './selection.ts'
import { siblingsOf } from './siblings.ts'
import { isTaskOnly, tasksOffered } from './tasks-offered.ts'
import { findAmong, ownUnlisted, sharedBy, type UnlistedReader } from './unlisted.ts'

export interface OffersOptions {
  readonly name: string
  readonly options: UpstreamOptions
  readonly server: Server
  readonly relay: UpstreamRelay
  /** The connection that lists everything; undefined while the upstream is left alone, and looked at afterwards. */
  readonly everybodys: () => Promise<Client> | undefined
  /** The lists could not be read again. */
  readonly failed: (error: Error) => void
  /** Whether the upstream tells when a resource changes. */
  readonly confirm: (uri: string, call: Call) => Promise<boolean>
  readonly note: (message: string) => void
  /** Resolves when whoever looks at the upstream has done so, well or not. */
  readonly looked: () => Promise<unknown>
  readonly pins: Pins | undefined
}

/** What an upstream offers, as far as it is known, on the lists of a server. */
export class UpstreamOffers {
  readonly #options: OffersOptions
  readonly #published: Published
  readonly #selection: Selection
  readonly #notes: Notes
  /** By which the lists are read again. */
  readonly changes: ListChanges
  readonly age: ListAge
  #state: 'starting' | 'started' | 'closed' = 'starting'

  constructor(options: OffersOptions) {
    this.#options = options
    const { name, server, note, everybodys, failed } = options
    this.#published = new Published(server)
    this.#selection = new Selection(options)
    this.#notes = new Notes(name, note)
    this.changes = new ListChanges({
      server,
      read: async (teller) => {
        const client = await everybodys()
        if (client !== undefined) await this.read(client, teller)
      },
      failed,
    })
    const isProcess = options.options.command !== undefined
    this.age = new ListAge({ server, changes: this.changes, isProcess })
  }

  /** How much of it is offered, and what is not. */
  get state(): Pick<RelayedState, 'offered' | 'leftOut'> {
    const { offered, leftOut } = this.#published
    return { offered, leftOut: few([...leftOut, ...this.#selection.problems]) }
  }

  /** Whether it offers tools without having been seen. */
  get isRemembered(): boolean {
    return !this.isKnown && Number(this.#published.offered['tools']) > 0
  }

  get listing(): Listing {
    return this.#selection.listing
  }

  get isKnown(): boolean {
    return this.#selection.isKnown
  }

  /** What is known of it. */
  get selection(): Selection {
    return this.#selection
  }

  /** What it says of how long a list keeps, by the name that has in the protocol. */
  cacheOf(list: string): Listing['caches'][ListOf] {
    return this.listing.caches[toList(list)]
  }

  /** Whether what is known of it is too old. */
  get isStale(): boolean {
    return this.age.isPast(this.listing)
  }

  /** Reads what it has for everybody, and what it has beside for the one that was told of a change; whose lists may be in somebody's name, nobody else is shown. */
  async read(client: Client, teller = client): Promise<void> {
    const { server, options } = this.#options
    const { declared } = server.relaying
    const counts = this.age.begin(client)
    const take = await this.#selection.read(client, options.forwardHeaders === undefined ? teller : client)
    if (this.#state === 'closed') return
    take()
    counts()
    for (const family of FAMILIES) if (family in this.listing.capabilities) declared.add(family)
    if (this.#state === 'started') this.#tellChanged(this.#publish())
  }

  /** Offers what is known from here on; what cannot be offered is noted. */
  start(): void {
    this.#publish()
    this.changes.take()
    this.#state = 'started'
  }

  /** Offers what has been approved, or is no longer to be, without looking at the upstream again. */
  review(): void {
    if (this.#state === 'started') this.#publish()
  }

  /** Offers what was left out for want of one of these names; no two pass one on for ever, since nobody gives up a name but to a better claim. */
  freed(names: ReadonlySet<string>): void {
    if (this.#published.misses(names)) this.review()
  }

  /** What speaks for its having a name here, if it wants to have it. */
  claim(key: string): NameClaim | undefined {
    return key.startsWith(this.prefix) ? this.#selection.claim(key.slice(this.prefix.length)) : undefined
  }

  wanted(list: NamedList): readonly WantedName[] {
    return this.#selection.names(list).map(({ own, key }) => ({ own, key: `${this.prefix}${key}` }))
  }

  /** What the upstream calls a tool. */
  ownTool(key: string): string | undefined {
    return key.startsWith(this.prefix) ? this.#selection.ownName(key.slice(this.prefix.length)) : undefined
  }

  /** What something is called here that is called so upstream, alone or after the name of that. */
  nameHere(list: NamedList, name: string): string | undefined {
    const prefix = prefixOf({ name: this.#options.name, options: {} }, false)
    return this.#published.keyOf(list, name.startsWith(prefix) ? [name, name.slice(prefix.length)] : [name])
  }

  /** What stands before the names of its tools and prompts. */
  get prefix(): string {
    return prefixOf(this.#options, siblingsOf(this.#options.server).size <= 1)
  }

  /** Gives the lists that have changed by it. */
  #publish(): ReadonlySet<string> {
    const { name, server, options, relay, confirm } = this.#options
    const { completes, subscribes, about, tasks } = this.listing
    const all = this.#selection.choose()
    const { changed, freed } = this.#published.publish(all, {
      name,
      prefix: this.prefix,
      isAlone: siblingsOf(server).size <= 1,
      rank: [...siblingsOf(server)].findIndex((one) => one.name === name),
      rival: (key) => this.#rival(key),
      tasks,
      define: (list, own, named) => ({
        relayed: named,
        scopes: options.scopes,
        about: `${name} ${about}`,
        subscribable: subscribes,
        confirm: (uri, call) => confirm(uri, call as Call), // The kernel's own face, as below.
        answer: (call) => {
          const answer = () =>
            sharedBy([...siblingsOf(server)], own, call)?.read(call) ??
            relay.answer(call as Call, ownOf(list, own, call.params), isTaskOnly(own))
          return this.isKnown ? answer() : this.#answerLater(String(named['name']), answer)
        },
        ...(list === 'tools' && tasksOffered({ own, named, tasks }, relay)),
        ...(completes &&
          (list === 'prompts' || list === 'templates') && {
            complete: (call) => relay.answer(call as Call, completionOf(list, own)),
          }),
      }),
    })
    this.#notes.once([...this.#selection.problems, ...this.#published.leftOut])
    if (freed.size > 0) for (const one of siblingsOf(server)) if (one.name !== name) one.offers.freed(freed)
    return changed
  }

  /** Who among the others has a better claim to a name, and why. */
  #rival(key: string): string | undefined {
    const { server } = this.#options
    const own = this.claim(key)
    for (const { name, offers } of siblingsOf(server)) {
      const theirs = own === undefined || name === this.#options.name ? undefined : offers.claim(key)
      const why = theirs === undefined || own === undefined ? undefined : outranks(theirs, own)
      if (why !== undefined) return `${name} ${why}`
    }
    return undefined
  }

  /** Whether a tool that is offered from memory is still what was approved is known when its upstream has been looked at. */
  async #answerLater(name: string, answer: () => unknown): Promise<unknown> {
    const { looked, server } = this.#options
    await looked()
    const withheld = server.relaying.withheld.get(name)
    if (withheld !== undefined) throw new Error(withheld.reason)
    return answer()
  }

  /** What stands on no list can be read all the same: a tool may have told of it. */
  readonly elsewhere = (uri: string): Source | undefined => {
    if (!this.unlisted.hasResources) return undefined
    const siblings = [...siblingsOf(this.#options.server)]
    return siblings.length > 1 ? findAmong(siblings, uri) : readAlone(uri, this.#options, this.listing)
  }

  get unlisted(): UnlistedReader {
    return readerOf(this.#options, this.listing)
  }

  /** What the upstream calls a resource; undefined where it is none of its own. */
  ownUri(uri: string): string | undefined {
    const isAlone = siblingsOf(this.#options.server).size === 1
    return this.#published.ownUri(uri) ?? (isAlone ? uri : ownUnlisted(uri, this.unlisted))
  }

  close(): void {
    this.#state = 'closed'
    this.changes.close()
    this.#published.clear()
  }

  /** What it says has changed has, also where nothing is to be seen of it. */
  #tellChanged(published: ReadonlySet<string>): void {
    const { server, options } = this.#options
    for (const family of this.changes.take()) {
      const isSeen = published.has(family) || (family === 'resources' && published.has('templates'))
      if (!isSeen)
        server.changes.add(family, {
          owner: undefined,
          scopes: options.scopes ?? [],
          hidden: family === 'tools' && server.front !== undefined,
        })
    }
  }
}
