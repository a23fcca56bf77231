import type { Link, Principal } from '../../../kernel/index.ts'
import type { Outbound } from '../../traffic.ts'
import type { BodySink, Exchange, HttpHeaders, StreamWatch } from '../exchange.ts'
import type { HttpState } from '../state.ts'

interface StreamOptions {
  readonly headers: HttpHeaders
  /** Called when it has been left or broken. */
  readonly gone: () => void
  /** Whose stream it is. */
  readonly principal: Principal | undefined
  /** Whose caller may hear it; it ends when what the caller proved itself with has expired. */
  readonly link?: Link | undefined
}

/** Opens a stream that is kept alive, and dropped when its reader does not read. */
export function openSink(state: HttpState, exchange: Exchange, opened: StreamOptions): BodySink {
  const watched = new WatchedSink(state, opened)
  const sink = exchange.stream(opened.headers, watched)
  watched.sink = sink
  state.sinks.add(sink)
  if (opened.link?.principal?.expires !== undefined) watched.endWith(opened.link)
  return sink
}

/** What has been written in one go cannot have been read yet, so a reader gets this long. */
const MOMENT_MS = 50

class WatchedSink implements StreamWatch, Outbound {
  sink: BodySink | undefined
  readonly #state: HttpState
  readonly #opened: StreamOptions
  #open = true
  #watched = false
  #owed = false
  #stopClock: (() => void) | undefined

  constructor(state: HttpState, opened: StreamOptions) {
    this.#state = state
    this.#opened = opened
    state.places.count(opened.principal, (share) => void share.streams++)
  }

  get unread(): number {
    return this.sink?.unread ?? 0
  }

  /** What was unread before decides, so that a single message may be larger than the limit. */
  crowded(before: number): void {
    if (before > this.#state.settings.maxUnreadBytes) this.#watch()
    this.#owe()
  }

  ended(): void {
    if (!this.#open) return
    this.#open = false
    const { sinks, places } = this.#state
    if (this.sink !== undefined) sinks.delete(this.sink)
    places.count(this.#opened.principal, (share) => void share.streams--)
    this.#stopClock?.()
    if (this.#owed) this.#settle()
  }

  gone(): void {
    this.ended()
    this.#opened.gone()
  }

  destroy(): void {
    this.ended()
    this.sink?.destroy()
    this.#opened.gone()
  }

  /** Looks again when it has expired, since the caller may have come with a newer token meanwhile. */
  endWith(link: Link): void {
    const { platform } = this.#state.server
    const expires = link.principal?.expires
    if (expires === undefined) return
    const leftMs = expires - platform.now()
    if (leftMs > 0) this.#stopClock = platform.after(leftMs, () => this.endWith(link))
    else {
      this.sink?.end()
      this.#opened.gone()
    }
  }

  #watch(): void {
    if (this.#watched) return
    this.#watched = true
    const { server, settings } = this.#state
    server.platform.after(MOMENT_MS, () => {
      this.#watched = false
      if (this.#open && this.unread > settings.maxUnreadBytes) this.destroy()
    })
  }

  #owe(): void {
    const { traffic, server } = this.#state
    server.usage.saw('maxUnreadBytes', this.unread)
    const known = this.#owed
    this.#owed = true
    traffic.owe(this)
    if (traffic.full) this.destroy()
    else if (!known) this.sink?.drained(() => this.#settle())
  }

  #settle(): void {
    this.#owed = false
    this.#state.traffic.settle(this)
  }
}
