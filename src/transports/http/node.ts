import { createServer as createNodeServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import type { Server } from '../../kernel/index.ts'
import type { Exchange, HttpHeaders, Refusal, Sink } from './exchange.ts'
import { isLoopback } from './guards.ts'
import { createHttpHandler } from './index.ts'
import { refusal } from './refuse.ts'
import { DEFAULTS, type HttpSettings } from './settings.ts'

export interface ListenSettings extends HttpSettings {
  readonly host: string
  readonly port: number
  /** How long a client may take to send a request. */
  readonly requestMs: number
  /** Says that anybody who can reach this address may call: without it only loopback is served unauthenticated. */
  readonly allowAnonymous: boolean
}

const LISTEN_DEFAULTS: ListenSettings = {
  ...DEFAULTS,
  host: '127.0.0.1',
  port: 0,
  requestMs: 30_000,
  allowAnonymous: false,
}

export interface HttpServer {
  readonly url: string
  readonly port: number
  /** Answers what is under way, for this long at most, and closes; tells whether all of it was answered. */
  close(graceMs?: number): Promise<boolean>
}

/** Serves MCP over HTTP, on this machine alone unless told otherwise. */
export async function serveHttp(server: Server, options: Partial<ListenSettings> = {}): Promise<HttpServer> {
  const settings: ListenSettings = { ...LISTEN_DEFAULTS, ...options }
  refuseOpenDoor(settings)
  const handler = createHttpHandler(server, settings)
  const node = createNodeServer(
    {
      requestTimeout: settings.requestMs,
      headersTimeout: Math.min(settings.requestMs, 10_000),
      connectionsCheckingInterval: Math.min(settings.requestMs, 1_000),
      keepAliveTimeout: 65_000,
      maxHeaderSize: 16 * 1024,
      requireHostHeader: false, // Our own refusal has a JSON-RPC body.
    },
    (request, response) => handler.handle(new NodeExchange(request, response)),
  )
  node.on('clientError', answerClientError)
  node.on('connect', (_request, socket: Socket) => socket.end(printRefusal(405, 'Method not allowed')))
  node.on('upgrade', (_request, socket: Socket) => socket.end(printRefusal(405, 'Method not allowed')))
  await new Promise<void>((resolve, reject) => {
    node.once('error', reject)
    node.listen(settings.port, settings.host, () => {
      node.off('error', reject)
      resolve()
    })
  })
  const { port } = node.address() as AddressInfo // It listens on a port, not on a pipe.
  const name = settings.host.includes(':') ? `[${settings.host}]` : settings.host
  return {
    url: `http://${name}:${port}${settings.path}`,
    port,
    async close(graceMs = 30_000) {
      node.close()
      node.closeIdleConnections()
      const late = new Promise<boolean>((resolve) => setTimeout(resolve, graceMs, false).unref())
      const closed = await Promise.race([handler.close().then(() => true), late])
      node.closeAllConnections()
      return closed
    },
  }
}

function refuseOpenDoor({ host, authenticator, allowAnonymous }: ListenSettings): void {
  if (isLoopback(host) || authenticator !== undefined || allowAnonymous) return
  throw new Error(
    `host: ${host} can be reached from other machines; set up keys or tokens first, or allow anonymous callers explicitly`,
  )
}

class NodeExchange implements Exchange {
  readonly method: string
  readonly path: string
  readonly query: string
  readonly #request: IncomingMessage
  readonly #response: ServerResponse

  constructor(request: IncomingMessage, response: ServerResponse) {
    this.#request = request
    this.#response = response
    const url = request.url ?? '/'
    const mark = url.indexOf('?')
    this.method = request.method ?? ''
    this.path = mark < 0 ? url : url.slice(0, mark)
    this.query = mark < 0 ? '' : url.slice(mark + 1)
  }

  get local() {
    const { localAddress = '', localPort = 0 } = this.#request.socket
    return { address: localAddress, port: localPort }
  }

  /** Node gives the first of several where there should be one; a request with two is trying something. */
  header(name: string): string | undefined {
    if (name === 'host' || name === 'authorization') return this.#request.headersDistinct[name]?.join(', ')
    const value = this.#request.headers[name]
    return Array.isArray(value) ? value.join(', ') : value
  }

  readBody(limit: number, done: (body: string | Refusal) => void): void {
    const request = this.#request
    const tooLarge = () =>
      refusal(413, `Content too large: a body may have ${limit} bytes`, { connection: 'close' })
    if (Number(request.headers['content-length'] ?? 0) > limit) return done(tooLarge())
    const chunks: Buffer[] = []
    let length = 0
    let settled = false
    const settle = (body: string | Refusal) => {
      if (!settled) done(body)
      settled = true
    }
    request.on('data', (chunk: Buffer) => {
      length += chunk.length
      if (length > limit) {
        request.pause()
        settle(tooLarge())
      } else chunks.push(chunk)
    })
    request.on('end', () => settle(decode(chunks)))
    request.on('error', () => settle(refusal(400, 'Bad request: the body did not arrive whole')))
  }

  answer(status: number, headers: HttpHeaders, body?: string): void {
    const response = this.#response
    if (response.headersSent || response.destroyed) return
    const length = body === undefined ? 0 : Buffer.byteLength(body)
    response.writeHead(status, status === 204 ? headers : { ...headers, 'content-length': length })
    response.end(body)
  }

  stream(headers: HttpHeaders): Sink {
    const response = this.#response
    if (!response.headersSent) {
      response.writeHead(200, headers)
      response.flushHeaders()
    }
    return {
      write: (text) => void (response.writable && response.write(text)),
      get unread() {
        return response.writableLength
      },
      end: () => void response.end(),
      destroy: () => void response.destroy(),
    }
  }

  onGone(run: () => void): void {
    this.#response.on('close', () => {
      if (!this.#response.writableFinished) run()
    })
  }
}

const UTF8 = new TextDecoder('utf-8', { fatal: true })

function decode(chunks: readonly Buffer[]): string | Refusal {
  try {
    return UTF8.decode(chunks.length === 1 ? chunks[0] : Buffer.concat(chunks))
  } catch {
    return refusal(400, 'Bad request: the body is not UTF-8')
  }
}

const CLIENT_ERRORS: { readonly [code: string]: readonly [number, string] } = {
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'Request timeout'],
  HPE_HEADER_OVERFLOW: [431, 'Request header fields too large'],
}

function answerClientError(error: NodeJS.ErrnoException, socket: Socket): void {
  if (!socket.writable || error.code === 'ECONNRESET') return void socket.destroy()
  const [status, message] = CLIENT_ERRORS[error.code ?? ''] ?? [400, 'Bad request']
  socket.end(printRefusal(status, message))
}

/** For requests that never became an exchange. */
function printRefusal(status: number, message: string): string {
  const body = JSON.stringify({ jsonrpc: '2.0', id: null, error: refusal(status, message).error })
  return `HTTP/1.1 ${status} ${message}\r\ncontent-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\nconnection: close\r\n\r\n${body}`
}
