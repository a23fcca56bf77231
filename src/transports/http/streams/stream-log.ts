import { type Json, weighText } from '../../../kernel/index.ts'
import type { EventLog } from './event-log.ts'
import { type LoggedEvent, logOf, OVER, readEvents } from './logged-events.ts'
import type { LostCalls } from './lost-calls.ts'
import { UnwrittenEvents } from './unwritten.ts'

/** What an event costs beside its text. */
const OVERHEAD = 200

/** How soon a store that has failed is tried again, and how much may wait for that. */
const RETRY_MS = 1000
const MAX_UNWRITTEN = 1024 * 1024

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
  readonly stream: string
  readonly #name: string
  readonly #logs: EventLog
  /** What each event that is kept costs. */
  #sizes: number[] = []
  #bytes = 0
  #last = 0
  #lost = 0
  #lastAt = 0
  readonly #unwritten = new UnwrittenEvents()
  #writing: Promise<void> | undefined
  #calls: LostCalls | undefined
  /** Whether the store knows of the calls, and whether it is to be told of them, or to remember them. */
  #known = false
  #due: boolean
  #toldAt = 0
  #ended = false
  #followed = false
  readonly #troubled: () => void

  constructor(logs: EventLog, { session, stream, calls, troubled }: StreamLogOptions) {
    this.session = session
    this.stream = stream
    this.#name = logOf(session, stream)
    this.#logs = logs
    this.#calls = calls
    this.#due = calls !== undefined
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

  /** When the store was last told which calls it answers. */
  get toldAt(): number {
    return this.#toldAt
  }

  /** Whether somebody on another node reads it. */
  get followed(): boolean {
    return this.#followed
  }

  /** Keeps an event, for which a text is held; a store that takes its time is given one after the other. */
  append(event: LoggedEvent, held = event.text): void {
    const { options } = this.#logs
    const before = this.#bytes
    this.#last = event.number
    this.#lastAt = options.now()
    const size = weighText(held) + OVERHEAD
    this.#sizes.push(size)
    this.#bytes += size
    while (this.#bytes > options.streamBytes || this.#sizes.length > options.keep) {
      if (this.#followed && this.#sizes.length === 1) break // Whoever reads it has it from nowhere else.
      this.#dropOldest()
    }
    if (this.#sizes.length > 0) this.#unwritten.add({ event, keep: this.#sizes.length, size })
    this.#unwritten.skip(this.#sizes.length)
    this.#write()
    if (event.end === true) this.#end()
    this.#logs.count(this, this.#bytes - before)
    if (this.#sizes.length === 0) this.#erase()
  }

  /** Nobody need answer its calls any more, nor know of them. */
  #end(): void {
    this.#ended = true
    this.#due = false
    this.#logs.note(this, false)
  }

  /** Has whoever reads it on another node told of every event from here on. */
  follow(): void {
    this.#followed = true
    this.#write()
  }

  /** Whoever reads it on another node need not: its client is back. */
  tellReaders(): void {
    const { store, options } = this.#logs
    store.publish(this.#name, this.#name).catch(options.failed)
  }

  /** Has other nodes know for longer which calls it answers. */
  tellCalls(): void {
    this.#due = this.#calls !== undefined
    this.#write()
  }

  #write(): void {
    this.#writing ??= Promise.resolve().then(() => this.#writeAll())
  }

  async #writeAll(): Promise<void> {
    const { store, options } = this.#logs
    try {
      do {
        if (this.#due) await this.#writeCalls()
        while (this.#unwritten.length > 0) await this.#writeNext()
        const over = this.#ended && this.#bytes === 0
        if (this.#followed) await store.publish(this.#name, over ? OVER : this.#last)
      } while (this.#unwritten.length > 0 || this.#due) // More may have come while others were told.
      this.#writing = undefined
    } catch (error) {
      options.failed(error)
      if (this.#unwritten.length > 0) this.#troubled()
      if (this.#bytes > MAX_UNWRITTEN) this.lose()
      this.#writing = new Promise((resolve) => options.after(RETRY_MS, () => resolve(this.#writeAll())))
    }
  }

  async #writeNext(): Promise<void> {
    const { store, options } = this.#logs
    const { ttlMs } = options
    const { events, done } = this.#unwritten.next()
    if (events.length === 0) await this.#writeNone()
    else await Promise.all(events.map(({ event, keep }) => store.append(this.#name, event, { keep, ttlMs })))
    done()
  }

  async #writeNone(): Promise<void> {
    await this.#logs.store.delete(this.#name)
    this.#known = false
    this.#due = this.#calls !== undefined && !this.#ended
  }

  async #writeCalls(): Promise<void> {
    const { store, options } = this.#logs
    const { ttlMs } = options
    const calls = this.#calls as unknown as Json | undefined // Plain values.
    const kept = this.#known && (await store.touch(this.#name, ttlMs))
    if (!kept && calls !== undefined) await store.put(this.#name, calls, { ttlMs })
    this.#known = calls !== undefined
    this.#due = false
    this.#toldAt = options.now()
    this.#logs.note(this, this.#calls !== undefined && !this.#ended)
  }

  /** A store begins to count anew when a log has expired, so the numbers are our own. */
  async read(after: number): Promise<readonly LoggedEvent[]> {
    await this.#writing
    return readEvents(this.#logs, this.#name, after)
  }

  /** Goes on with what another node has kept, or one before us here; numbers begin after a given one at least. */
  async takeOver(after: number): Promise<number> {
    this.#logs.release(this)
    const events = await readEvents(this.#logs, this.#name, 0)
    this.#sizes = events.map(({ text }) => weighText(text) + OVERHEAD)
    this.#bytes = this.#sizes.reduce((sum, size) => sum + size, 0)
    this.#last = Math.max(after, events.at(-1)?.number ?? 0)
    this.#lastAt = this.#logs.options.now()
    this.#logs.count(this, this.#bytes)
    return this.#last
  }

  /** It goes on elsewhere: what is kept of it is no longer ours to count, nor to forget. */
  release(): void {
    const change = -this.#bytes
    this.#sizes = []
    this.#bytes = 0
    this.#logs.count(this, change)
  }

  /** All of it is forgotten, to make room or because it has expired. */
  lose(): void {
    this.#lost = this.#last
    if (this.#bytes > 0) this.#erase()
  }

  /** Nobody will come back for it; what is being written down is forgotten after that. */
  drop(): void {
    this.#calls = undefined
    this.#logs.note(this, false)
    if (this.#bytes > 0 || this.#known || this.#writing !== undefined) this.#erase()
  }

  #erase(): void {
    const change = -this.#bytes
    this.#sizes = []
    this.#bytes = 0
    this.#logs.count(this, change)
    this.#unwritten.erase()
    this.#write()
  }

  #dropOldest(): void {
    this.#bytes -= this.#sizes.shift() ?? 0
    this.#lost = this.#last - this.#sizes.length
  }
}
