import { type Store, weighText } from '../../../kernel/index.ts'

export interface LoggedEvent {
  /** Counts from 1 on each stream. */
  readonly number: number
  /** The message as it was sent. */
  readonly text: string
}

export interface EventLogOptions {
  /** How many events of one stream are kept. */
  readonly keep: number
  readonly ttlMs: number
  /** How much may be kept of a stream, of a session, and in all. */
  readonly streamBytes: number
  readonly sessionBytes: number
  readonly bytes: number
  readonly now: () => number
  /** Told when the store fails. */
  readonly failed: (error: unknown) => void
}

/** What an event costs beside its text. */
const OVERHEAD = 200

/** What was sent on the streams of sessions, so that a client that lost its connection can have the rest. */
export class EventLog {
  readonly options: EventLogOptions
  readonly store: Store
  #bytes = 0
  /** In the order of their last events, the oldest first. */
  readonly #logs = new Set<StreamLog>()
  readonly #sessions = new Map<string, SessionLogs>()

  constructor(store: Store, options: EventLogOptions) {
    this.store = store
    this.options = options
  }

  get bytes(): number {
    return this.#bytes
  }

  /** What is kept of the session of which most is. */
  get largestSession(): number {
    let most = 0
    for (const { bytes } of this.#sessions.values()) most = Math.max(most, bytes)
    return most
  }

  /** The most that is kept of any stream. */
  get largestStream(): { readonly bytes: number; readonly events: number } {
    const most = { bytes: 0, events: 0 }
    for (const { bytes, events } of this.#logs) {
      most.bytes = Math.max(most.bytes, bytes)
      most.events = Math.max(most.events, events)
    }
    return most
  }

  open(session: string, stream: string): StreamLog {
    return new StreamLog(this, session, stream)
  }

  /** Counts what is kept of a stream; where it is too much, what has been kept longest goes. */
  count(log: StreamLog, change: number): void {
    const logs = this.#sessions.get(log.session) ?? { bytes: 0, streams: new Set() }
    this.#sessions.set(log.session, logs)
    this.#bytes += change
    logs.bytes += change
    for (const set of [this.#logs, logs.streams]) {
      set.delete(log)
      if (log.bytes > 0) set.add(log)
    }
    if (logs.streams.size === 0) this.#sessions.delete(log.session)
    for (const oldest of logs.streams) if (logs.bytes > this.options.sessionBytes) oldest.lose()
    for (const oldest of this.#logs) if (this.#bytes > this.options.bytes) oldest.lose()
  }

  /** Forgets what has expired; the store has done so by itself. */
  sweep(): void {
    const { now, ttlMs } = this.options
    for (const oldest of this.#logs) {
      if (now() - oldest.lastAt <= ttlMs) return
      oldest.lose()
    }
  }
}

interface SessionLogs {
  bytes: number
  readonly streams: Set<StreamLog>
}

const NONE: LoggedEvent = { number: 0, text: '' }

/** What the store has yet to be told: an event and how many stay, or that none does. */
interface LogChange {
  readonly event: LoggedEvent
  readonly keep: number
}

/** The events of one stream. */
export class StreamLog {
  readonly session: string
  readonly #log: EventLog
  readonly #name: string
  /** What each event that is kept costs. */
  #sizes: number[] = []
  #bytes = 0
  #last = 0
  #lost = 0
  #lastAt = 0
  #unwritten: LogChange[] = []
  #writing: Promise<void> | undefined

  constructor(log: EventLog, session: string, stream: string) {
    this.session = session
    this.#log = log
    this.#name = `events/${session}/${stream}`
  }

  get bytes(): number {
    return this.#bytes
  }

  get events(): number {
    return this.#sizes.length
  }

  /** The number of the last event that could not be kept. */
  get lost(): number {
    return this.#lost
  }

  get lastAt(): number {
    return this.#lastAt
  }

  /** Keeps an event; a store that takes its time is given one after the other. */
  append(event: LoggedEvent): void {
    const { options } = this.#log
    const before = this.#bytes
    this.#last = event.number
    this.#lastAt = options.now()
    const size = weighText(event.text) + OVERHEAD
    this.#sizes.push(size)
    this.#bytes += size
    while (this.#bytes > options.streamBytes || this.#sizes.length > options.keep) this.#dropOldest()
    this.#log.count(this, this.#bytes - before)
    this.#write({ event, keep: this.#sizes.length })
  }

  #write(change: LogChange): void {
    this.#unwritten.push(change)
    this.#writing ??= Promise.resolve().then(() => this.#writeAll())
  }

  async #writeAll(): Promise<void> {
    const { store, options } = this.#log
    for (let next = this.#unwritten.shift(); next !== undefined; next = this.#unwritten.shift()) {
      const { event, keep } = next
      try {
        if (keep === 0) await store.delete(this.#name)
        else await store.append(this.#name, { ...event }, { keep, ttlMs: options.ttlMs })
      } catch (error) {
        if (event !== NONE) options.failed(error) // What is not dropped expires.
      }
    }
    this.#writing = undefined
  }

  /** A store begins to count anew when a log has expired, so the numbers are our own. */
  async read(after: number): Promise<readonly LoggedEvent[]> {
    const { store, options } = this.#log
    await this.#writing
    const items = await store.read(this.#name, 0, options.keep)
    return items.map(({ value }) => value as unknown as LoggedEvent).filter(({ number }) => number > after) // As appended.
  }

  /** All of it is forgotten, to make room or because it has expired. */
  lose(): void {
    this.#lost = this.#last
    this.drop()
  }

  drop(): void {
    if (this.#bytes === 0) return
    const change = -this.#bytes
    this.#sizes = []
    this.#bytes = 0
    this.#log.count(this, change)
    this.#unwritten = []
    this.#write({ event: NONE, keep: 0 })
  }

  #dropOldest(): void {
    this.#bytes -= this.#sizes.shift() ?? 0
    this.#lost = this.#last - this.#sizes.length
  }
}
