import { describe, type Id, type Revision } from '../../kernel/index.ts'
import { ClientError } from '../errors.ts'
import { Pace, STREAM_PACE } from '../pace.ts'
import type { Clearance, Ear, HeaderMap, OpenWire, Sent, Wire } from '../wire.ts'
import { cancelByNotification } from './cancel.ts'
import {
  discard,
  type FetchedAnswer,
  type FetchOptions,
  fetchFrom,
  kindOf,
  readRefusal,
  readStart,
  refusalOf,
} from './fetching.ts'
import { HttpSession } from './http-session.ts'
import { isGone, isResult, type RefusedPost } from './is-forgotten.ts'
import { type PostedMessage, waitFor } from './posted.ts'
import { readWhole } from './read-whole.ts'
import { headersFor, type SessionState, sessionHeaders, versionOf } from './request-headers.ts'
import { isOpening, pause } from './retrying.ts'
import { Sending } from './sending.ts'
import { SessionStream } from './session-stream.ts'
import type { StopSignal } from './stop.ts'
import { StreamPlace } from './stream-place.ts'

const EVENTS = { accept: 'text/event-stream' }

/** What came instead of an answer. */
const NOT_IT: Record<ReturnType<typeof kindOf>, (response: FetchedAnswer) => string> = {
  json: () => 'something else',
  events: () => 'something else',
  other: ({ headers }) => describe(headers.get('content-type') ?? undefined),
}

/** How long a server may take to hear that its client is done, and to take and begin what was said and asked for before. */
const [FAREWELL_MS, BEGIN_MS] = [2000, 500]

type Posting = Pick<PostedMessage, 'headers' | 'signal'>

export function httpWire(url: URL, options: FetchOptions): OpenWire {
  return (ear) => new HttpWire(url, options, ear)
}

/** Streamable HTTP: with a session or, where every message says who sends it, without. */
class HttpWire implements Wire {
  readonly #url: URL
  readonly #options: FetchOptions
  readonly #ear: Ear
  readonly #sending: Sending
  readonly #all = new AbortController()
  readonly #session: HttpSession
  /** Of sessions of which a stream says that they are gone. */
  readonly #pace = new Pace(STREAM_PACE)
  #listening: SessionStream | undefined

  constructor(url: URL, options: FetchOptions, ear: Ear) {
    this.#url = url
    this.#options = options
    this.#ear = ear
    this.#sending = new Sending(ear, options.timeoutMs)
    this.#session = new HttpSession(() => ear.reopen())
  }

  get stream(): object | undefined {
    return this.#listening?.current
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

  agreed(revision: Revision): void {
    this.#session.agreed(revision)
  }

  opened(): void {
    this.#listening?.close() // Who forgets a session may leave its stream open.
    const { state } = this.#session
    this.#listening = new SessionStream({
      ...this.#options,
      ear: this.#ear,
      get: (headers, signal) => this.#get(state, headers, signal),
      isKept: state.id !== undefined,
      forgotten: () => void this.#forgotten(state),
    })
  }

  async close(): Promise<void> {
    await this.#sending.close(BEGIN_MS)
    const isKept = this.#session.state.id !== undefined
    // Told of the end first, a server would refuse the stream, and say so.
    if (isKept) await Promise.race([this.#listening?.begun, pause(BEGIN_MS, this.#all.signal)])
    this.#all.abort()
    this.#listening?.close()
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
    const response = await this.#post(message, session, posted)
    if (!response.ok) {
      const text = await readStart(response)
      if (isIn(session, message) && isResult(text, id)) {
        this.#session.proved()
        return this.#ear.hear(text, id)
      }
      await this.#openAgain({ error: refusalOf(response, text), text, id }, posted, session)
      return this.#exchange(posted)
    }
    if (id === undefined || method === undefined) return discard(response)
    if (method === 'initialize') await this.#begin(response)
    else this.#session.proved()
    const kind = kindOf(response)
    if (kind === 'json') {
      const text = readWhole(response, this.#options)
      this.#ear.hear(typeof text === 'string' ? text : await text, id)
    } else if (kind === 'events') await this.#follow(response, message, signal)
    else await discard(response)
    if (this.#ear.awaits(id))
      throw new ClientError('nonsense', `The server took ${method}, and answered ${NOT_IT[kind](response)}`)
  }

  #wait(posted: PostedMessage): Promise<void> | undefined {
    return waitFor(posted, () => this.#session.ready())
  }

  #post(message: Sent, session: SessionState, { headers: own, signal }: Posting): Promise<FetchedAnswer> {
    const headers = headersFor(message, session, own)
    const fetching = { method: 'POST', headers, body: JSON.stringify(message), signal } as const
    return fetchFrom(this.#url, fetching, this.#options)
  }

  /** A message that was refused because the session is gone can be sent in a new one; any other cannot. */
  async #openAgain(refused: RefusedPost, posted: PostedMessage, session: SessionState): Promise<void> {
    const { error } = refused
    const ask = (message: Sent) => this.#post(message, session, { headers: {}, signal: posted.signal })
    if (!isIn(session, posted.message) || !(await isGone(refused, ask))) throw error
    if (posted.isRepeated) this.#session.giveUp(error)
    posted.isRepeated = true
    await this.#session.reopen(session, error)
  }

  async #forgotten(session: SessionState): Promise<void> {
    try {
      await pause(this.#pace.next(), this.#all.signal)
      await this.#session.reopen(session)
      this.#pace.done()
    } catch (error) {
      if (!this.#all.signal.aborted) this.#ear.warn(error as Error)
    }
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
    const place = new StreamPlace()
    const done = () => id === undefined || !this.#ear.awaits(id)
    const hear = (text: string) => this.#ear.hear(text, id)
    let response: FetchedAnswer | undefined = first
    while (!done()) {
      if (response !== undefined)
        await place.hear(response, { hear, limits: this.#options, signal: this.#all.signal, done })
      if (done()) return
      if (!place.isKept || versionOf({ jsonrpc: '2.0', ...(params !== undefined && { params }) }))
        throw new ClientError('lost', `The stream broke off before ${method} was answered`)
      if (id !== undefined) this.#ear.leftOpen?.(id)
      response = await this.#comeBack(place, signal)
    }
  }

  /** Undefined when it could not be reached this time. */
  async #comeBack(place: StreamPlace, signal: StopSignal): Promise<FetchedAnswer | undefined> {
    const { maxReconnects } = this.#options
    if (place.tries === maxReconnects) {
      const text = `The stream broke off ${place.tries + 1} times in a row (maxReconnects is ${maxReconnects})`
      throw new ClientError('lost', text)
    }
    await place.rest(signal)
    try {
      return await this.#get(this.#session.state, place.headers, signal)
    } catch (error) {
      const refused = error instanceof ClientError && error.details.status !== undefined
      if (refused || signal.aborted) throw error
      return undefined
    }
  }

  async #get(session: SessionState, more: HeaderMap, signal: StopSignal): Promise<FetchedAnswer> {
    const headers = { ...EVENTS, ...sessionHeaders(session), ...more }
    const response = await fetchFrom(this.#url, { method: 'GET', headers, signal }, this.#options)
    if (!response.ok) throw await readRefusal(response)
    if (kindOf(response) === 'events') return response
    await discard(response)
    throw new ClientError('refused', 'The server answered GET with no stream', { status: 405 })
  }
}

/** Whether a message was sent in a session, which can be gone. */
function isIn({ id }: SessionState, message: Sent): boolean {
  return id !== undefined && versionOf(message) === undefined && !isOpening(message)
}
