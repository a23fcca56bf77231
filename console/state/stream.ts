import { readEvents } from '../../src/client/wires/events.ts'
import { bodyOf } from '../../src/client/wires/fetching.ts'
import type { ConsoleEvent, ConsoleHello } from '../../src/console/events.ts'
import { isRecord, parseJson } from '../model/json.ts'
import { decode } from '../model/text.ts'

/** How the page stands with its server. */
export type Phase = 'no-key' | 'connecting' | 'live' | 'gone' | 'refused' | 'asleep'

export interface StreamListener {
  event(event: ConsoleEvent): void
  phase(phase: Phase, text?: string): void
}

const MAX_EVENT_BYTES = 64 * 1024 * 1024
const [FIRST_WAIT_MS, LONGEST_WAIT_MS] = [500, 5000]

/** A tab that nobody looks at lets go of its connections after this long: a browser has six for a server. */
const SLEEP_AFTER_MS = 15_000

/** The console's event stream: read by fetch, since it wants a key, and opened again whenever it ends. */
export class EventStream {
  readonly #key: string
  readonly #listener: StreamListener
  #after = 0
  #run: string | undefined
  #stop = new AbortController()
  #waitMs = FIRST_WAIT_MS
  #asleep = false

  constructor(key: string, listener: StreamListener) {
    this.#key = key
    this.#listener = listener
  }

  async start(): Promise<void> {
    this.#sleepWhenHidden()
    for (;;) {
      if (this.#asleep) await becomesVisible()
      this.#asleep = false
      this.#stop = new AbortController()
      const again = await this.#read().catch((error: Error) => error)
      if (again === 'refused') return
      if (this.#asleep || again === 'anew') continue
      this.#listener.phase('gone', again instanceof Error ? again.message : 'The stream ended')
      await pause(this.#waitMs)
      this.#waitMs = Math.min(this.#waitMs * 1.6, LONGEST_WAIT_MS)
    }
  }

  async #read(): Promise<'refused' | 'ended' | 'anew'> {
    const response = await fetch(`console/events?after=${this.#after}`, {
      headers: { authorization: `Bearer ${this.#key}`, accept: 'text/event-stream' },
      signal: this.#stop.signal,
      cache: 'no-store',
    })
    if (response.status === 401 || response.status === 403) {
      this.#listener.phase('refused', wordsOf(await response.text()))
      return 'refused'
    }
    if (!response.ok) throw new Error(`The server answers ${response.status}`)
    this.#waitMs = FIRST_WAIT_MS
    for await (const { data } of readEvents(bodyOf(response), { maxMessageBytes: MAX_EVENT_BYTES })) {
      const event = data === undefined ? undefined : (parseJson(data) as ConsoleEvent | undefined) // Our own server's.
      if (event === undefined) continue
      if (event.type === 'hello' && this.#isAnother(event)) return 'anew'
      this.#take(event)
    }
    return 'ended'
  }

  /** Numbers of messages begin anew with each run, so what was asked for is of another. */
  #isAnother({ run }: ConsoleHello): boolean {
    const isAnother = this.#after > 0 && run !== this.#run
    this.#run = run
    if (!isAnother) return false
    this.#after = 0
    this.#stop.abort()
    return true
  }

  #take(event: ConsoleEvent): void {
    if (event.type === 'messages') this.#after = event.items.at(-1)?.seq ?? this.#after
    this.#listener.event(event)
  }

  #sleepWhenHidden(): void {
    let clock: ReturnType<typeof setTimeout> | undefined
    document.addEventListener('visibilitychange', () => {
      clearTimeout(clock)
      if (!document.hidden) return
      clock = setTimeout(() => {
        this.#asleep = true
        this.#listener.phase('asleep')
        this.#stop.abort()
      }, SLEEP_AFTER_MS)
    })
  }
}

function wordsOf(text: string): string {
  const value = parseJson(text)
  return isRecord(value) && typeof value['error'] === 'string' ? value['error'] : text.slice(0, 300)
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms)
  })
}

function becomesVisible(): Promise<void> {
  if (!document.hidden) return Promise.resolve()
  return new Promise((resolve) => {
    document.addEventListener('visibilitychange', () => !document.hidden && resolve())
  })
}

/** The key stands in the fragment, which no browser sends. */
export function keyOf(fragment: string): string {
  return decode(fragment.slice(1))
}
