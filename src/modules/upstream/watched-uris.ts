import { type Call, type Link, ownerOf, type Peer, type Server } from '../../kernel/index.ts'
import type { UpstreamConnections } from './connections.ts'
import { forwardedOf } from './forwarded.ts'
import { callerOf, type Holder, type Holding } from './holder.ts'
import type { UpstreamOptions } from './options.ts'
import { UpstreamStreams } from './upstream-streams.ts'
import { WatchedUri } from './watched-uri.ts'

/** What stays unused for so long after it was asked for is let go. */
const UNUSED_MS = 5000

export interface WatchedUrisOptions {
  readonly server: Server
  readonly connections: UpstreamConnections
  /** What the upstream calls a resource; undefined where it is none of its own. */
  readonly ownUri: (uri: string) => string | undefined
  /** Which say what of a client's headers the upstream is told. */
  readonly options: UpstreamOptions
}

/** The resources of an upstream that clients want to hear of: it is asked to tell as long as there are any. */
export class WatchedUris {
  readonly #options: WatchedUrisOptions
  readonly #watched = new Map<Holder, Map<string, WatchedUri>>()
  readonly #streams: UpstreamStreams
  /** Those who want to hear, while it is not known yet by whose connection. */
  readonly #coming = new Set<ComingInterest>()

  constructor(options: WatchedUrisOptions) {
    this.#options = options
    this.#streams = new UpstreamStreams(options.server)
  }

  /** Whether the upstream tells of a resource; what it says instead is thrown. */
  async confirm(uri: string, call: Call): Promise<boolean> {
    const holding = this.#holdingOf(call.link, call)
    await this.#options.connections.known()
    const watched = this.#open(uri, holding)
    const letGo = watched.hold(holding)
    try {
      const isHeard = await watched.heard(holding)
      if (isHeard && this.#isUnheard(uri, call)) watched.want(holding)
      this.#options.server.platform.after(UNUSED_MS, letGo)
      return isHeard
    } catch (error) {
      letGo() // What is refused is kept by nobody.
      throw error
    }
  }

  /** A client hears from here on. One that came from another node has not been confirmed here. */
  begin(uri: string, link: Link, call?: Call): void {
    const holding = this.#holdingOf(link, call)
    const asked = [...this.#watched.values()].map((one) => one.get(uri)).find((one) => one?.isAskedOn(link))
    const known = asked ?? this.#find(uri, holding)
    if (known?.isHeld === true) known.want(holding)
    else if (this.#options.ownUri(uri) !== undefined && !this.#isElsewhere(uri, holding))
      void this.#come({ uri, holding })
  }

  end(uri: string, link: Link, call?: Call): void {
    const known = this.#find(uri, this.#holdingOf(link, call))
    if (known?.isWantedOn(link) === true) return known.waive(link)
    for (const one of this.#coming)
      if (one.uri === uri && one.holding.link === link) return void this.#coming.delete(one)
    // Whether it keeps something for each client may have become known, or have changed, since it was begun.
    for (const watched of this.#watched.values())
      if (watched.get(uri)?.isWantedOn(link) === true) return watched.get(uri)?.waive(link)
  }

  /** Nobody hears anything by it any more. */
  close(): void {
    this.#coming.clear()
    for (const watched of [...this.#watched.values()]) for (const one of [...watched.values()]) one.stop()
    this.#streams.close()
  }

  /** Where a conversation ends with its call, only that knows who hears. */
  #holdingOf(link: Link, call: Call | undefined): Holding {
    const { outlet } = call ?? link
    return {
      link,
      owner: call?.owner ?? ownerOf(link.principal),
      peer: (call ?? link).peer as Peer, // Whoever hears without a call has made a handshake.
      forwarded: forwardedOf(outlet, this.#options.options),
    }
  }

  /** Whether another upstream has been asked to tell of it. */
  #isElsewhere(uri: string, holding: Holding): boolean {
    const { interest } = this.#options.server.relaying
    return [...interest].some((one) => one instanceof WatchedUris && one.#find(uri, holding)?.isHeld === true)
  }

  /** Whether a client has subscribed to it and hears by nobody, as where another upstream stands in the place of its own. */
  #isUnheard(uri: string, { link, aborted }: Call): boolean {
    if (aborted || !link.subscriptions.has(uri)) return false
    return ![...this.#options.server.relaying.interest].some(
      (one) => one instanceof WatchedUris && one.#hasBegun(uri, link),
    )
  }

  #hasBegun(uri: string, link: Link): boolean {
    const isComing = [...this.#coming].some((one) => one.uri === uri && one.holding.link === link)
    return isComing || [...this.#watched.values()].some((one) => one.get(uri)?.isWantedOn(link) === true)
  }

  async #come(coming: ComingInterest): Promise<void> {
    const { uri, holding } = coming
    this.#coming.add(coming)
    const isKnown = await this.#options.connections.known().then(
      () => true,
      () => false, // Its client hears nothing.
    )
    if (!this.#coming.delete(coming) || !isKnown) return
    const watched = this.#open(uri, holding)
    watched.want(holding)
    watched.heard(holding).catch(() => {}) // It is asked again.
  }

  #find(uri: string, holding: Holding): WatchedUri | undefined {
    return this.#watched.get(this.#holderOf(holding))?.get(uri)
  }

  /** What is told to whoever some headers name is told to nobody else, also where all use one connection. */
  #holderOf(holding: Holding): Holder {
    const { connections } = this.#options
    const isNamed = holding.forwarded !== undefined && !connections.isKept
    return isNamed ? callerOf(holding, false) : connections.holderOf(holding)
  }

  #open(uri: string, holding: Holding): WatchedUri {
    const { connections, server, ownUri } = this.#options
    const holder = this.#holderOf(holding)
    const watched = this.#watched.get(holder) ?? new Map<string, WatchedUri>()
    const known = watched.get(uri)
    if (known !== undefined) return known
    const opened = new WatchedUri({
      server,
      connections,
      streams: this.#streams,
      own: () => ownUri(uri) ?? uri,
      tell: (link) => server.updated(uri, link),
      unwanted: () => {
        watched.delete(uri)
        if (watched.size === 0) this.#watched.delete(holder)
      },
    })
    this.#watched.set(holder, watched.set(uri, opened))
    return opened
  }
}

/** Somebody who wants to hear of a resource. */
interface ComingInterest {
  readonly uri: string
  readonly holding: Holding
}
