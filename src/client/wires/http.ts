import { describe, type Id, type Revision } from '../../kernel/index.ts'
import { ClientError } from '../errors.ts'
import type { Clearance, Ear, HeaderMap, OpenWire, Sent, Wire } from '../wire.ts'
import { cancelByNotification } from './cancel.ts'
import {
  discard,
  type FetchedAnswer,
  type FetchOptions,
  fetchFrom,
  kindOf,
  readRefusal,
  wordsOf,
} from './fetching.ts'
import { HttpSession } from './http-session.ts'
import { isForgotten } from './is-forgotten.ts'
import { OpenStreams } from './open-streams.ts'
import { type PostedMessage, waitFor } from './posted.ts'
import { readWhole } from './read-whole.ts'
import { headersFor, type SessionState, sessionHeaders, versionOf } from './request-headers.ts'
import { isOpening, pause } from './retrying.ts'
import { Sending } from './sending.ts'
import type { StopSignal } from './stop.ts'
import { hearStream, newPlace, type StreamPlace } from './stream-place.ts'

/** What came instead of an answer. */
const NOT_IT: Record<ReturnType<typeof kindOf>, (response: FetchedAnswer) => string> = {
  json: () => 'something else',
  events: () => 'something else',
  other: ({ headers }) => describe(headers.get('content-type') ?? undefined),
}

/** How long a server is left alone whose stream says that the session is gone. */
const FORGOTTEN_MS = 500

/** How long a server may take to hear that its client is done, and to begin the stream that was asked for before. */
const [FAREWELL_MS, BEGIN_MS] = [2000, 500]

export function httpWire(url: URL, options: FetchOptions): OpenWire {
  return (ear) => new HttpWire(url, options, ear)
}

/** A stream that is heard until it is done; `during` is the request that it answers. */
interface HeardStream {
  readonly done: () => boolean
  readonly during?: Id | undefined
}

/** Streamable HTTP: with a session or, where every message says who sends it, without. */
class HttpWire implements Wire {
  readonly #url: URL
  readonly #options: FetchOptions
  readonly #ear: Ear
  readonly #sending: Sending
  readonly #streams: OpenStreams
  readonly #all = new AbortController()
  readonly #session: HttpSession
  /** Ends the session's stream. */
  #listening: AbortController | undefined
  /** Settles when the session's stream has begun, or will not. */
  #begun: Promise<unknown> = Promise.resolve()
  stream: object | undefined

  constructor(url: URL, options: FetchOptions, ear: Ear) {
    this.#url = url
    this.#options = options
    this.#ear = ear
    this.#sending = new Sending(ear, options.timeoutMs)
    this.#session = new HttpSession(() => ear.reopen())
    this.#streams = new OpenStreams(url, options)
  }

  get keeps(): boolean {
    return this.#session.isKept
  }

