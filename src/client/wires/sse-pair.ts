import type { Id } from '../../kernel/index.ts'
import { ClientError } from '../errors.ts'
import type { Ear, OpenWire, Sent, Wire } from '../wire.ts'
import { cancelByNotification } from './cancel.ts'
import { readEvents } from './events.ts'
import { bodyOf, discard, type FetchOptions, fetchFrom, kindOf, readRefusal, wordsOf } from './fetching.ts'
import { Sending } from './sending.ts'

/** How long a stream may take to say where to post. */
const ENDPOINT_MS = 5000

/** The pair of 2024-11-05: everything is heard on one stream, whose first event says where to speak. */
export function ssePairWire(url: URL, options: FetchOptions): OpenWire {
  return async (ear) => {
    const stop = new AbortController()
    const late = new ClientError('timed-out', 'The stream did not say where to post')
    const clock = setTimeout(() => stop.abort(late), Math.min(options.timeoutMs, ENDPOINT_MS))
    try {
      const response = await fetchFrom(
        url,
        { method: 'GET', headers: { accept: 'text/event-stream' }, signal: stop.signal },
        options,
      )
      if (!response.ok) throw await readRefusal(response)
      if (kindOf(response) !== 'events') {
        await discard(response)
        throw new ClientError('nonsense', 'The server answered GET with no stream')
      }
      const wire = new SsePairWire(options, ear, stop)
      await wire.listen(response, url)
      return wire
    } catch (error) {
      stop.abort()
      throw wordsOf(error)
    } finally {
      clearTimeout(clock)
    }
  }
}

class SsePairWire implements Wire {
  readonly #options: FetchOptions
  readonly #ear: Ear
  readonly #stop: AbortController
  readonly #sending: Sending
  #endpoint: URL | undefined

  constructor(options: FetchOptions, ear: Ear, stop: AbortController) {
    this.#options = options
    this.#ear = ear
    this.#stop = stop
    this.#sending = new Sending(ear, options.timeoutMs)
  }

  /** Resolves when the stream has said where to post, and goes on hearing. */
  listen(response: Response, url: URL): Promise<void> {
    return new Promise((resolve, reject) => {
      const end = (error: Error) => {
        reject(error)
        if (!this.#stop.signal.aborted) this.#ear.fail(error)
      }
      this.#hearAll(response, url, resolve).then(
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

  async #hearAll(response: Response, url: URL, ready: () => void): Promise<void> {
    for await (const { name, data } of readEvents(bodyOf(response), this.#options.maxMessageBytes)) {
      if (name === 'endpoint' && this.#endpoint === undefined) {
        this.#endpoint = endpointOf(data ?? '', url)
        ready()
      } else if (name === 'message' && data !== undefined) this.#ear.hear(data)
    }
  }

  send(message: Sent): Promise<void> {
    return this.#sending.send(message, (signal) => this.#post(message, signal))
  }

  cancel(id: Id, reason: string): void {
    cancelByNotification(this, id, reason)
    this.#sending.cancel(id)
  }

  opened(): void {}

  async close(): Promise<void> {
    this.#stop.abort()
    this.#sending.close()
  }

  async #post(message: Sent, signal: AbortSignal): Promise<void> {
    if (this.#endpoint === undefined) throw new ClientError('lost', 'The stream did not say where to post')
    const headers = { 'content-type': 'application/json' }
    const fetching = { method: 'POST', headers, body: JSON.stringify(message), signal } as const
    const response = await fetchFrom(this.#endpoint, fetching, this.#options)
    if (!response.ok) throw await readRefusal(response)
    await discard(response)
  }
}

/** Another host is not posted to, for what is posted is meant for this one. */
function endpointOf(data: string, url: URL): URL {
  if (!URL.canParse(data, url.href)) throw new ClientError('nonsense', 'The stream did not say where to post')
  const endpoint = new URL(data, url)
  if (endpoint.origin === url.origin) return endpoint
  throw new ClientError('refused', `${url.origin} wants its clients to post to ${endpoint.origin}`)
}
