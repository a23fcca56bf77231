import { once } from 'node:events'
import { type ClientRequest, type IncomingHttpHeaders, type IncomingMessage, request } from 'node:http'
import { connect, type Socket } from 'node:net'
import { type HttpServer, type ServeHttpOptions, serveHttp } from '../../src/index.ts'
import { Inbox } from '../setup/inbox.ts'
import { createSample, type Sample, type Talk } from './sample.ts'

export interface Message {
  readonly jsonrpc?: string
  readonly id?: string | number | null
  readonly method?: string
  readonly params?: { readonly [key: string]: unknown }
  readonly result?: { readonly [key: string]: unknown }
  readonly error?: {
    readonly code: number
    readonly message: string
    readonly data?: { readonly [key: string]: unknown }
  }
}

export interface Answer {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly text: string
  /** The body, which must be JSON. */
  readonly message: Message
}

export interface Asked {
  readonly method?: string
  readonly path?: string
  /** On top of those that a good client sends; undefined leaves one out. */
  readonly headers?: { readonly [name: string]: string | readonly string[] | undefined }
  readonly body?: unknown
}

const JSON_HEADERS = {
  'content-type': 'application/json',
  accept: 'application/json, text/event-stream',
}

/** A server under test on a port of its own; it never outlives the test that disposes of it. */
export class Host implements AsyncDisposable {
  readonly sample: Sample
  readonly http: HttpServer
  readonly #open = new Set<{ destroy(): unknown }>()

  private constructor(sample: Sample, http: HttpServer) {
    this.sample = sample
    this.http = http
  }

  static async start(settings: ServeHttpOptions = {}, sample: Sample = createSample()): Promise<Host> {
    return new Host(sample, await serveHttp(sample.server, settings))
  }

  get port(): number {
    return this.http.port
  }

  /** Sends a request and waits for the whole answer. */
  async send(asked: Asked): Promise<Answer> {
    const sent = this.#request(asked)
    const [response] = (await once(sent, 'response')) as [IncomingMessage]
    return readAnswer(response)
  }

  /** Sends a request whose answer is a stream of events. */
  async stream(asked: Asked): Promise<Events> {
    const sent = this.#request(asked)
    const [response] = (await once(sent, 'response')) as [IncomingMessage]
    if (!String(response.headers['content-type']).startsWith('text/event-stream')) {
      throw new Error(`no stream: ${response.statusCode} ${(await readAnswer(response)).text}`)
    }
    return new Events(response)
  }

  /** A connection on which bytes are sent as they are. */
  async dial(text: string | Uint8Array = ''): Promise<Wire> {
    const socket = connect(this.port, '127.0.0.1')
    this.#open.add(socket)
    await once(socket, 'connect')
    socket.write(text)
    return new Wire(socket)
  }

  /** The next call of `talk`. */
  async talk(): Promise<Talk> {
    const talk = await this.sample.talks.next()
    if (talk === undefined) throw new Error('there is no call')
    return talk
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const one of this.#open) one.destroy()
    await this.http.close(0)
  }

  #request({ method = 'POST', path = '/mcp', headers = {}, body }: Asked): ClientRequest {
    const text = typeof body === 'string' || body instanceof Uint8Array ? body : JSON.stringify(body)
    const all = Object.entries({ ...(method === 'POST' && JSON_HEADERS), ...headers })
    const sent = request({
      host: '127.0.0.1',
      port: this.port,
      agent: false,
      method,
      path,
      headers: Object.fromEntries(all.filter(([, value]) => value !== undefined)) as IncomingHttpHeaders,
    })
    this.#open.add(sent)
    sent.on('error', () => {}) // Whoever waits for the response is told.
    sent.end(text)
    return sent
  }
}

async function readAnswer(response: IncomingMessage): Promise<Answer> {
  const chunks: Buffer[] = []
  for await (const chunk of response) chunks.push(chunk as Buffer)
  const text = Buffer.concat(chunks).toString()
  return {
    status: response.statusCode ?? 0,
    headers: response.headers,
    text,
    get message() {
      return JSON.parse(text)
    },
  }
}

export interface StreamEvent {
  readonly id?: string
  readonly event?: string
  readonly retry?: string
  readonly data?: string
  /** A line that is for nobody. */
  readonly comment?: string
}

/** The events of a stream as they come. */
export class Events {
  readonly response: IncomingMessage
  readonly #events = new Inbox<StreamEvent>()
  #lastId: string | undefined

  constructor(response: IncomingMessage) {
    this.response = response
    void readEvents(response, (event) => this.#events.push(event)).then(() => this.#events.end())
  }

  /** The id of the last event that was taken. */
  get lastId(): string | undefined {
    return this.#lastId
  }

  /** The next event of whatever kind; undefined at the end. */
  async event(): Promise<StreamEvent | undefined> {
    const event = await this.#events.next()
    this.#lastId = event?.id ?? this.#lastId
    return event
  }

  /** The next message; events without data are passed over. */
  async next(): Promise<Message | undefined> {
    for (let event = await this.event(); event !== undefined; event = await this.event()) {
      if (event.data !== undefined && event.data !== '') return JSON.parse(event.data)
    }
    return undefined
  }

  /** All messages up to the end. */
  async rest(): Promise<Message[]> {
    const all: Message[] = []
    for (let one = await this.next(); one !== undefined; one = await this.next()) all.push(one)
    return all
  }

  /** Breaks the connection. */
  destroy(): void {
    this.response.destroy()
  }
}

/** Takes the events of a stream one by one; resolves when it has ended. */
export function readEvents(response: IncomingMessage, take: (event: StreamEvent) => void): Promise<void> {
  let rest = ''
  response.setEncoding('utf8')
  response.on('data', (text: string) => {
    const parts = (rest + text).split('\n\n')
    rest = parts.pop() ?? ''
    for (const part of parts) take(readEvent(part))
  })
  response.on('error', () => {}) // A broken stream has ended.
  return new Promise((resolve) => {
    response.on('close', resolve)
  })
}

function readEvent(text: string): StreamEvent {
  const fields = text.split('\n').map((line) => {
    const [, name = '', value = ''] = /^([a-z]*): ?(.*)$/.exec(line) ?? []
    return [name === '' ? 'comment' : name, value]
  })
  return Object.fromEntries(fields)
}

/** A bare connection. */
export class Wire {
  readonly socket: Socket
  #text = ''
  readonly #closed: Promise<unknown>
  #heard: (() => void) | undefined

  constructor(socket: Socket) {
    this.socket = socket
    this.#closed = new Promise((resolve) => socket.on('close', resolve))
    socket.setEncoding('utf8').on('data', (text: string) => {
      this.#text += text
      this.#heard?.()
    })
    socket.on('error', () => {}) // A reset is an end like any other.
  }

  write(text: string | Uint8Array): void {
    this.socket.write(text)
  }

  /** What has come when it fits the pattern. */
  async until(pattern: RegExp): Promise<string> {
    while (!pattern.test(this.#text) && !this.socket.destroyed) {
      await Promise.race([
        this.#closed,
        new Promise<void>((resolve) => {
          this.#heard = resolve
        }),
      ])
    }
    return this.#text
  }

  /** Everything up to the end of the connection. */
  async all(): Promise<string> {
    await this.#closed
    return this.#text
  }
}
