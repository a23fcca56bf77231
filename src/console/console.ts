import type { Platform } from '../kernel/index.ts'
import type { ConsoleEvent, ConsoleHello, ConsoleMessage, ConsoleNotice, ConsoleState } from './events.ts'
import { type KeptMessage, KeptMessages } from './kept-messages.ts'
import { maskText } from './mask.ts'
import { maskPrinted } from './passing.ts'
import { type ConsoleSink, Reader } from './reader.ts'

/** How far a console may grow. */
export interface ConsoleLimits {
  readonly messages: number
  readonly bytes: number
  readonly messageBytes: number
  readonly readers: number
}

export interface ConsoleOptions {
  readonly limits: ConsoleLimits
  readonly clock: Pick<Platform, 'now' | 'after' | 'randomId'>
  /** Whose console it is, told to every reader first. */
  readonly hello: () => Omit<ConsoleHello, 'type' | 'time' | 'run'>
  /** How the server is, looked at while somebody reads. */
  readonly state: () => Omit<ConsoleState, 'type'>
  /** Called once, when it has been closed. */
  readonly closed?: () => void
}

/** A message that passes, printed as it is on the wire. */
export interface PassingMessage
  extends Pick<ConsoleMessage, 'connection' | 'transport' | 'direction' | 'revision'> {
  readonly printed: string
  /** Of a response: how long after its request. */
  readonly ms?: number | undefined
}

/** News are told together, some twenty times a second at most. */
const TELL_MS = 50

/** How often it is looked whether anything but messages has changed. */
const LOOK_MS = 1000

const MAX_NOTICES = 100

/** The characters of one. */
const MAX_NOTICE = 2000

/** What is to be seen of a server: its last messages, what happened beside them, and how it is. */
export class Console {
  readonly messages: KeptMessages
  readonly #options: ConsoleOptions
  readonly #readers = new Set<Reader>()
  readonly #run: string
  #notices: string[] = []
  #lastNotice = 0
  #state = ''
  #stopTelling: (() => void) | undefined
  #stopLooking: (() => void) | undefined
  #closed = false
  #longest = 0

  constructor(options: ConsoleOptions) {
    this.#options = options
    this.messages = new KeptMessages(options.limits)
    this.#run = options.clock.randomId()
  }

  get readers(): number {
    return this.#readers.size
  }

  get full(): boolean {
    return this.#readers.size >= this.#options.limits.readers
  }

  /** The bytes of the longest message there has been. */
  get longest(): number {
    return this.#longest
  }

  get closed(): boolean {
    return this.#closed
  }

  /** Keeps a message, without its secrets. */
  add({ printed, ms, ...fields }: PassingMessage): void {
    const { clock, limits } = this.#options
    const kept = maskPrinted(printed, limits.messageBytes)
    const timed = ms !== undefined && { ms: Math.round(ms * 1000) / 1000 }
    this.keep({ time: clock.now(), ...fields, ...timed, ...kept })
  }

  /** Keeps one that has no secrets any more. */
  keep(message: Omit<KeptMessage, 'seq'>): void {
    this.#longest = Math.max(this.#longest, message.bytes)
    this.messages.add(message)
    this.#tellSoon()
  }

  /** Tells of something that happened beside the messages. */
  notice(level: ConsoleNotice['level'], text: string): void {
    const time = this.#options.clock.now()
    const notice: ConsoleEvent = { type: 'notice', level, text: maskText(text.slice(0, MAX_NOTICE)), time }
    this.#notices.push(JSON.stringify(notice))
    this.#notices = this.#notices.slice(-MAX_NOTICES)
    this.#lastNotice++
    this.#tellSoon()
  }

  /** Has somebody told all that is kept after a number, and what comes; until the function given back is called. */
  read(sink: ConsoleSink, after: number): () => void {
    const seen = after > this.messages.last ? 0 : after // A number of another run means nothing.
    const reader = new Reader(this, sink, seen)
    reader.tell(this.#greeting())
    this.#readers.add(reader)
    this.#look()
    this.#tell()
    return () => {
      this.#readers.delete(reader)
      if (this.#readers.size === 0) this.#rest()
    }
  }

  /** Says once more whose console it is, where that has changed. */
  greet(): void {
    for (const reader of this.#readers) reader.tell(this.#greeting())
  }

  /** The notices after a number, of as many as are kept. */
  noticesAfter(number: number): { readonly texts: readonly string[]; readonly last: number } {
    const missed = Math.min(this.#notices.length, this.#lastNotice - number)
    return { texts: missed === 0 ? [] : this.#notices.slice(-missed), last: this.#lastNotice }
  }

  /** How the server was when it was last looked at. */
  get state(): string {
    return this.#state
  }

  /** Ends everybody who reads, with the last that there is; from here on nobody is told anything. */
  close(): void {
    if (this.#closed) return
    this.#closed = true
    this.#options.closed?.()
    for (const reader of this.#readers) reader.catchUp()
    this.#rest()
    for (const reader of [...this.#readers]) reader.end()
    this.#readers.clear()
  }

  #greeting(): ConsoleEvent {
    const { hello, clock } = this.#options
    return { type: 'hello', ...hello(), time: clock.now(), run: this.#run }
  }

  #rest(): void {
    this.#stopTelling?.()
    this.#stopLooking?.()
    this.#stopTelling = undefined
    this.#stopLooking = undefined
  }

  #tellSoon(): void {
    if (this.#stopTelling !== undefined || this.#readers.size === 0) return
    this.#stopTelling = this.#options.clock.after(TELL_MS, () => this.#tell())
  }

  #tell(): void {
    this.#stopTelling?.()
    this.#stopTelling = undefined
    let behind = false
    for (const reader of this.#readers) behind = reader.catchUp() || behind
    if (behind) this.#tellSoon()
  }

  #look(): void {
    this.#stopLooking?.()
    const state: ConsoleEvent = { type: 'state', ...this.#options.state() }
    const before = this.#state
    this.#state = JSON.stringify(state)
    if (this.#state !== before) this.#tellSoon()
    this.#stopLooking = this.#options.clock.after(LOOK_MS, () => this.#look())
  }
}
