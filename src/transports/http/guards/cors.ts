import type { Exchange, HttpHeaders } from '../exchange.ts'
import type { HttpSettings } from '../settings.ts'

const ALLOWED_HEADERS = [
  'Authorization',
  'Content-Type',
  'Accept',
  'MCP-Protocol-Version',
  'Mcp-Method',
  'Mcp-Name',
  'Mcp-Session-Id',
  'Last-Event-ID',
]

/** Only origins that were named get to read our answers in a browser. */
export function corsHeaders(exchange: Exchange, { allowedOrigins }: HttpSettings): HttpHeaders | undefined {
  const origin = exchange.headers['origin']
  if (origin === undefined || !allowedOrigins.includes(origin)) return undefined
  return {
    'access-control-allow-origin': origin,
    'access-control-expose-headers': 'Mcp-Session-Id, WWW-Authenticate',
    vary: 'Origin',
  }
}

/** The question a browser asks before it sends a request. */
export function answerPreflight(
  exchange: Exchange,
  headers: HttpHeaders,
  parameters: readonly string[],
): void {
  exchange.answer(204, {
    ...headers,
    'access-control-allow-methods': 'POST, GET, DELETE, OPTIONS',
    'access-control-allow-headers': [...ALLOWED_HEADERS, ...parameters].join(', '),
    'access-control-max-age': '600',
  })
}