  send(message: Sent, headers: HeaderMap = {}, cleared?: Clearance): Promise<void> {
    return this.#sending.send(message, (signal) =>
      this.#exchange({ message, headers, cleared, signal, waits: 0, isRepeated: false }),
    )
  }

  /** Without a session to go on in, a request ends with its connection. */
  cancel(id: Id, reason: string): void {
    if (this.#session.state.revision !== undefined) cancelByNotification(this, id, reason)
    this.#sending.cancel(id)
  }

  answered(id: Id): void {
    this.#sending.cancel(id)
  }

  opened(revision: Revision): void {
    this.#session.opened(revision)
    this.#listening?.abort() // Who forgets a session may leave its stream open.
    this.#listening = new AbortController()
    void this.#listen(this.#session.state, this.#listening)
  }

  async close(): Promise<void> {
    this.#sending.close()
    const isKept = this.#session.state.id !== undefined
    // Told of the end first, a server would refuse the stream, and say so.
    if (isKept) await Promise.race([this.#begun, pause(BEGIN_MS, this.#all.signal)])
    this.#all.abort()
    this.#listening?.abort()
    if (!isKept) return
    const fetching = {
      method: 'DELETE',
      headers: sessionHeaders(this.#session.state),
      signal: AbortSignal.timeout(FAREWELL_MS),
    } as const
    // A server need not know the method, and may be gone already.
    await fetchFrom(this.#url, fetching, this.#options).then(discard, () => {})
  }

  /** One POST and what comes of it. */
  async #exchange(posted: PostedMessage): Promise<void> {
    const { message, signal } = posted
    const { id, method } = message
    for (let wait = this.#wait(posted); wait !== undefined; wait = this.#wait(posted)) await wait
    const session = this.#session.state
    const headers = headersFor(message, session, posted.headers)
    const fetching = { method: 'POST', headers, body: JSON.stringify(message), signal } as const
    const response = await fetchFrom(this.#url, fetching, this.#options)
    if (!response.ok) {
      await this.#openAgain(response, posted, session)
      return this.#exchange(posted)
    }
    if (id === undefined || method === undefined) return discard(response)
    if (method === 'initialize') await this.#begin(response)
    else this.#session.proved()
    const kind = kindOf(response)
    if (kind === 'json') {
      const text = readWhole(response, this.#options.maxMessageBytes)
      this.#ear.hear(typeof text === 'string' ? text : await text, id)
    } else if (kind === 'events') await this.#follow(response, message, signal)
    else await discard(response)
    if (this.#ear.awaits(id))
      throw new ClientError('nonsense', `The server took ${method}, and answered ${NOT_IT[kind](response)}`)
  }

  #wait(posted: PostedMessage): Promise<void> | undefined {
    return waitFor(posted, () => this.#session.ready())
  }

  /** A message that was refused because the session is gone can be sent in a new one; any other cannot. */
  async #openAgain(response: FetchedAnswer, posted: PostedMessage, session: SessionState): Promise<void> {
    const { message } = posted
    const refusal = await readRefusal(response)
    const isIn = session.id !== undefined && versionOf(message) === undefined && !isOpening(message)
    if (!isIn || !isForgotten(refusal)) throw refusal
    if (posted.isRepeated) this.#session.giveUp(refusal)
    posted.isRepeated = true
    await this.#session.reopen(session, refusal)
  }

  async #begin(response: FetchedAnswer): Promise<void> {
    try {
      this.#session.begin(response.headers.get('mcp-session-id'))
    } catch (error) {
      await discard(response)
      throw error
    }
  }

  /** Hears the stream that answers a request, and comes back to it where it breaks and can be gone on with. */
  async #follow(first: FetchedAnswer, { id, method, params }: Sent, signal: StopSignal): Promise<void> {
    const place: StreamPlace = newPlace()
    const answered = () => id === undefined || !this.#ear.awaits(id)
    let response: FetchedAnswer | undefined = first
    while (!answered()) {
      if (response !== undefined) await this.#hearAll(response, place, { done: answered, during: id })
      if (answered()) return
      if (
        place.eventId === undefined ||
        versionOf({ jsonrpc: '2.0', ...(params !== undefined && { params }) })
      )
        throw new ClientError('lost', `The stream broke off before ${method} was answered`)
      if (id !== undefined) this.#ear.leftOpen?.(id)
      response = await this.#streams.comeBack(place, this.#session.state, signal)
    }
  }

  /** The stream of what belongs to no request; a server need not have one. */
  async #listen(session: SessionState, { signal }: AbortController): Promise<void> {
    const place: StreamPlace = newPlace()
    const isOver = () => this.#session.state !== session
    let isThere = false
    this.stream = place
    try {
      const first = this.#streams.open(session, {}, signal)
      this.#begun = first.catch(() => {}) // What is wrong with it is told below.
      let response: FetchedAnswer | undefined = await first
      isThere = true
      for (;;) {
        if (response !== undefined) await this.#hearAll(response, place, { done: isOver })
        if (isOver()) return
        if (session.id === undefined) this.stream = undefined // It may be another server that is come back to.
        response = await this.#streams.comeBack(place, session, signal)
        this.stream ??= response && {}
      }
    } catch (error) {
      if (signal.aborted || isOver()) return
      this.stream = undefined
      // Whoever has no stream at all may say so like this; whether the session is gone, the next request finds out.
      if (isThere && isForgotten(error))
        return pause(FORGOTTEN_MS, this.#all.signal)
          .then(() => this.#session.reopen(session))
          .catch((one) => this.#ear.warn(one))
      if (!(error instanceof ClientError) || error.details.status !== 405) this.#ear.warn(wordsOf(error))
    }
  }

  async #hearAll(response: FetchedAnswer, place: StreamPlace, { done, during }: HeardStream): Promise<void> {
    await hearStream(response, place, {
      hear: (text) => this.#ear.hear(text, during),
      maxMessageBytes: this.#options.maxMessageBytes,
      signal: this.#all.signal,
      done,
    })
  }
}
