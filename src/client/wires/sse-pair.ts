import type { Id } from '../../kernel/index.ts'
import { ClientError, closed } from '../errors.ts'
import { Pace, STREAM_PACE } from '../pace.ts'
import type { Clearance, Ear, HeaderMap, OpenWire, Sent, Wire } from '../wire.ts'
import { cancelByNotification } from './cancel.ts'
import { endpointOf } from './endpoint.ts'
import { readEvents } from './events.ts'
import {
  bodyOf,
  discard,
  type FetchedAnswer,
  type FetchOptions,
  fetchFrom,
  kindOf,
  readRefusal,
  wordsOf,
} from './fetching.ts'
import { isForgotten } from './is-forgotten.ts'
import { type PostedMessage, waitFor } from './posted.ts'
import { isOpening, pause } from './retrying.ts'
import { Sending } from './sending.ts'

/** How long a stream may take to say where to post. */
const ENDPOINT_MS = 5000

/** How long a server may take to say that it has taken what it has answered already, or what was said last. */
const TAKING_MS = 1000

/** How long a stream may take to end whose session the server does not know any more. */
const ENDING_MS = 1000

/** The pair of 2024-11-05: everything is heard on one stream, whose first event says where to speak. */
export function ssePairWire(url: URL, options: FetchOptions): OpenWire {
  return async (ear) => {
    const wire = new SsePairWire(url, options, ear)
    await wire.open()
    return wire
  }
}

interface Answering {
  resolve(): void
  reject(error: Error): void
}

/** The stream is the session: when it breaks, another is opened, once. */
class SsePairWire implements Wire {
  readonly keeps = true
  readonly #url: URL
  readonly #options: FetchOptions
  readonly #ear: Ear
  readonly #stop = new AbortController()
  /** Ends the stream that is heard, or is being opened. */
  #stream = new AbortController()
  readonly #sending: Sending
  readonly #unanswered = new Map<Id, Answering>()
  /** Requests that have been answered since the clock was set, and may not have been taken. */
  readonly #untaken = new Set<Id>()
  #clock: ReturnType<typeof setTimeout> | undefined
  readonly #pace = new Pace(STREAM_PACE)
  #endpoint: URL | undefined
  #reopening: Promise<void> | undefined
  /** Whether the handshake has been made on the stream that is heard. */
  #isGreeted = false
  /** A session that was opened again and has not said anything yet: to lose it as well is to give up. */
  #isUnproven = false

  constructor(url: URL, options: FetchOptions, ear: Ear) {
    this.#url = url
    this.#options = options
    this.#ear = ear
    this.#sending = new Sending(ear, options.timeoutMs)
  }

  /** Resolves when the stream has said where to post, and goes on hearing. */
  async open(): Promise<void> {
    this.#stop.signal.throwIfAborted()
    const stream = new AbortController()
    this.#stream = stream
    const late = new ClientError('timed-out', 'The stream did not say where to post')
    const clock = setTimeout(() => stream.abort(late), Math.min(this.#options.timeoutMs, ENDPOINT_MS))
    this.#endpoint = undefined
    try {
      await this.#listen(await this.#get(stream.signal), stream.signal)
    } catch (error) {
      stream.abort()
      throw wordsOf(error)
    } finally {
      clearTimeout(clock)
    }
  }

  /** What is asked is delivered when it has been answered: until then it can be lost with the stream. */
  send(message: Sent, headers: HeaderMap = {}, cleared?: Clearance): Promise<void> {
    const { id, method } = message
    return this.#sending.send(message, async (signal) => {
      await this.#post({ message, headers, cleared, signal, waits: 0, isRepeated: false })
      if (id !== undefined && method !== undefined) await this.#answered(id)
    })
  }

  cancel(id: Id, reason: string): void {
    this.#settle()
    cancelByNotification(this, id, reason)
    this.#sending.cancel(id)
  }

