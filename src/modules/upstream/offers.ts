import type { Client } from '../../client/index.ts'
import type { Call, JsonObject, RelayedState, Server, Source } from '../../kernel/index.ts'
import { chooseTools, eachOnce, type ShownOffer } from './choice.ts'
import { FAMILIES, ListChanges } from './list-changes.ts'
import { introductionOf, type Listing, type ListOf, NOTHING, readListing } from './listing.ts'
import type { UpstreamOptions } from './options.ts'
import { completionOf, ownOf } from './params.ts'
import type { Pins } from './pins/pins.ts'
import { type Naming, Published } from './published.ts'
import type { UpstreamRelay } from './relay.ts'
import { siblingsOf } from './siblings.ts'
import { tasksOffered } from './tasks-offered.ts'
import { beginningOf, findAmong, ownUnlisted, sharedBy, type UnlistedReader } from './unlisted.ts'

/** How many notes are remembered, so that each is made once. */
const MOST_TOLD = 1000

export interface OffersOptions {
  readonly name: string
  readonly options: UpstreamOptions
  readonly server: Server
  readonly relay: UpstreamRelay
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
  /** By which the lists are read again. */
  readonly changes: ListChanges
  /** What has been noted already of what was chosen. */
  readonly #told = new Set<string>()
  #problems: readonly string[] = []
  #listing: Listing = NOTHING
  #state: 'starting' | 'started' | 'closed' = 'starting'

  constructor(options: OffersOptions) {
    this.#options = options
    const { name, server, note } = options
    this.#published = new Published(server)
    this.changes = new ListChanges({
      server,
      read: (client) => this.read(client),
      failed: ({ message }) => note(`${name}: ${message}`),
    })
  }

