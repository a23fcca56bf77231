import { ClientError } from '../errors.ts'
import { readEvents } from './events.ts'
import { bodyOf, type FetchedAnswer } from './fetching.ts'
import type { StopSignal } from './stop.ts'

/** Where a stream was left. */
export interface StreamPlace {
  eventId: string | undefined
  retryMs: number
  /** How often it was opened in a row without a message. */
  tries: number
}

/** When to come back to a stream that does not say. */
const RETRY_MS = 500
const [LEAST_RETRY_MS, MOST_RETRY_MS] = [10, 30_000]

export function newPlace(): StreamPlace {
  return { eventId: undefined, retryMs: RETRY_MS, tries: 0 }
}

export interface Hearing {
  readonly hear: (text: string) => void
  readonly maxMessageBytes: number
  readonly signal: StopSignal
  /** Whether it is not wanted any more. */
  readonly done: () => boolean
}

/** Hears a stream until it ends, breaks, or is not wanted any more; the place is kept as it goes. */
export async function hearStream(
  response: FetchedAnswer,
  place: StreamPlace,
  { hear, maxMessageBytes, signal, done }: Hearing,
): Promise<void> {
  try {
    for await (const { id, retryMs, data } of readEvents(bodyOf(response), maxMessageBytes)) {
      place.eventId = id ?? place.eventId
      place.retryMs = Math.min(Math.max(retryMs ?? place.retryMs, LEAST_RETRY_MS), MOST_RETRY_MS)
      if (data === undefined || data === '') continue
      place.tries = 0
      hear(data)
      if (done()) return
    }
  } catch (error) {
    if (error instanceof ClientError || signal.aborted) throw error
    // A stream that breaks is one that ends.
  }
}
