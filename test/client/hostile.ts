import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import type { JsonObject } from '../../src/kernel/index.ts'

export interface Heard {
  readonly method: string
  readonly headers: IncomingMessage['headers']
  /** What was posted; nothing by a GET. */
  readonly message: JsonObject & { readonly id?: number; readonly method?: string }
}

export const script = (code: string) => ({ command: process.execPath, args: ['-e', code] })

/** Answers each line by what `answer` makes of it, as a child process. */
export const child = (answer: string) =>
  script(`
  const say = (value) => process.stdout.write(typeof value === 'string' ? value : JSON.stringify(value) + '\\n')
  const opened = { protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo: { name: 'f', version: '1' } }
  require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
    const { id, method, params } = JSON.parse(line)
    const reply = (result) => say({ jsonrpc: '2.0', id, result })
    if (method === 'server/discover') return say({ jsonrpc: '2.0', id, error: { code: -32601, message: 'what?' } })
    if (method === 'initialize') return reply(opened)
    ${answer}
  })`)

/** A server that does whatever a test wants, over HTTP. */
export class FakeServer implements AsyncDisposable {
  readonly heard: Heard[] = []
  readonly url: string
  readonly #close: () => Promise<void>

  private constructor(url: string, close: () => Promise<void>) {
    this.url = url
    this.#close = close
  }

  static async open(answer: (heard: Heard, response: ServerResponse) => unknown): Promise<FakeServer> {
    const take = async (request: IncomingMessage, response: ServerResponse) => {
      const body = await text(request).catch(() => '')
      const message = body === '' ? {} : JSON.parse(body)
      const heard: Heard = { method: request.method ?? '', headers: request.headers, message }
      server.heard.push(heard)
      await answer(heard, response)
    }
    const http = createServer((request, response) => void take(request, response))
    await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve))
    const { port } = http.address() as AddressInfo
    const server: FakeServer = new FakeServer(`http://127.0.0.1:${port}/mcp`, async () => {
      http.closeAllConnections()
      await new Promise((resolve) => http.close(resolve))
    })
    return server
  }

  /** How often a method was posted. */
  count(method: string): number {
    return this.heard.filter((one) => one.message.method === method).length
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#close()
  }
}

export function json(response: ServerResponse, value: unknown, status = 200, headers = {}): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(value))
}

export function events(response: ServerResponse, headers = {}): ServerResponse {
  return response.writeHead(200, { 'content-type': 'text/event-stream', ...headers })
}

export const OPENED = {
  protocolVersion: '2025-11-25',
  capabilities: { tools: {}, resources: { subscribe: true } },
  serverInfo: { name: 'fake', version: '1' },
}

/** What a session needs; gives false for what is left to the test. */
export function handshakes({ method, message }: Heard, response: ServerResponse, session = 'one'): boolean {
  if (message.method === 'server/discover')
    json(response, { jsonrpc: '2.0', id: null, error: { code: -32000, message: 'No session' } }, 400)
  else if (message.method === 'initialize')
    json(response, { jsonrpc: '2.0', id: message.id, result: OPENED }, 200, { 'mcp-session-id': session })
  else if (method === 'DELETE' || (message.id === undefined && message.method !== undefined))
    response.writeHead(202).end()
  else if (method === 'GET' && !response.req.headers['last-event-id']) response.writeHead(405).end()
  else return false
  return true
}

export function result(id: unknown, value: JsonObject): JsonObject {
  return { jsonrpc: '2.0', id, result: value }
}

export const DONE = { content: [{ type: 'text', text: 'done' }] }
