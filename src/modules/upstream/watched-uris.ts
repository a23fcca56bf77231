import type { Listening } from '../../client/index.ts'
import { type Link, ownerOf, type Server } from '../../kernel/index.ts'
import type { Holder, Holding, UpstreamConnections } from './connections.ts'

/** A resource that the upstream is to tell of, and how many want to hear. */
interface WatchedUri {
  count: number
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
}

/** The resources of an upstream that clients want to hear of: it is asked to tell as long as there are any. */
export class WatchedUris {
  readonly #options: WatchedUrisOptions
  readonly #watched = new Map<Holder, Map<string, WatchedUri>>()

  constructor(options: WatchedUrisOptions) {
    this.#options = options
  }

  /** Whether the upstream tells of a resource; what it says instead is thrown. */
  async confirm(uri: string, holding: Holding): Promise<boolean> {
    const watched = await this.#open(uri, holding)
    this.#options.server.platform.after(UNUSED_MS, () => {
      if (watched.count === 0) this.#forget(uri, holding)
    })
    return watched.heard
  }

  /** A client hears from here on. One that came from another node has not been confirmed here. */
  begin(uri: string, link: Link): void {
    const holding = holdingOf(link)
    const known = this.#find(uri, holding)
    if (known !== undefined) known.count++
    else if (this.#options.ownUri(uri) !== undefined && !this.#isElsewhere(uri, holding))
      void this.#open(uri, holding).then(
        (opened) => {
          opened.count++
        },
        () => {}, // Its client hears nothing, as while the upstream cannot be reached.
      )
  }

  end(uri: string, link: Link): void {
    const holding = holdingOf(link)
    const known = this.#find(uri, holding)
    if (known !== undefined && --known.count <= 0) this.#forget(uri, holding)
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
    const heard = this.#listen(uri, holding, stop.signal)
    const opened: WatchedUri = { count: 0, heard, stop: () => stop.abort() }
    watched.set(uri, opened)
    heard.catch(() => watched.delete(uri)) // Whoever asked is told.
    return opened
  }

  async #listen(uri: string, holding: Holding, signal: AbortSignal): Promise<boolean> {
    const { server, connections, ownUri } = this.#options
    const own = ownUri(uri) ?? uri
    const { client, release } = await connections.use(holding)
    const holder = connections.holderOf(holding)
    const tell = () => server.updated(uri, connections.linkOf(holder))
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

function holdingOf(link: Link): Holding {
  return { link, owner: ownerOf(link.principal), peer: link.peer ?? NOBODY }
}

/** Of whom nothing is known, as of a client of the newest revision between its calls. */
const NOBODY = { revision: undefined, capabilities: {} } as unknown as Holding['peer'] // Never connected for.
