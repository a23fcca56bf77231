import type { Link, Principal } from '../../../kernel/index.ts'
import type { Exchange, HttpHeaders, Sink } from '../exchange.ts'
import type { HttpState } from '../state.ts'
import { LARGE } from '../traffic.ts'

interface Opened {
  readonly headers: HttpHeaders
  /** Called when it has been left or broken. */
  readonly gone: () => void
  /** Whose stream it is. */
  readonly principal: Principal | undefined
  /** Whose caller may hear it; it ends when what the caller proved itself with has expired. */
  readonly link?: Link
}

/** Opens a stream that is kept alive, and dropped when its reader does not read. */
export function openSink(
  state: HttpState,
  exchange: Exchange,
  { headers, gone, link, principal }: Opened,
): Sink {
  const sink = new WatchedSink(state, exchange.stream(headers), { gone, principal })
  if (link !== undefined) sink.endWith(link)
  exchange.onGone(() => {
    sink.leave()
    gone()
  })
  return sink
}

/** Clocks know no more. */
const MAX_MS = 2 ** 31 - 1

/** What has been written in one go cannot have been read yet, so a reader gets this long. */
const MOMENT_MS = 50

class WatchedSink implements Sink {
  readonly #state: HttpState
  readonly #raw: Sink
  readonly #gone: () => void
  readonly #principal: Principal | undefined
  #watched = false
  #owed = false
  #stopClock: (() => void) | undefined

  constructor(state: HttpState, raw: Sink, { gone, principal }: Pick<Opened, 'gone' | 'principal'>) {
    this.#state = state
    this.#raw = raw
    this.#gone = gone
    this.#principal = principal
    state.sinks.add(this)
    state.places.count(principal, (share) => void share.streams++)
  }

  get unread(): number {
    return this.#raw.unread
  }

  write(text: string): void {
    // Looked at before writing, so that a single message may be larger than the limit.
    if (this.#tooMuch) this.#watch()
    this.#raw.write(text)
    if (this.#raw.unread > LARGE) this.#owe()
  }

  drained(run: () => void): void {
    this.#raw.drained(run)
  }

  end(): void {
    this.leave()
    this.#raw.end()
  }

  destroy(): void {
    this.leave()
    this.#raw.destroy()
    this.#gone()
  }

  leave(): void {
    const { sinks, places } = this.#state
    if (sinks.delete(this)) places.count(this.#principal, (share) => void share.streams--)
    this.#stopClock?.()
    this.#settle()
  }

  /** Looks again when it has expired, since the caller may have come with a newer token meanwhile. */
  endWith(link: Link): void {
    const { platform } = this.#state.server
    const expires = link.principal?.expires
    if (expires === undefined) return
    const leftMs = expires - platform.now()
    if (leftMs > 0) this.#stopClock = platform.after(Math.min(leftMs, MAX_MS), () => this.endWith(link))
    else {
      this.end()
      this.#gone()
    }
  }

  get #tooMuch(): boolean {
    return this.#raw.unread > this.#state.settings.maxUnreadBytes
  }

  #watch(): void {
    if (this.#watched) return
    this.#watched = true
    const { server, sinks } = this.#state
    server.platform.after(MOMENT_MS, () => {
      this.#watched = false
      if (sinks.has(this) && this.#tooMuch) this.destroy()
    })
  }

  #owe(): void {
    const { traffic, server } = this.#state
    server.usage.saw('maxUnreadBytes', this.#raw.unread)
    traffic.owe(this)
    if (traffic.full) return this.destroy()
    if (this.#owed) return
    this.#owed = true
    this.#raw.drained(() => this.#settle())
  }

  #settle(): void {
    this.#owed = false
    this.#state.traffic.settle(this)
  }
}
