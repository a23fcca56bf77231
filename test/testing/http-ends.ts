import { once } from 'node:events'
import { readEvents, type StreamEvent } from '../../src/client/wires/events.ts'
import { headersFor } from '../../src/client/wires/request-headers.ts'
import { createFetchHandler, serveHttp } from '../../src/index.ts'
import { type AuthorServer, isObject, type JsonObject } from '../../src/kernel/index.ts'
import type { TransportContract, TransportEnd, TransportOpening } from '../../src/testing/index.ts'

/** A server that is reached by requests, whatever carries these. */
interface Site {
  fetch(path: string, init: RequestInit): Promise<Response>
  close(): Promise<unknown>
}

type Serve = (server: AuthorServer) => Promise<Site>

export async function serveOnPort(server: AuthorServer): Promise<Site> {
  const http = await serveHttp(server)
  return {
    fetch: (path, init) => fetch(new URL(path, http.url), init),
    close: () => http.close(0),
  }
}

export async function serveByFetch(server: AuthorServer): Promise<Site> {
  const handler = createFetchHandler(server, { allowAnonymous: true })
  return {
    fetch: (path, init) => handler(new Request(new URL(path, 'http://127.0.0.1/'), init)),
    close: () => handler.close(0),
  }
}

type Body = string | ReadableStream<Uint8Array>

const BOTH = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' }

/** A client of HTTP: a POST for each message, and what comes of it. */
export abstract class HttpEnd implements TransportEnd {
  protected readonly site: Site
  protected readonly opening: TransportOpening
  /** When all has been heard that comes of what was sent last. */
  answered: Promise<unknown> = Promise.resolve()
  readonly #all = new AbortController()

  constructor(site: Site, opening: TransportOpening) {
    this.site = site
    this.opening = opening
  }

  abstract send(text: string): Promise<void>

  abstract sendPieces(pieces: readonly Uint8Array[]): Promise<void>

  async leave(): Promise<void> {
    this.#all.abort()
  }

  async close(): Promise<void> {
    await this.site.close()
  }

  protected ask(path: string, init: RequestInit, stop?: AbortSignal): Promise<Response> {
    const signals = stop === undefined ? [this.#all.signal] : [this.#all.signal, stop]
    return this.site.fetch(path, { ...init, signal: AbortSignal.any(signals) })
  }

  protected post(
    path: string,
    body: Body,
    more: { readonly [name: string]: string } = {},
    stop?: AbortSignal,
  ): Promise<Response> {
    const duplex = typeof body === 'string' ? {} : { duplex: 'half' as const }
    return this.ask(path, { method: 'POST', headers: { ...BOTH, ...more }, body, ...duplex }, stop)
  }

  /** Hears all there is to hear of a response, be it a message or a stream of them. */
  protected async hear(response: Response): Promise<void> {
    if (response.headers.get('content-type')?.startsWith('text/event-stream')) return this.#hearAll(response)
    const text = await response.text()
    if (text.startsWith('{') || text.startsWith('[')) this.opening.hear(text)
  }

  async #hearAll({ body }: Response): Promise<void> {
    for await (const event of readEvents(body as unknown as AsyncIterable<Uint8Array>, {
      maxMessageBytes: 10_000_000,
    }))
      this.hearEvent(event)
  }

  protected hearEvent({ data = '' }: StreamEvent): void {
    if (data !== '') this.opening.hear(data)
  }

  /** Hears a response while others are asked for; a connection that breaks is an end. */
  protected attend(response: Promise<Response>, done: () => void = () => {}): void {
    this.answered = this.#attended(response, done)
  }

  /** The same for a stream that stays open. */
  protected follow(stream: Promise<Response>): void {
    void this.#attended(stream, () => {})
  }

  #attended(response: Promise<Response>, done: () => void): Promise<void> {
    return response
      .then((one) => this.hear(one))
      .catch(() => {})
      .finally(() => {
        done()
        this.opening.ended()
      })
  }
}

/** A session by its header, with a stream for what belongs to no call. */
export class SessionEnd extends HttpEnd {
  #session: { readonly [name: string]: string } = {}

