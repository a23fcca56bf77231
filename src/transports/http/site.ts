import type { Carrier, EventLog, Link, Outgoing, Server } from '../../kernel/index.ts'
import type { Exchange, HttpHeaders, Sink } from './exchange.ts'
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
  /** How many calls are under way, and how many of them only listen. */
  calls: number
  listening: number
  closing: boolean
  /** Called when a call ends while the site is closing. */
  settled: () => void
}

/** Waits for a reply that is not there yet; until then the call counts. */
export function settleLater(
  site: Site,
  reply: Promise<Outgoing | undefined>,
  settle: (reply: Outgoing | undefined) => void,
): void {
  site.calls++
  void reply.then((settled) => {
    site.calls--
    settle(settled)
    site.settled()
  })
}

/** Opens a stream that is kept alive, and dropped when its reader does not read. */
export function openSink(site: Site, exchange: Exchange, headers: HttpHeaders, gone: () => void): Sink {
  const sink = new WatchedSink(site, exchange.stream(headers), gone)
  site.sinks.add(sink)
  exchange.onGone(() => {
    sink.leave()
    gone()
  })
  return sink
}

/** What has been written in one go cannot have been read yet, so a reader gets this long. */
const MOMENT_MS = 50

class WatchedSink implements Sink {
  readonly #site: Site
  readonly #raw: Sink
  readonly #gone: () => void
  #watched = false
  #owed = false

  constructor(site: Site, raw: Sink, gone: () => void) {
    this.#site = site
    this.#raw = raw
    this.#gone = gone
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
    this.#site.sinks.delete(this)
    this.#settle()
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
