import { ClientError } from '../errors.ts'
import type { HeaderMap } from '../wire.ts'
import { discard, type FetchedAnswer, type FetchOptions, fetchFrom, kindOf, readRefusal } from './fetching.ts'
import { type SessionState, sessionHeaders } from './request-headers.ts'
import { pause } from './retrying.ts'
import type { StopSignal } from './stop.ts'
import type { StreamPlace } from './stream-place.ts'

const EVENTS = { accept: 'text/event-stream' }

/** Opens streams by GET, and comes back to those that have broken off. */
export class OpenStreams {
  readonly #url: URL
  readonly #options: FetchOptions

  constructor(url: URL, options: FetchOptions) {
    this.#url = url
    this.#options = options
  }

  async open(session: SessionState, more: HeaderMap, signal: StopSignal): Promise<FetchedAnswer> {
    const headers = { ...EVENTS, ...sessionHeaders(session), ...more }
    const response = await fetchFrom(this.#url, { method: 'GET', headers, signal }, this.#options)
    if (!response.ok) throw await readRefusal(response)
    if (kindOf(response) === 'events') return response
    await discard(response)
    throw new ClientError('refused', 'The server answered GET with no stream', { status: 405 })
  }

  /** Undefined when it could not be reached this time. */
  async comeBack(
    place: StreamPlace,
    session: SessionState,
    signal: StopSignal,
  ): Promise<FetchedAnswer | undefined> {
    const { maxReconnects } = this.#options
    if (++place.tries > maxReconnects) {
      const text = `The stream broke off ${place.tries} times in a row (maxReconnects is ${maxReconnects})`
      throw new ClientError('lost', text)
    }
    await pause(place.retryMs, signal)
    const headers = place.eventId === undefined ? {} : { 'last-event-id': place.eventId }
    try {
      return await this.open(session, headers, signal)
    } catch (error) {
      const refused = error instanceof ClientError && error.details.status !== undefined
      if (refused || signal.aborted) throw error
      return undefined
    }
  }
}
