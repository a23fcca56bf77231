import type { EventLog, Server } from '../../kernel/index.ts'
import type { Exchange, HttpHeaders, Sink } from './exchange.ts'
import type { Session } from './session.ts'
import type { HttpSettings } from './settings.ts'
import type { Pair } from './sse-pair.ts'

/** What all requests to one server share. */
export interface Site {
  readonly server: Server
  readonly settings: HttpSettings
  readonly log: EventLog
  readonly sessions: Map<string, Session>
  readonly pairs: Map<string, Pair>
  readonly sinks: Set<Sink>
  /** How many calls are under way. */
  calls: number
  closing: boolean
  /** Called when a call or a stream ends while the site is closing. */
  settled: () => void
}

/** Opens a stream that is kept alive, and dropped when its reader does not read. */
export function openSink(site: Site, exchange: Exchange, headers: HttpHeaders, gone: () => void): Sink {
  const raw = exchange.stream(headers)
  const leave = () => {
    site.sinks.delete(sink)
    site.settled()
  }
  const sink: Sink = {
    get unread() {
      return raw.unread
    },
    write(text) {
      raw.write(text)
      if (raw.unread > site.settings.maxUnreadBytes) sink.destroy()
    },
    end() {
      leave()
      raw.end()
    },
    destroy() {
      leave()
      raw.destroy()
      gone()
    },
  }
  exchange.onGone(() => {
    leave()
    gone()
  })
  site.sinks.add(sink)
  return sink
}
