import type { Carrier, EventLog, Link, Outgoing, Server } from '../../kernel/index.ts'
import type { Exchange, HttpHeaders, Sink } from './exchange.ts'
import type { Session } from './session.ts'
import type { HttpSettings } from './settings.ts'
import type { Pair } from './sse-pair.ts'

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

/** What has been written in one go cannot have been read yet, so a reader gets this long. */
const MOMENT_MS = 50

/** Opens a stream that is kept alive, and dropped when its reader does not read. */
export function openSink(site: Site, exchange: Exchange, headers: HttpHeaders, gone: () => void): Sink {
  const { server, settings, sinks } = site
  const raw = exchange.stream(headers)
  let watched = false
  const watch = () => {
    if (watched) return
    watched = true
    server.platform.after(MOMENT_MS, () => {
      watched = false
      if (sinks.has(sink) && raw.unread > settings.maxUnreadBytes) sink.destroy()
    })
  }
  const sink: Sink = {
    get unread() {
      return raw.unread
    },
    write(text) {
      // Looked at before writing, so that a single message may be larger than the limit.
      if (raw.unread > settings.maxUnreadBytes) watch()
      raw.write(text)
    },
    drained: (run) => raw.drained(run),
    end() {
      sinks.delete(sink)
      raw.end()
    },
    destroy() {
      sinks.delete(sink)
      raw.destroy()
      gone()
    },
  }
  sinks.add(sink)
  exchange.onGone(() => {
    sinks.delete(sink)
    gone()
  })
  return sink
}
