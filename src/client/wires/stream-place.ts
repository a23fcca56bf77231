import { ClientError } from '../errors.ts'
import type { MessageLimits } from '../intake.ts'
import { Pace, STREAM_PACE } from '../pace.ts'
import type { HeaderMap } from '../wire.ts'
import { readEvents } from './events.ts'
import { bodyOf, type FetchedAnswer } from './fetching.ts'
import { pause } from './retrying.ts'
import type { StopSignal } from './stop.ts'

/** When to come back to a stream that does not say. */
const RETRY_MS = 500

export interface Hearing {
  readonly hear: (text: string) => void
  readonly limits: MessageLimits
  readonly signal: StopSignal
  /** Whether it is not wanted any more. */
  readonly done: () => boolean
}

/** Where a stream was left, and when it is come back to: later each time that it gave nothing and was not there for long. */
export class StreamPlace {
  readonly #pace = new Pace(STREAM_PACE)
  #retryMs = RETRY_MS
  #eventId: string | undefined
  /** How often it was come back to in a row without a message. */
  tries = 0

  /** Whether nothing is missed of what is told meanwhile. */
  get isKept(): boolean {
    return this.#eventId !== undefined
  }

  /** By which it is gone on with. */
  get headers(): HeaderMap {
    return this.#eventId === undefined ? {} : { 'last-event-id': this.#eventId }
  }

  rest(signal: StopSignal): Promise<void> {
    this.tries++
    return pause(this.#pace.next(this.#retryMs), signal)
  }

  /** Hears a stream until it ends, breaks, or is not wanted any more; the place is kept as it goes. */
  async hear(response: FetchedAnswer, { hear, limits, signal, done }: Hearing): Promise<void> {
    this.#pace.done()
    try {
      for await (const { id, retryMs, data } of readEvents(bodyOf(response), limits)) {
        this.#eventId = id ?? this.#eventId
        this.#retryMs = Math.min(retryMs ?? this.#retryMs, STREAM_PACE.longestMs)
        if (data === undefined || data === '') continue
        this.tries = 0
        this.#pace.reset()
        hear(data)
        if (done()) return
      }
    } catch (error) {
      if (error instanceof ClientError || signal.aborted) throw error
      // A stream that breaks is one that ends.
    }
  }
}