  async send(text: string): Promise<void> {
    const message = read(text)
    const posted = this.post('/mcp', text, this.#session)
    if (message['method'] === 'initialize') return this.#begin(await posted, message)
    if (isRequest(message)) return this.attend(posted)
    await this.hear(await posted)
  }

  async sendPieces(pieces: readonly Uint8Array[]): Promise<void> {
    this.attend(this.post('/mcp', streamOf(pieces), this.#session))
  }

  async #begin(response: Response, { params }: JsonObject): Promise<void> {
    const id = response.headers.get('mcp-session-id')
    if (id === null) return this.hear(response)
    this.#session = { 'mcp-session-id': id, ...this.versionOf(params) }
    await this.hear(response)
    const headers = { ...this.#session, accept: 'text/event-stream' }
    this.follow(Promise.resolve(await this.ask('/mcp', { headers })))
  }

  protected versionOf(params: unknown): { readonly [name: string]: string } {
    return { 'mcp-protocol-version': isObject(params) ? String(params['protocolVersion']) : '' }
  }

  override async leave(): Promise<void> {
    await super.leave()
    const gone = () => {} // It may have been closed already.
    await this.site.fetch('/mcp', { method: 'DELETE', headers: this.#session }).catch(gone)
  }
}

/** Each request by itself; it is cancelled by leaving it. */
export class StatelessEnd extends HttpEnd {
  readonly #requests = new Map<unknown, AbortController>()

  async send(text: string): Promise<void> {
    const message = read(text)
    if (message['method'] === 'notifications/cancelled')
      return this.#requests.get(isObject(message['params']) && message['params']['requestId'])?.abort()
    this.#post(text, message)
  }

  async sendPieces(pieces: readonly Uint8Array[]): Promise<void> {
    this.#post(streamOf(pieces), read(Buffer.concat(pieces).toString()))
  }

  #post(body: Body, message: JsonObject): void {
    const stop = new AbortController()
    this.#requests.set(message['id'], stop)
    this.attend(this.post('/mcp', body, this.headersOf(message), stop.signal), () =>
      this.#requests.delete(message['id']),
    )
  }

  protected headersOf(message: JsonObject): { readonly [name: string]: string } {
    return headersFor({ jsonrpc: '2.0', ...message }, { id: undefined, revision: undefined })
  }
}

/** A stream to hear on, and POSTs beside it. */
export class PairEnd extends HttpEnd {
  #endpoint = ''
  readonly #found = new EventTarget()

  async open(): Promise<this> {
    const found = once(this.#found, 'endpoint')
    this.follow(this.ask('/sse', { headers: { accept: 'text/event-stream' } }))
    await found
    return this
  }

  async send(text: string): Promise<void> {
    await this.hear(await this.post(this.#endpoint, text))
  }

  async sendPieces(pieces: readonly Uint8Array[]): Promise<void> {
    await this.hear(await this.post(this.#endpoint, streamOf(pieces)))
  }

  protected override hearEvent(event: StreamEvent): void {
    if (event.name !== 'endpoint') return super.hearEvent(event)
    this.#endpoint = event.data ?? ''
    this.#found.dispatchEvent(new Event('endpoint'))
  }
}

type Open = (serve: Serve) => TransportContract['open']

export const openSession: Open = (serve) => async (opening) =>
  new SessionEnd(await serve(opening.server), opening)

export const openStateless: Open = (serve) => async (opening) =>
  new StatelessEnd(await serve(opening.server), opening)

export const openPair: Open = (serve) => async (opening) =>
  new PairEnd(await serve(opening.server), opening).open()

function isRequest(message: JsonObject): boolean {
  return 'method' in message && 'id' in message
}

function read(text: string): JsonObject {
  try {
    const value: unknown = JSON.parse(text)
    return isObject(value) ? value : {}
  } catch {
    return {} // It is unreadable on purpose.
  }
}

function streamOf(pieces: readonly Uint8Array[]): ReadableStream<Uint8Array> {
  return new ReadableStream({
    start(controller) {
      for (const piece of pieces) controller.enqueue(piece)
      controller.close()
    },
  })
}