  /** Whoever answers and never takes what it was asked would be left a connection for each request. */
  answered(id: Id): void {
    this.#untaken.add(id)
    this.#clock ??= setTimeout(() => {
      this.#clock = undefined
      for (const untaken of this.#untaken) this.#sending.cancel(untaken)
      this.#untaken.clear()
    }, TAKING_MS)
  }

  opened(): void {
    this.#isGreeted = true
  }

  async close(): Promise<void> {
    clearTimeout(this.#clock)
    await this.#sending.close(TAKING_MS)
    this.#stop.abort()
    this.#stream.abort()
    this.#lose(closed())
  }

  async #get(signal: AbortSignal): Promise<FetchedAnswer> {
    const fetching = { method: 'GET', headers: { accept: 'text/event-stream' }, signal } as const
    const response = await fetchFrom(this.#url, fetching, this.#options)
    if (!response.ok) throw await readRefusal(response)
    if (kindOf(response) === 'events') return response
    await discard(response)
    throw new ClientError('nonsense', 'The server answered GET with no stream')
  }

  #listen(response: FetchedAnswer, signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const end = (error: Error) => {
        if (this.#endpoint === undefined) reject(error)
        else if (signal.aborted)
          return // Whoever has ended it knows.
        else if (this.#mayReopen && (error as ClientError).reason === 'lost') this.#broke(error)
        else this.#ear.fail(error)
      }
      this.#hearAll(response, resolve).then(
        () => end(new ClientError('lost', 'The stream of the session ended')),
        (cause: Error) =>
          end(
            cause instanceof ClientError
              ? cause
              : new ClientError('lost', 'The stream of the session broke', { cause }),
          ),
      )
    })
  }

  async #hearAll(response: FetchedAnswer, ready: () => void): Promise<void> {
    for await (const { name, data } of readEvents(bodyOf(response), this.#options)) {
      if (name === 'endpoint' && this.#endpoint === undefined) {
        this.#endpoint = endpointOf(data ?? '', this.#url)
        ready()
      } else if (name === 'message' && data !== undefined) {
        this.#isUnproven &&= !this.#isGreeted
        this.#ear.hear(data)
        this.#settle()
      }
    }
  }

  /** What is lost with a session that was greeted can be had again in another. */
  get #mayReopen(): boolean {
    return this.#isGreeted && !this.#isUnproven
  }

  #broke(error: Error): void {
    this.#stream.abort()
    this.#isGreeted = false
    this.#isUnproven = true
    this.#reopening = this.#reopen(error)
      .catch((failure) => this.#ear.fail(wordsOf(failure)))
      .finally(() => {
        this.#reopening = undefined
      })
    this.#lose(error)
  }

  async #reopen(error: Error): Promise<void> {
    for (let tries = 1; ; tries++) {
      await pause(this.#pace.next(), this.#stop.signal)
      try {
        await this.open()
        this.#pace.done()
        break
      } catch (failure) {
        this.#stop.signal.throwIfAborted()
        if (tries >= this.#options.maxReconnects)
          throw new ClientError('lost', error.message, { cause: failure })
      }
    }
    await this.#ear.reopen()
  }

  async #post(posted: PostedMessage): Promise<void> {
    const { message, signal } = posted
    const next = () => waitFor(posted, () => this.#reopening)
    for (let wait = next(); wait !== undefined; wait = next()) await wait
    if (this.#endpoint === undefined) throw new ClientError('lost', 'The stream did not say where to post')
    const headers = { 'content-type': 'application/json' }
    const fetching = { method: 'POST', headers, body: JSON.stringify(message), signal } as const
    const endpoint = this.#endpoint
    const response = await fetchFrom(endpoint, fetching, this.#options)
    if (response.ok) return discard(response)
    await this.#openAgain(await readRefusal(response), posted, endpoint)
    return this.#post(posted)
  }

  /** What is refused because its session is gone is sent in the next one, once; a stream is left to those who still wait on it. */
  async #openAgain(refusal: ClientError, posted: PostedMessage, endpoint: URL): Promise<void> {
    if (posted.isRepeated || isOpening(posted.message) || !isForgotten(refusal)) throw refusal
    posted.isRepeated = true
    const isOver = () => this.#reopening !== undefined || this.#endpoint !== endpoint
    if (!isOver()) await pause(ENDING_MS, this.#stream.signal).catch(() => {})
    this.#stop.signal.throwIfAborted()
    if (isOver()) return
    if (this.#unanswered.size > 0 || !this.#mayReopen) throw refusal
    this.#broke(refusal)
  }
  #answered(id: Id): Promise<void> {
    if (!this.#ear.awaits(id)) return Promise.resolve() // The answer was quicker than the end of the POST.
    return new Promise((resolve, reject) => this.#unanswered.set(id, { resolve, reject }))
  }

  #settle(): void {
    for (const [id, { resolve }] of this.#unanswered) {
      if (this.#ear.awaits(id)) continue
      this.#unanswered.delete(id)
      resolve()
    }
  }

  #lose(error: Error): void {
    const lost = [...this.#unanswered.values()]
    this.#unanswered.clear()
    for (const { reject } of lost) reject(error)
  }
}
