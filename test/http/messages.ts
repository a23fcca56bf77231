import type { Asked, Host, Message } from './host.ts'

export const META = 'io.modelcontextprotocol/'
export const MODERN = '2026-07-28'
export const HANDSHAKES = ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25'] as const
export type Handshake = (typeof HANDSHAKES)[number]

export interface ModernOptions {
  readonly id?: string | number
  readonly meta?: { readonly [key: string]: unknown } | undefined
  readonly headers?: Asked['headers']
}

/** A request of 2026-07-28 as a good client sends it, but for what the test changes. */
export function modern(
  method: string,
  params: { readonly [key: string]: unknown } = {},
  { id = 1, meta = {}, headers = {} }: ModernOptions = {},
): Asked {
  const _meta = { [`${META}protocolVersion`]: MODERN, [`${META}clientCapabilities`]: {}, ...meta }
  const name = params['name'] ?? params['uri']
  return {
    headers: {
      'mcp-protocol-version': MODERN,
      'mcp-method': method,
      ...(typeof name === 'string' && { 'mcp-name': name }),
      ...headers,
    },
    body: { jsonrpc: '2.0', id, method, params: { ...params, _meta } },
  }
}

export function callModern(name: string, args: object = {}, options: ModernOptions = {}): Asked {
  return modern('tools/call', { name, arguments: args }, options)
}

export function call(id: string | number, name: string, args: object = {}, meta?: object): object {
  const params = { name, arguments: args, ...(meta !== undefined && { _meta: meta }) }
  return { jsonrpc: '2.0', id, method: 'tools/call', params }
}

export function initialize(version: string = '2025-11-25', capabilities: object = {}): object {
  const params = { protocolVersion: version, capabilities, clientInfo: { name: 'test', version: '1' } }
  return { jsonrpc: '2.0', id: 'open', method: 'initialize', params }
}

export const INITIALIZED = { jsonrpc: '2.0', method: 'notifications/initialized' }

/** Opens a session; gives the headers that belong to it. */
export async function openSession(
  host: Host,
  version: string = '2025-11-25',
  capabilities: object = {},
): Promise<{ readonly 'mcp-session-id': string }> {
  const { headers } = await host.send({ body: initialize(version, capabilities) })
  const session = { 'mcp-session-id': String(headers['mcp-session-id']) }
  await host.send({ headers: session, body: INITIALIZED })
  return session
}

export function getStream(session: object, lastEventId?: string): Asked {
  const headers = { accept: 'text/event-stream', ...session }
  return {
    method: 'GET',
    headers: lastEventId === undefined ? headers : { ...headers, 'last-event-id': lastEventId },
  }
}

export function textOf(message: Message | undefined): unknown {
  const content = message?.result?.['content'] as readonly { readonly text?: string }[] | undefined
  return content?.[0]?.text
}

/** A POST as bytes. */
export function printRequest(host: Pick<Host, 'port'>, { path = '/mcp', headers = {}, body }: Asked): string {
  const text = JSON.stringify(body)
  const lines = Object.entries({
    host: `127.0.0.1:${host.port}`,
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(text),
    ...headers,
  })
  return `POST ${path} HTTP/1.1\r\n${lines.map((line) => `${line.join(': ')}\r\n`).join('')}\r\n${text}`
}
