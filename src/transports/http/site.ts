import type { Carrier, EventLog, Link, Outgoing, Principal, Server } from '../../kernel/index.ts'
import type { Exchange, HttpHeaders, Sink } from './exchange.ts'
import type { Room } from './room.ts'
import type { Session } from './session.ts'
import type { HttpSettings } from './settings.ts'
import type { Pair } from './sse-pair.ts'
import { LARGE, type Traffic } from './traffic.ts'

/** How messages come here, for whoever watches. */
export const HTTP: Carrier = { transport: 'tcp', protocol: 'http' }

/** What all requests to one server share. */
export interface Site {
  readonly server: Server
  readonly settings: HttpSettings
  readonly log: EventLog
  readonly sessions: Map<string, Session>
  readonly pairs: Map<string, Pair>
  /** The links of calls that belong to no session. */
  readonly links: Set<Link>
  readonly sinks: Set<Sink>
  readonly traffic: Traffic
  /** Who takes how many places. */
  readonly room: Room
  closing: boolean
  /** Called when a call ends while the site is closing. */
  settled: () => void
}

export interface Underway {
  readonly reply: Promise<Outgoing | undefined>
  readonly principal: Principal | undefined
  /** How many requests it answers. */
  readonly count: number
}

/** Waits for a reply that is not there yet; until then its calls count. */
export function settleLater(
  site: Site,
  { reply, principal, count }: Underway,
  settle: (reply: Outgoing | undefined) => void,
): void {
  site.room.count(principal, (share) => {
    share.calls += count
  })
  void reply.then((settled) => {
    site.room.count(principal, (share) => {
      share.calls -= count
    })
    settle(settled)
    site.settled()
  })
}

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
export function openSink(site: Site, exchange: Exchange, { headers, gone, link, principal }: Opened): Sink {
  const sink = new WatchedSink(site, exchange.stream(headers), { gone, principal })
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
  readonly #site: Site
  readonly #raw: Sink
  readonly #gone: () => void
  readonly #principal: Principal | undefined
  #watched = false
  #owed = false
  #stopClock: (() => void) | undefined

  constructor(site: Site, raw: Sink, { gone, principal }: Pick<Opened, 'gone' | 'principal'>) {
    this.#site = site
    this.#raw = raw
    this.#gone = gone
    this.#principal = principal
    site.sinks.add(this)
    site.room.count(principal, (share) => void share.streams++)
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
    const { sinks, room } = this.#site
    if (sinks.delete(this)) room.count(this.#principal, (share) => void share.streams--)
    this.#stopClock?.()
    this.#settle()
  }

  /** Looks again when it has expired, since the caller may have come with a newer token meanwhile. */
  endWith(link: Link): void {
    const { platform } = this.#site.server
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
    return this.#raw.unread > this.#site.settings.maxUnreadBytes
  }

  #watch(): void {
    if (this.#watched) return
    this.#watched = true
    const { server, sinks } = this.#site
    server.platform.after(MOMENT_MS, () => {
      this.#watched = false
      if (sinks.has(this) && this.#tooMuch) this.destroy()
    })
  }

  #owe(): void {
    const { traffic, server } = this.#site
    server.usage.saw('maxUnreadBytes', this.#raw.unread)
    traffic.owe(this)
    if (traffic.full) return this.destroy()
    if (this.#owed) return
    this.#owed = true
    this.#raw.drained(() => this.#settle())
  }

  #settle(): void {
    this.#owed = false
    this.#site.traffic.settle(this)
  }
}
