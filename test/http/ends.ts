import { type ClientRequest, type IncomingMessage, request } from 'node:http'
import { setImmediate } from 'node:timers/promises'
import { type HttpServer, serveHttp } from '../../src/index.ts'
import type { Server } from '../../src/kernel/index.ts'
import { isObject, type JsonObject } from '../../src/kernel/index.ts'
import { Inbox } from '../setup/inbox.ts'
import type { End } from '../transcripts/play.ts'
import { FIRST_WITHOUT_HANDSHAKE, type RevisionId } from '../transcripts/revisions.ts'
import { readEvents } from './host.ts'

const META_VERSION = 'io.modelcontextprotocol/protocolVersion'

/** Plays a transcript over HTTP: one POST a line, in the order of the lines. */
abstract class HttpEnd implements End {
  readonly heard = new Inbox<string>()
  readonly names = {}
  protected readonly http: HttpServer
  readonly #revision: RevisionId
  readonly #arrivals: Arrivals
  readonly #open = new Set<ClientRequest>()
  #said: Promise<unknown> = Promise.resolve()

  constructor(http: HttpServer, revision: RevisionId, arrivals: Arrivals) {
    this.http = http
    this.#revision = revision
    this.#arrivals = arrivals
  }

  say(line: string): void {
    this.#said = this.#said.then(() => this.send(line))
  }

  async finish(): Promise<void> {
    await this.#said
    for (let turn = 0; turn < 10; turn++) await setImmediate()
  }

  async close(): Promise<void> {
    for (const one of this.#open) one.destroy()
    await this.http.close(0)
  }

  protected abstract send(line: string): Promise<void>

  /** Posts a line; goes on when it has been answered, or when the server is at work on it. */
  protected async post(path: string, line: string, headers: object = {}): Promise<Posted> {
    const atWork = this.#arrivals.next()
    const posted = this.ask('POST', path, { 'content-type': 'application/json', ...headers }, line)
    await Promise.race([posted.answered, atWork])
    return posted
  }

  protected ask(method: string, path: string, headers: object, body?: string): Posted {
    const accept = method === 'GET' ? 'text/event-stream' : 'application/json, text/event-stream'
    const sent = request({
      host: '127.0.0.1',
      port: this.http.port,
      agent: false,
      method,
      path,
      headers: { accept, ...headers },
    })
    this.#open.add(sent)
    const opened = new Promise<IncomingMessage | undefined>((resolve) => {
      sent.on('response', resolve)
      sent.on('error', () => resolve(undefined)) // We have broken it ourselves.
    })
    const answered = opened.then((response) => (response === undefined ? undefined : this.#listen(response)))
    sent.end(body)
    return { sent, opened, answered }
  }

  /** Hears all that comes on a connection. */
  async #listen(response: IncomingMessage): Promise<void> {
    if (response.headers['content-type'] === 'text/event-stream') {
      const events = readEvents(response, ({ event, data }) => this.hear(event, data ?? ''))
      return events
    }
    const chunks: Buffer[] = []
    for await (const chunk of response) chunks.push(chunk as Buffer)
    const text = Buffer.concat(chunks).toString()
    if (text.startsWith('{') || text.startsWith('['))
      this.heard.push(this.#revision < '2025-11-25' ? text : withoutNull(text))
  }

  protected hear(_event: string | undefined, data: string): void {
    if (data !== '') this.heard.push(data)
  }
}

/** Transcripts leave out an id that could not be read, where the revision does; over HTTP it is always null. */
function withoutNull(text: string): string {
  const message = readMessage(text)
  return message['id'] === null ? JSON.stringify({ ...message, id: undefined }) : text
}

interface Posted {
  readonly sent: ClientRequest
  readonly opened: Promise<IncomingMessage | undefined>
  /** When all of the answer has been heard. */
  readonly answered: Promise<unknown>
}

/** One POST a request, and nothing else. */
class PostOnlyEnd extends HttpEnd {
  readonly #posted = new Map<unknown, Posted>()

  protected async send(line: string): Promise<void> {
    const message = readMessage(line)
    const params = isObject(message['params']) ? message['params'] : {}
    if (message['method'] === 'notifications/cancelled')
      return void this.#posted.get(params['requestId'])?.sent.destroy()
    const posted = await this.post(this.http.url.replace(/^.*\//, '/'), line, modernHeaders(message, params))
    this.#posted.set(message['id'], posted)
  }
}

function modernHeaders(message: JsonObject, params: JsonObject): object {
  const meta = isObject(params['_meta']) ? params['_meta'] : {}
  const name = params['name'] ?? params['uri'] ?? params['taskId']
  return {
    'mcp-protocol-version': String(meta[META_VERSION] ?? FIRST_WITHOUT_HANDSHAKE),
    'mcp-method': String(message['method']),
    ...(typeof name === 'string' && { 'mcp-name': `=?base64?${Buffer.from(name).toString('base64')}?=` }),
  }
}

/** A session by header, with its GET stream open. */
class StreamableEnd extends HttpEnd {
  #session: object = {}

  protected async send(line: string): Promise<void> {
    const message = readMessage(line)
    const posted = await this.post('/mcp', line, this.#session)
    if (message['method'] !== 'initialize') return
    const response = await posted.opened
    const id = response?.headers['mcp-session-id']
    if (id === undefined) return
    this.#session = { 'mcp-session-id': id }
    await posted.answered
    await this.ask('GET', '/mcp', this.#session).opened
  }
}

/** A stream to hear on, and POSTs beside it. */
class PairEnd extends HttpEnd {
  #endpoint: string | undefined
  #opened: () => void = () => {}

  protected async send(line: string): Promise<void> {
    if (this.#endpoint === undefined) await this.#open()
    const posted = await this.post(this.#endpoint ?? '', line)
    await posted.answered
  }

  #open(): Promise<void> {
    return new Promise((resolve) => {
      this.#opened = resolve
      this.ask('GET', '/sse', {})
    })
  }

  protected override hear(event: string | undefined, data: string): void {
    if (event !== 'endpoint') return super.hear(event, data)
    this.#endpoint = data
    this.#opened()
  }
}

const ENDS = { 'post-only': PostOnlyEnd, streamable: StreamableEnd, 'sse-pair': PairEnd }

export type Shape = keyof typeof ENDS

/** The shapes in which a revision is spoken over HTTP. */
export function shapesOf(revision: RevisionId): readonly Shape[] {
  if (revision === FIRST_WITHOUT_HANDSHAKE) return ['post-only']
  return revision === '2024-11-05' ? ['streamable', 'sse-pair'] : ['streamable']
}

export async function openHttp(server: Server, shape: Shape, revision: RevisionId): Promise<End> {
  const arrivals = new Arrivals()
  return new ENDS[shape](await serveHttp(arrivals.watch(server)), revision, arrivals)
}

/** Tells when a message has got as far as the server, and keeps it at work. */
class Arrivals {
  #arrived: () => void = () => {}

  next(): Promise<void> {
    return new Promise((resolve) => {
      this.#arrived = resolve
    })
  }

  watch(server: Server): Server {
    const open: Server['open'] = (opening) => {
      const link = server.open(opening)
      const receive = link.receive.bind(link)
      link.receive = (...args) => {
        const answered = receive(...args)
        if (!answered) this.#arrived()
        return answered
      }
      return link
    }
    return new Proxy(server, {
      get: (target, key) => (key === 'open' ? open : Reflect.get(target, key)),
    })
  }
}

function readMessage(line: string): JsonObject {
  try {
    const message: unknown = JSON.parse(line)
    return isObject(message) ? message : {}
  } catch {
    return {}
  }
}