  /** How much of it is offered, and what is not. */
  get state(): Pick<RelayedState, 'offered' | 'leftOut'> {
    const { offered, leftOut } = this.#published
    return { offered, leftOut: [...leftOut, ...this.#problems] }
  }

  get listing(): Listing {
    return this.#listing
  }

  get isKnown(): boolean {
    return this.#listing !== NOTHING
  }

  /** Whether an upstream introduces itself otherwise than when it was last looked at. */
  isOther(client: Client): boolean {
    return this.isKnown && this.#listing.introduction !== introductionOf(client)
  }

  async read(client: Client): Promise<void> {
    const { declared } = this.#options.server.relaying
    const listing = await readListing(client, this.isKnown)
    if (this.#state === 'closed') return
    this.#listing = listing
    for (const family of FAMILIES) if (family in listing.capabilities) declared.add(family)
    if (this.#state === 'started') this.#tellChanged(this.#publish())
  }

  /** Offers what is known from here on; what cannot be offered is an error where nobody has been served yet. */
  start(problems: 'thrown' | 'noted'): void {
    const note = (problem: string) => this.#noteOnce([problem])
    const mayFail = problems === 'thrown' && this.isKnown // What is remembered may be no more.
    // Names can be others; of one template that two have, the first is as good as any.
    this.#publish((problem, list) => (mayFail && list in NAMED ? fail(problem) : note(problem)))
    this.changes.take()
    this.#state = 'started'
  }

  /** Offers what has been approved, or is no longer to be, without looking at the upstream again. */
  review(): void {
    if (this.#state === 'started') this.#publish()
  }

  /** Gives the lists that have changed by it. */
  #publish(leaveOut: Naming['leaveOut'] = (problem) => this.#noteOnce([problem])): ReadonlySet<string> {
    const { name, server, options, relay, confirm } = this.#options
    const { completes, subscribes, about } = this.#listing
    const prefixed = siblingsOf(server).size > 1
    return this.#published.publish(this.#choose(), {
      name,
      prefix: options.prefix ?? (prefixed ? `${name}_` : ''),
      leaveOut,
      tasks: this.#listing.tasks,
      define: (list, own, named) => ({
        relayed: named,
        scopes: options.scopes,
        about: `${name} ${about}`,
        subscribable: subscribes,
        confirm: (uri, call) => confirm(uri, call as Call), // The kernel's own face, as below.
        answer: (call) => {
          const answer = () =>
            sharedBy([...siblingsOf(server)], own, call)?.read(call) ??
            relay.answer(call as Call, ownOf(list, own, call.params))
          return this.isKnown ? answer() : this.#answerLater(String(named['name']), answer)
        },
        ...(list === 'tools' && tasksOffered({ own, named, tasks: this.#listing.tasks }, relay)),
        ...(completes &&
          (list === 'prompts' || list === 'templates') && {
            complete: (call) => relay.answer(call as Call, completionOf(list, own)),
          }),
      }),
    })
  }

  /** What of it is wanted here; what was said of tools that it has not, and what is not served, is noted once. */
  #choose(): Record<ListOf, readonly ShownOffer[]> {
    const { options, pins } = this.#options
    const { tools, resources, templates, prompts } = this.#listing
    const chosen = chooseTools(this.isKnown ? tools : (pins?.remembered ?? []), options)
    const withheld = pins?.withheld(chosen.tools.map(({ own }) => own)) ?? NONE
    if (this.isKnown) {
      this.#problems = chosen.problems
      this.#noteOnce(chosen.problems)
    }
    this.#noteOnce([...withheld.values()])
    return {
      tools: chosen.tools.map((shown) => {
        const reason = withheld.get(shown.own)
        return reason === undefined ? shown : { ...shown, withheld: reason }
      }),
      resources: resources.map(asItIs),
      templates: templates.map(asItIs),
      prompts: eachOnce(prompts).map(asItIs),
    }
  }

  /** Whether a tool that is offered from memory is still what was approved is known when its upstream has been looked at. */
  async #answerLater(name: string, answer: () => unknown): Promise<unknown> {
    const { looked, server } = this.#options
    await looked()
    const withheld = server.relaying.withheld.get(name)
    if (withheld !== undefined) throw new Error(withheld.reason)
    return answer()
  }

  #noteOnce(problems: readonly string[]): void {
    const { name, note } = this.#options
    if (this.#told.size > MOST_TOLD) this.#told.clear()
    for (const problem of problems) {
      if (!this.#told.has(problem)) note(problem.startsWith(`${name}: `) ? problem : `${name}: ${problem}`)
      this.#told.add(problem)
    }
  }

  /** What stands on no list can be read all the same: a tool may have told of it. */
  readonly elsewhere = (uri: string): Source | undefined => {
    const { server, options, relay, confirm } = this.#options
    if (!this.unlisted.hasResources) return undefined
    const siblings = [...siblingsOf(server)]
    if (siblings.length > 1) return findAmong(siblings, uri)
    return {
      scopes: options.scopes ?? [],
      mimeType: undefined,
      subscribable: this.#listing.subscribes,
      cache: undefined,
      relayed: true,
      confirm: (asked, call) => confirm(asked, call as Call),
      read: (call) => relay.answer(call as Call, { uri }),
    }
  }

  /** The same for when there are others, of which one may have it. */
  get unlisted(): UnlistedReader {
    const { name, options, relay, confirm } = this.#options
    const { capabilities, resources, templates, subscribes } = this.#listing
    const listed = [...resources, ...templates].map((one) => String(one['uri'] ?? one['uriTemplate']))
    return {
      name,
      scopes: options.scopes ?? [],
      hasResources: 'resources' in capabilities,
      templates: new Set(templates.map(({ uriTemplate }) => String(uriTemplate))),
      knowsLike: (uri) => listed.some((one) => beginningOf(one) === beginningOf(uri)),
      subscribes,
      confirm,
      read: (call, uri) => relay.answer(call, { uri }),
    }
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

const NONE: ReadonlyMap<JsonObject, string> = new Map()

/** The lists whose entries have names of their own. */
const NAMED = { tools: true, prompts: true }

function fail(problem: string): never {
  throw new Error(problem)
}

function asItIs(own: JsonObject): ShownOffer {
  return { own, listed: own }
}
