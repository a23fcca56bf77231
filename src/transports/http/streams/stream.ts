import type { Link, Outgoing, Outlet, Principal } from '../../../kernel/index.ts'
import type { BodySink, Exchange, HttpHeaders } from '../exchange.ts'
import type { HttpState } from '../state.ts'
import { EVENT_STREAM_HEADERS, OPENED, printEvent, printPriming } from './event-stream.ts'
import { eventOf, type LoggedEvent } from './logged-events.ts'
import type { LostCalls } from './lost-calls.ts'
import type { MissedChanges } from './missed-changes.ts'
import { openSink } from './sink.ts'
import { StreamLog, type StreamLogOptions } from './stream-log.ts'

/** What has left us whole may still be lost on the way, so a client gets this long to come back for it. */
const DELIVERED_MS = 30_000

/** The session that a stream belongs to. */
interface StreamOwner {
  readonly id: string
  readonly state: HttpState
  readonly link: Link
  readonly principal: Principal
  /** Whether a client is given an id to come back with before the first event. */
  readonly priming: boolean
}

interface StreamParts {
  readonly id: string
  /** The calls that it answers. */
  readonly calls?: LostCalls | undefined
  /** Where it tells of changes. */
  readonly changes?: MissedChanges
}

/** A stream of events that outlives its connection: each event is kept, and a client that comes back gets the rest. */
export class Stream implements Outlet {
  /** Unique within the session; every event's id begins with it. */
  readonly id: string
  readonly #session: StreamOwner
  /** Where it tells of changes; then nothing else is kept for a client that has never listened. */
  readonly #changes: MissedChanges | undefined
  #visited = false
  #sink: BodySink | undefined
  /** A connection that has not been told all of the past yet. */
  #behind: BodySink | undefined
  #last = 0
  #delivered = 0
  #ended = false
  /** Whether nobody can come back for it: a call that goes on meanwhile says nothing that is kept. */
  #forgotten = false
  /** When the last of it had been written; undefined when its connection broke after that. */
  #deliveredAt: number | undefined
  #log: StreamLog | undefined
  /** Whether the client reads it on another node. */
  #followed = false
  /** What its log has to know; what is not kept would be missing when the client comes back, so that it is told to. */
  readonly #kept: StreamLogOptions

  constructor(session: StreamOwner, { id, calls, changes }: StreamParts) {
    this.#session = session
    this.id = id
    this.#kept = { session: session.id, stream: id, calls, troubled: () => this.disconnect() }
    this.#changes = changes
  }

  get connected(): boolean {
    return this.#sink !== undefined
  }

  /** Whether somebody hears it, here or on another node. */
  get heard(): boolean {
    return this.connected || this.#followed
  }

  get ended(): boolean {
    return this.#ended
  }

  /** The number of the last event so far. */
  get last(): number {
    return this.#last
  }

  /** Whether something has been said that was written to no connection. */
  get behind(): boolean {
    return this.#delivered < this.#last
  }

  /** Whether a client that has seen the events up to number `after` can still have the end. */
  hasRest(after: number): boolean {
    return !this.#ended || after >= this.#last || (this.#log?.lost ?? 0) < this.#last
  }

  /** Whether all of it has been delivered, and nobody will come back for it. */
  isOver(now: number): boolean {
    return this.#ended && this.#deliveredAt !== undefined && now - this.#deliveredAt > DELIVERED_MS
  }

