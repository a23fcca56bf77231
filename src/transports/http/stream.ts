import type { Json, Outgoing, Outlet } from '../../kernel/index.ts'
import { print } from '../../kernel/index.ts'
import { EVENT_STREAM_HEADERS, printEvent, printPriming } from './event-stream.ts'
import type { Exchange, HttpHeaders, Sink } from './exchange.ts'
import { openSink, type Site } from './site.ts'

export interface StreamOptions {
  readonly site: Site
  readonly session: string
  /** Unique within the session; every event's id begins with it. */
  readonly id: string
  /** Whether a client is given an id to come back with before the first event. */
  readonly priming: boolean
}

/** A stream of events that outlives its connection: each event is kept, and a client that comes back gets the rest. */
export class Stream implements Outlet {
  readonly id: string
  readonly #options: StreamOptions
  #sink: Sink | undefined
  #last = 0
  #delivered = 0
  #ended = false
  #replaying = false
  #kept: Promise<unknown> = Promise.resolve()

  constructor(options: StreamOptions) {
    this.#options = options
    this.id = options.id
  }

  get connected(): boolean {
    return this.#sink !== undefined
  }

  get ended(): boolean {
    return this.#ended
  }

  send(message: Outgoing): void {
    const { site, session } = this.#options
    const number = ++this.#last
    this.#kept = site.log.append(session, this.id, message).catch((error: unknown) => {
      site.server.observe({ kind: 'crashed', error, method: 'event log' })
    })
    if (this.#sink !== undefined && !this.#replaying) this.#write(number, print(message))
  }

  /** Connects a client; `after` is the number of the last event it has seen. */
  async attach(exchange: Exchange, headers: HttpHeaders, after: number = this.#delivered): Promise<void> {
    this.connect(exchange, headers)
    this.#delivered = after
    await this.#replay()
  }

  /** Connects a client that has seen all there is. */
  connect(exchange: Exchange, headers: HttpHeaders): void {
    const { site, priming } = this.#options
    this.#sink?.end()
    const sink = openSink(site, exchange, { ...EVENT_STREAM_HEADERS, ...headers }, () => {
      if (this.#sink === sink) this.#sink = undefined
    })
    this.#sink = sink
    if (priming) sink.write(printPriming(`${this.id}:${this.#delivered}`, site.settings.retryMs))
    else sink.write(': open\n\n')
  }

  /** Lets the connection go; the client comes back for the rest. */
  disconnect(): void {
    this.#sink?.end()
    this.#sink = undefined
  }

  end(): void {
    this.#ended = true
    if (!this.#replaying) this.disconnect()
  }

  forget(): void {
    const { site, session } = this.#options
    this.disconnect()
    void site.log.drop(session, this.id).catch(() => {}) // What is not dropped expires.
  }

  /** What is sent while old events are read is kept too, so reading goes on until all of it has been written. */
  async #replay(): Promise<void> {
    const { site, session } = this.#options
    this.#replaying = true
    const sink = this.#sink
    while (this.#sink === sink && this.#delivered < this.#last) {
      await this.#kept
      const events = await site.log.read(session, this.id, this.#delivered)
      if (this.#sink !== sink) return
      for (const { number, message } of events) this.#write(number, printJson(message))
      if (events.length === 0) break
    }
    this.#replaying = false
    if (this.#ended) this.disconnect()
  }

  #write(number: number, text: string): void {
    this.#delivered = number
    this.#sink?.write(printEvent(text, `${this.id}:${number}`))
  }
}

function printJson(message: Json): string {
  return JSON.stringify(message)
}
