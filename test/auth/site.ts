import { request as nodeRequest } from 'node:http'
import { defineServer } from '../../src/authoring/define-server.ts'
import { type ServeHttpOptions, serveHttp } from '../../src/index.ts'
import type {
  JsonObject,
  KernelEvent,
  AuthorMiddleware as Middleware,
  Server,
} from '../../src/kernel/index.ts'

/** What came back. */
export interface Answer {
  readonly status: number
  readonly challenge: string | null
  readonly headers: Headers
  readonly text: string
  readonly body: Body
}

export interface Body {
  readonly id?: unknown
  readonly result?: JsonObject
  readonly error?: { readonly code: number; readonly message: string; readonly data?: unknown }
}

export type RequestHeaders = { readonly [name: string]: string }

export const MODERN = '2026-07-28'
export const HANDSHAKE = '2025-11-25'

/** A server on a port, with something open to all and something for the holders of each scope. */
export class ScopedSite implements AsyncDisposable {
  readonly url: string
  readonly origin: string
  readonly events: KernelEvent[]
  /** The tools that have run. */
  readonly ran: string[]
  readonly #close: () => Promise<unknown>

  private constructor(
    url: string,
    state: { events: KernelEvent[]; ran: string[] },
    close: () => Promise<unknown>,
  ) {
    this.url = url
    this.origin = new URL(url).origin
    this.events = state.events
    this.ran = state.ran
    this.#close = close
  }

  static async open(options: ServeHttpOptions, middleware: readonly Middleware[] = []): Promise<ScopedSite> {
    const state = { events: [] as KernelEvent[], ran: [] as string[] }
    return ScopedSite.serve(createScopedServer(state, middleware), options, state)
  }

  /** The same for a server of one's own. */
  static async serve(
    server: Server,
    options: ServeHttpOptions,
    state = { events: [] as KernelEvent[], ran: [] as string[] },
  ): Promise<ScopedSite> {
    const { url, close } = await serveHttp(server, options)
    return new ScopedSite(url, state, () => close(1000))
  }

  /** Asks without a session. */
  modern(method: string, params: JsonObject = {}, headers: RequestHeaders = {}): Promise<Answer> {
    const name = params['name'] ?? params['uri']
    const _meta = {
      'io.modelcontextprotocol/protocolVersion': MODERN,
      'io.modelcontextprotocol/clientCapabilities': {},
      'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1.0.0' },
      ...(params['_meta'] as JsonObject | undefined), // Nobody gives anything else.
    }
    return this.post(
      { jsonrpc: '2.0', id: 1, method, params: { ...params, _meta } },
      {
        'mcp-protocol-version': MODERN,
        'mcp-method': method,
        ...(name !== undefined && { 'mcp-name': String(name) }),
        ...headers,
      },
    )
  }

  /** Opens a session and gives its id. */
  async open(headers: RequestHeaders, protocolVersion = HANDSHAKE): Promise<string> {
    const params = {
      protocolVersion,
      capabilities: {},
      clientInfo: { name: 'test', version: '1.0.0' },
    }
    const opened = await this.post({ jsonrpc: '2.0', id: 0, method: 'initialize', params }, headers)
    const session = opened.headers.get('mcp-session-id')
    if (session === null) throw new Error(`no session: ${opened.status} ${opened.text}`)
    await this.post(
      { jsonrpc: '2.0', method: 'notifications/initialized' },
      { 'mcp-session-id': session, ...headers },
    )
    return session
  }

  /** Asks within a session. */
  within(session: string, method: string, params: JsonObject, headers: RequestHeaders): Promise<Answer> {
    return this.post(
      { jsonrpc: '2.0', id: 1, method, params },
      { 'mcp-session-id': session, 'mcp-protocol-version': HANDSHAKE, ...headers },
    )
  }

  async post(message: JsonObject, headers: RequestHeaders = {}, query = ''): Promise<Answer> {
    const response = await fetch(`${this.url}${query}`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        ...headers,
      },
      body: JSON.stringify(message),
    })
    return toAnswer(response)
  }

  async get(path: string, headers: RequestHeaders = {}): Promise<Answer> {
    return toAnswer(await fetch(`${this.origin}${path}`, { headers }))
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#close()
  }
}

async function toAnswer(response: Response): Promise<Answer> {
  const text = await response.text()
  const { status, headers } = response
  const isJson = headers.get('content-type')?.startsWith('application/json') === true
  const body = isJson ? (JSON.parse(text) as Body) : {}
  return { status, headers, challenge: headers.get('www-authenticate'), text, body }
}

/** Sends a header in two lines, which `fetch` would join. */
export function postTwice(url: string, header: string, values: readonly string[]): Promise<number> {
  return new Promise((resolve, reject) => {
    const request = nodeRequest(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', [header]: [...values] },
    })
    request.on('response', (response) => {
      response.resume()
      resolve(response.statusCode ?? 0)
    })
    request.on('error', reject)
    request.end(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' }))
  })
}

function createScopedServer(
  { events, ran }: { readonly events: KernelEvent[]; readonly ran: string[] },
  middleware: readonly Middleware[],
) {
  const tool = (name: string, scopes: readonly string[]) => ({
    name,
    scopes,
    run: () => {
      ran.push(name)
      return name
    },
  })
  return defineServer({
    name: 'scoped',
    version: '1.0.0',
    middleware,
    observe: (event: KernelEvent) => void events.push(event),
    tools: [
      tool('hello', []),
      tool('read', ['files:read']),
      tool('move', ['files:read', 'files:write']),
      tool('post', ['mail']),
    ],
    resources: [
      { uri: 'memo://open', name: 'open', read: () => 'open' },
      { uri: 'memo://closed', name: 'closed', scopes: ['memos'], read: () => 'closed' },
    ],
    templates: [{ uriTemplate: 'diary://{day}', name: 'diary', scopes: ['diary'], read: () => 'dear diary' }],
    prompts: [
      { name: 'greet', render: () => 'Greet' },
      { name: 'brief', scopes: ['briefs'], render: () => 'Brief' },
    ],
  })
}