  get #live(): boolean {
    return this.#sink !== undefined && this.#sink !== this.#behind
  }

  send(message: Outgoing): void {
    const text = this.#keep(message)
    if (text !== undefined) this.#sink?.write(text)
  }

  /** Sends the last of it, if there is anything left to say. */
  end(message?: Outgoing): void {
    const text = this.#keep(message, true)
    this.#ended = true
    if (!this.#live) return
    this.#sink?.end(text)
    this.#sink = undefined
    this.#deliveredAt = this.#session.state.server.platform.now()
  }

  /** Gives the event to be written, if there is anybody who has heard all before it. */
  #keep(message: Outgoing | undefined, end?: true): string | undefined {
    if (this.#forgotten) return undefined
    const number = ++this.#last
    const changed = message !== undefined && this.#changes?.note(message, number) === true
    const kept = !changed && (this.#changes === undefined || this.#visited)
    if (!kept && !this.#live) return undefined
    const { event, held } = eventOf(number, message, end)
    if (kept) {
      this.#log ??= new StreamLog(this.#session.state.log, this.#kept)
      this.#log.append(event, held)
    }
    if (!this.#live) return undefined
    this.#delivered = number
    return message === undefined ? undefined : printEvent(event.text, `${this.id}:${number}`)
  }

  /** Connects a client that has seen all there is. */
  connect(exchange: Exchange, extra?: HttpHeaders, link?: Link): BodySink {
    const { state, priming, principal } = this.#session
    this.#visited = true
    if (this.#followed) this.#log?.tellReaders()
    this.#followed = false
    this.#sink?.end()
    const headers = extra === undefined ? EVENT_STREAM_HEADERS : { ...EVENT_STREAM_HEADERS, ...extra }
    const gone = () => {
      if (this.#sink === sink) this.#sink = undefined
      this.#deliveredAt = undefined
    }
    const sink = openSink(state, exchange, { headers, gone, principal, link })
    this.#sink = sink
    sink.write(priming ? printPriming(`${this.id}:${this.#delivered}`, state.settings.retryMs) : OPENED)
    return sink
  }

  /** Connects a client that has seen the events up to number `after`, and tells it what it has missed. */
  attach(exchange: Exchange, headers: HttpHeaders, after: number = this.#delivered): void {
    this.#delivered = after
    const sink = this.connect(exchange, headers, this.#session.link)
    this.#behind = sink
    this.#catchUp(sink).catch((error: unknown) => {
      this.#session.state.server.observe({ kind: 'crashed', error, method: 'event log' })
      if (this.#sink === sink) this.disconnect() // It may come back, and find the log readable again.
    })
  }

  /** Goes on with what another node has told the client, up to a number at least. */
  async takeOver(after: number): Promise<void> {
    this.#log ??= new StreamLog(this.#session.state.log, this.#kept)
    this.#last = await this.#log.takeOver(after)
  }

  /** The client reads it on another node from here on; tells whether there is anything to read. */
  moved(): boolean {
    if (!this.hasRest(0)) return false
    this.#followed = true
    this.disconnect()
    this.#log ??= new StreamLog(this.#session.state.log, this.#kept)
    this.#log.follow()
    return true
  }

  /** Lets the connection go; the client comes back for the rest. */
  disconnect(): void {
    this.#sink?.end()
    this.#sink = undefined
  }

  /** It goes on elsewhere. */
  release(): void {
    this.disconnect()
    this.#log?.release()
  }

  forget(): void {
    this.#forgotten = true
    this.disconnect()
    this.#log?.drop()
  }

  /** What is sent meanwhile is kept too, so reading goes on until all of it has been written. */
  async #catchUp(sink: BodySink): Promise<void> {
    while (this.#delivered < this.#last) {
      const events = await this.#missed()
      if (events.length === 0) break
      for (const { number, text, end } of events) {
        if (this.#sink !== sink) return
        this.#delivered = number
        if (text !== '') sink.write(printEvent(text, `${this.id}:${number}`))
        await new Promise<void>((resolve) => sink.drained(resolve))
        if (end === true) return this.#finish(sink)
      }
    }
    if (this.#sink === sink) this.#behind = undefined
    if (this.#ended) this.#finish(sink)
  }

  /** The end has been told: what comes after it was said by us when others had taken us for gone, and answered. */
  #finish(sink: BodySink): void {
    this.#ended = true
    if (this.#sink !== sink) return
    sink.end()
    this.#sink = undefined
    this.#behind = undefined
    this.#deliveredAt = this.#session.state.server.platform.now()
  }

  async #missed(): Promise<readonly LoggedEvent[]> {
    const kept = (await this.#log?.read(this.#delivered)) ?? []
    const changes = this.#changes?.after(this.#delivered) ?? []
    return changes.length === 0 ? kept : [...kept, ...changes].sort((one, other) => one.number - other.number)
  }
}

/** The id of an event: which stream it was on, and its number there. */
export function parseEventId(text: string): { readonly stream: string; readonly number: number } | undefined {
  const [, stream, number] = /^((?:[\da-f]{10}-)?\d{1,12}):(\d{1,15})$/.exec(text) ?? []
  return stream === undefined ? undefined : { stream, number: Number(number) }
}
