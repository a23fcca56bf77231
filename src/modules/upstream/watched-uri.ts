import type { Listening } from '../../client/index.ts'
import { Pace } from '../../client/pace.ts'
import type { Link, Server } from '../../kernel/index.ts'
import type { UpstreamConnections } from './connections.ts'
import type { Holding } from './holder.ts'
import type { Used } from './kept-connection.ts'
import type { UpstreamStreams } from './upstream-streams.ts'

/** How long until it is asked for again: at once, then after longer and longer pauses where it is lost again soon. */
const AGAIN = { firstMs: 1000, longestMs: 60_000, shortMs: 5000, atOnce: true }

export interface WatchedUriOptions {
  readonly server: Server
  readonly connections: UpstreamConnections
  readonly streams: UpstreamStreams
  /** As the upstream calls it. */
  readonly own: () => string
  /** Told that it may have changed. */
  readonly tell: (link: Link) => void
  /** Told when nobody wants it any more. */
  readonly unwanted: () => void
}

/** Whoever wants to hear on a conversation, and how often. */
interface Wanting {
  readonly holding: Holding
  readonly count: number
}

/** A resource that an upstream is to tell of: where the way to it breaks it is asked again, as long as somebody wants to hear. */
export class WatchedUri {
  readonly #options: WatchedUriOptions
  readonly #wanting = new Map<Link, Wanting>()
  /** The conversations on which it was asked whether it is told of, and may be wanted next. */
  readonly #asking = new Map<Link, Holding>()
  readonly #pace: Pace
  readonly #stop = new AbortController()
  /** Whether the upstream tells of it; undefined while nobody has asked, or since the way to it has broken. */
  #heard: Promise<boolean> | undefined
  #tells = false
  #stopPause = () => {}

  constructor(options: WatchedUriOptions) {
    this.#options = options
    this.#pace = new Pace({ ...AGAIN, now: options.server.platform.now })
  }

  /** Whether it is told of, or somebody waits until it is again. */
  get isHeld(): boolean {
    return this.#tells || this.#wanting.size > 0
  }

  isWantedOn(link: Link): boolean {
    return this.#wanting.has(link)
  }

  /** Whether it was asked on a conversation whether it is told of. */
  isAskedOn(link: Link): boolean {
    return this.#asking.has(link)
  }

  /** One more on a conversation wants it. */
  want(holding: Holding): void {
    const { link } = holding
    const { count } = this.#wanting.get(link) ?? { count: 0 }
    const asked = this.#asking.get(link) ?? holding // Only the call that asked knows its headers.
    this.#wanting.set(link, { holding: asked, count: count + 1 })
    this.#asking.delete(link)
  }

  /** One less does. */
  waive(link: Link): void {
    const { holding, count } = this.#wanting.get(link) ?? { count: 0 }
    if (holding !== undefined && count > 1) this.#wanting.set(link, { holding, count: count - 1 })
    else this.#wanting.delete(link)
    this.#leaveUnwanted()
  }

  /** Stays while a conversation may want it next, until the function given back is called. */
  hold(holding: Holding): () => void {
    const { link } = holding
    this.#asking.set(link, holding)
    return () => {
      this.#asking.delete(link)
      this.#leaveUnwanted()
    }
  }

  /** Whether the upstream tells of it; what it says instead is thrown. */
  heard(holding: Holding): Promise<boolean> {
    this.#stopPause()
    this.#heard ??= this.#listen(holding).catch((error: unknown) => {
      this.#lost()
      throw error
    })
    return this.#heard
  }

  stop(): void {
    if (this.#stop.signal.aborted) return
    this.#stopPause()
    this.#stop.abort()
    this.#options.unwanted()
  }

  #leaveUnwanted(): void {
    if (this.#wanting.size === 0 && this.#asking.size === 0) this.stop()
  }

  /** What has broken is made again for whoever still waits for it, who may have missed something. */
  #lost(): void {
    if (this.#stop.signal.aborted) return
    this.#heard = undefined
    this.#tells = false
    const { platform } = this.#options.server
    if (this.#wanting.size > 0) this.#stopPause = platform.after(this.#pace.next(), () => void this.#again())
  }

  async #again(): Promise<void> {
    const holding = [...this.#wanting.values()].at(-1)?.holding
    if (holding === undefined) return
    try {
      if (await this.heard(holding)) this.#tellAll()
    } catch {
      // It is tried again after a longer while.
    }
  }

  #tellAll(): void {
    for (const link of this.#wanting.keys()) this.#options.tell(link)
  }

  async #listen(holding: Holding): Promise<boolean> {
    const uri = this.#options.own()
    const { client, release } = await this.#use(holding)
    const listening = await client
      .listen({ uris: [uri] }, () => this.#tellAll(), holding.forwarded)
      .catch((error: unknown) => {
        release()
        throw error
      })
    this.#pace.done() // Whoever agrees and breaks off is asked less and less often.
    this.#follow(listening, release)
    this.#tells = listening.honoured.uris?.includes(uri) === true
    return this.#tells
  }

  /** Where there is no session to tell in, a request of its own stays open. */
  async #use(holding: Holding): Promise<Used> {
    const { connections, streams } = this.#options
    const { client, release } = await connections.use(holding)
    if (client.revision.opening === 'handshake') return { client, release }
    try {
      const end = streams.open(holding.owner)
      return {
        client,
        release: () => {
          end()
          release()
        },
      }
    } catch (error) {
      release()
      throw error
    }
  }

  /** Until nobody wants it, or it ends by itself. */
  #follow(listening: Listening, release: () => void): void {
    const { signal } = this.#stop
    const end = () => {
      release()
      listening.close().catch(() => {}) // It may be gone already.
    }
    if (signal.aborted) return end()
    signal.addEventListener('abort', end, { once: true })
    void listening.closed.then(() => {
      if (signal.aborted) return
      signal.removeEventListener('abort', end)
      release()
      this.#lost()
    })
  }
}
