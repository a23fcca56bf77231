import { type Json, type Platform, type Store, weighText } from '../../../kernel/index.ts'
import { type LoggedEvent, logOf, readEvents } from './logged-events.ts'
import type { LostCalls } from './lost-calls.ts'

export interface EventLogOptions {
  /** How many events of one stream are kept, how long, and how much of them. */
  readonly keep: number
  readonly ttlMs: number
  readonly streamBytes: number
  readonly now: () => number
  readonly after: Platform['after']
  /** Told when the store fails. */
  readonly failed: (error: unknown) => void
  /** How much may be kept of a session, and in all. */
  readonly sessionBytes: number
  readonly bytes: number
}

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

  open(of: StreamLogOptions): StreamLog {
    return new StreamLog(this, of)
  }

  /** Forgets all that is kept of a session. */
  drop(session: string): void {
    for (const log of [...(this.#sessions.get(session)?.streams ?? [])]) log.drop()
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

/** What an event costs beside its text. */
const OVERHEAD = 200

/** How soon a store that has failed is tried again, and how much may wait for that. */
const RETRY_MS = 1000
const MAX_UNWRITTEN = 1024 * 1024

/** What the store has yet to be told: an event and how many stay, or that none does. */
interface LogChange {
  readonly event: LoggedEvent | undefined
  readonly keep: number
}

export interface StreamLogOptions {
  readonly session: string
  readonly stream: string
  /** Which calls it answers, for other nodes to know, should this one be lost. */
  readonly calls: LostCalls | undefined
  /** Called when the store does not keep what it is given. */
  readonly troubled: () => void
}

/** The events of one stream, kept in the store one after the other. */
export class StreamLog {
  readonly session: string
  readonly #name: string
  readonly #logs: EventLog
  /** What each event that is kept costs. */
  #sizes: number[] = []
  #bytes = 0
  #last = 0
  #lost = 0
  #lastAt = 0
  #unwritten: LogChange[] = []
  #writing: Promise<void> | undefined
  #calls: LostCalls | undefined
  /** Whether somebody on another node reads it. */
  #followed = false
  readonly #troubled: () => void

  constructor(logs: EventLog, { session, stream, calls, troubled }: StreamLogOptions) {
    this.session = session
    this.#name = logOf(session, stream)
    this.#logs = logs
    this.#calls = calls
    this.#troubled = troubled
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
    const { options } = this.#logs
    const before = this.#bytes
    this.#last = event.number
    this.#lastAt = options.now()
    const size = weighText(event.text) + OVERHEAD
    this.#sizes.push(size)
    this.#bytes += size
    while (this.#bytes > options.streamBytes || this.#sizes.length > options.keep) this.#dropOldest()
    this.#logs.count(this, this.#bytes - before)
    this.#write({ event, keep: this.#sizes.length })
  }

  /** Has whoever reads it on another node told of every event from here on. */
  follow(): void {
    this.#followed = true
    this.#writing ??= Promise.resolve().then(() => this.#writeAll())
  }

  #write(change: LogChange): void {
    this.#unwritten.push(change)
    this.#writing ??= Promise.resolve().then(() => this.#writeAll())
  }

  async #writeAll(): Promise<void> {
    const { store, options } = this.#logs
    const { ttlMs } = options
    try {
      if (this.#calls !== undefined) await store.put(this.#name, this.#calls as unknown as Json, { ttlMs }) // Plain values.
      this.#calls = undefined
      do {
        for (let [next] = this.#unwritten; next !== undefined; [next] = this.#unwritten) {
          if (next.event === undefined) await store.delete(this.#name)
          else await store.append(this.#name, { ...next.event }, { keep: next.keep, ttlMs })
          if (this.#unwritten[0] === next) this.#unwritten.shift() // It may have been forgotten meanwhile.
        }
        if (this.#followed) await store.publish(this.#name, this.#last)
      } while (this.#unwritten.length > 0) // More may have come while others were told.
      this.#writing = undefined
    } catch (error) {
      options.failed(error)
      this.#troubled()
      if (this.#bytes > MAX_UNWRITTEN) this.lose()
      this.#writing = new Promise((resolve) => options.after(RETRY_MS, () => resolve(this.#writeAll())))
    }
  }

  /** A store begins to count anew when a log has expired, so the numbers are our own. */
  async read(after: number): Promise<readonly LoggedEvent[]> {
    await this.#writing
    return readEvents(this.#logs, this.#name, after)
  }

  /** Goes on after the last event that another node has kept. */
  async takeOver(after: number): Promise<number> {
    const events = await readEvents(this.#logs, this.#name, after)
    this.#last = events.at(-1)?.number ?? after
    return this.#last
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
    this.#logs.count(this, change)
    this.#unwritten = []
    this.#write({ event: undefined, keep: 0 })
  }

  #dropOldest(): void {
    this.#bytes -= this.#sizes.shift() ?? 0
    this.#lost = this.#last - this.#sizes.length
  }
}
