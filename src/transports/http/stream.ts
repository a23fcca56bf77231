import { type Outgoing, type Outlet, print } from '../../kernel/index.ts'
import { EVENT_STREAM_HEADERS, printEvent, printPriming } from './event-stream.ts'
import type { Exchange, HttpHeaders, Sink } from './exchange.ts'
import type { Session } from './session.ts'
import { openSink } from './site.ts'

/** A stream of events that outlives its connection: each event is kept, and a client that comes back gets the rest. */
export class Stream implements Outlet {
  /** Unique within the session; every event's id begins with it. */
  readonly id: string
  readonly #session: Session
  #sink: Sink | undefined
  /** A connection that has not been told all of the past yet. */
  #behind: Sink | undefined
  #last = 0
  #delivered = 0
  #ended = false
  #kept: Promise<unknown> = Promise.resolve()

  constructor(session: Session, id: string) {
    this.#session = session
    this.id = id
  }

  get connected(): boolean {
    return this.#sink !== undefined
  }

  get ended(): boolean {
    return this.#ended
  }

  /** The number of the last event so far. */
  get last(): number {
    return this.#last
  }

  get #live(): boolean {
    return this.#sink !== undefined && this.#sink !== this.#behind
  }

  send(message: Outgoing): void {
    const text = print(message)
    const number = ++this.#last
    this.#keep(number, text)
    if (this.#live) this.#write(number, text)
  }

  /** Connects a client that has seen all there is. */
  connect(exchange: Exchange, extra?: HttpHeaders): Sink {
    const { site, priming } = this.#session
    this.#sink?.end()
    const headers = extra === undefined ? EVENT_STREAM_HEADERS : { ...EVENT_STREAM_HEADERS, ...extra }
    const sink = openSink(site, exchange, headers, () => {
      if (this.#sink === sink) this.#sink = undefined
    })
    this.#sink = sink
    sink.write(priming ? printPriming(`${this.id}:${this.#delivered}`, site.settings.retryMs) : ': open\n\n')
    return sink
  }

  /** Connects a client that has seen the events up to number `after`, and tells it what it has missed. */
  attach(exchange: Exchange, headers: HttpHeaders, after: number = this.#delivered): void {
    this.#delivered = after
    const sink = this.connect(exchange, headers)
    this.#behind = sink
    this.#catchUp(sink).catch((error: unknown) => {
      this.#session.site.server.observe({ kind: 'crashed', error, method: 'event log' })
      if (this.#sink === sink) this.disconnect() // It may come back, and find the log readable again.
    })
  }

  /** Lets the connection go; the client comes back for the rest. */
  disconnect(): void {
    this.#sink?.end()
    this.#sink = undefined
  }

  end(): void {
    this.#ended = true
    if (this.#live) this.disconnect()
  }

  forget(): void {
    const { site, id } = this.#session
    this.disconnect()
    void site.log.drop(id, this.id).catch(() => {}) // What is not dropped expires.
  }

  /** One after the other, so that a store that takes its time keeps their order. */
  #keep(number: number, text: string): void {
    const { site, id } = this.#session
    this.#kept = this.#kept
      .then(() => site.log.append(id, this.id, { number, text }))
      .catch((error: unknown) => site.server.observe({ kind: 'crashed', error, method: 'event log' }))
  }

  /** What is sent meanwhile is kept too, so reading goes on until all of it has been written. */
  async #catchUp(sink: Sink): Promise<void> {
    const { site, id } = this.#session
    while (this.#delivered < this.#last) {
      await this.#kept
      const events = await site.log.read(id, this.id, this.#delivered)
      if (events.length === 0) break
      for (const { number, text } of events) {
        if (this.#sink !== sink) return
        this.#write(number, text)
        await new Promise<void>((resolve) => sink.drained(resolve))
      }
    }
    if (this.#sink !== sink) return
    this.#behind = undefined
    if (this.#ended) this.disconnect()
  }

  #write(number: number, text: string): void {
    this.#delivered = number
    this.#sink?.write(printEvent(text, `${this.id}:${number}`))
  }
}

/** The id of an event: which stream it was on, and its number there. */
export function parseEventId(text: string): { readonly stream: string; readonly number: number } | undefined {
  const [, stream, number] = /^(\d{1,9}):(\d{1,15})$/.exec(text) ?? []
  return stream === undefined ? undefined : { stream, number: Number(number) }
}
