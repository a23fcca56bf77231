import type { Listening } from '../../client/index.ts'
import { type Call, type Link, ownerOf, type Peer, type Server } from '../../kernel/index.ts'
import type { Holder, Holding, UpstreamConnections } from './connections.ts'
import { forwardedOf } from './forwarded.ts'
import type { UpstreamOptions } from './options.ts'

/** A resource that the upstream is to tell of, and how often it is wanted on which conversation. */
interface WatchedUri {
  readonly wanted: Map<Link, number>
  readonly heard: Promise<boolean>
  stop: () => void
}

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

  constructor(options: WatchedUrisOptions) {
    this.#options = options
  }

  /** Whether the upstream tells of a resource; what it says instead is thrown. */
  async confirm(uri: string, call: Call): Promise<boolean> {
    const holding = this.#holdingOf(call.link, call)
    const watched = await this.#open(uri, holding)
    const heard = await watched.heard // What is refused is kept by nobody.
    this.#options.server.platform.after(UNUSED_MS, () => {
      if (watched.wanted.size === 0) this.#forget(uri, holding)
    })
    return heard
  }

  /** A client hears from here on. One that came from another node has not been confirmed here. */
  begin(uri: string, link: Link, call?: Call): void {
    const holding = this.#holdingOf(link, call)
    const known = this.#find(uri, holding)
    if (known !== undefined) want(known, link, 1)
    else if (this.#options.ownUri(uri) !== undefined && !this.#isElsewhere(uri, holding))
      void this.#open(uri, holding).then(
        (opened) => want(opened, link, 1),
        () => {}, // Its client hears nothing, as while the upstream cannot be reached.
      )
  }

  end(uri: string, link: Link, call?: Call): void {
    const holding = this.#holdingOf(link, call)
    const known = this.#find(uri, holding)
    if (known === undefined) return
    want(known, link, -1)
    if (known.wanted.size === 0) this.#forget(uri, holding)
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
    return [...interest].some((one) => one instanceof WatchedUris && one.#find(uri, holding) !== undefined)
  }

  #find(uri: string, holding: Holding): WatchedUri | undefined {
    return this.#watched.get(this.#options.connections.holderOf(holding))?.get(uri)
  }

  #forget(uri: string, holding: Holding): void {
    const watched = this.#watched.get(this.#options.connections.holderOf(holding))
    watched?.get(uri)?.stop()
    watched?.delete(uri)
  }

  async #open(uri: string, holding: Holding): Promise<WatchedUri> {
    const { connections } = this.#options
    await connections.known()
    const holder = connections.holderOf(holding)
    const watched = this.#watched.get(holder) ?? new Map<string, WatchedUri>()
    this.#watched.set(holder, watched)
    const known = watched.get(uri)
    if (known !== undefined) return known
    const stop = new AbortController()
    const wanted = new Map<Link, number>()
    const tell = () => {
      for (const link of wanted.keys()) this.#options.server.updated(uri, link)
    }
    const heard = this.#listen(uri, holding, { tell, signal: stop.signal })
    const opened: WatchedUri = { wanted, heard, stop: () => stop.abort() }
    watched.set(uri, opened)
    heard.catch(() => watched.delete(uri)) // Whoever asked is told.
    return opened
  }

  async #listen(uri: string, holding: Holding, { tell, signal }: UriHearing): Promise<boolean> {
    const { connections, ownUri } = this.#options
    const own = ownUri(uri) ?? uri
    const { client, release } = await connections.use(holding)
    let listening: Listening
    try {
      listening = await client.listen({ uris: [own] }, tell)
    } catch (error) {
      release()
      throw error
    }
    const stop = () => {
      release()
      listening.close().catch(() => {}) // It may be gone already.
    }
    if (signal.aborted) stop()
    else signal.addEventListener('abort', stop, { once: true })
    return listening.honoured.uris?.includes(own) === true
  }
}

interface UriHearing {
  readonly tell: () => void
  readonly signal: AbortSignal
}

/** One more on a conversation wants it, or one less. */
function want({ wanted }: WatchedUri, link: Link, by: 1 | -1): void {
  const count = (wanted.get(link) ?? 0) + by
  if (count > 0) wanted.set(link, count)
  else wanted.delete(link)
}
