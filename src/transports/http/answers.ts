import { FAULTS, Fault, type Id, print, type Reply, toWire, type WireError } from '../../kernel/index.ts'
import type { Exchange, HttpHeaders, Refusal } from './exchange.ts'

const JSON_TYPE = { 'content-type': 'application/json' }

/** Whatever is refused is refused in JSON-RPC: never a page, never a stack. */
export function refuse(exchange: Exchange, refused: Refusal, id: Id | null = null): void {
  const { status, error, headers } = refused
  const { hooks } = exchange
  hooks?.turnedAway(exchange, refused)
  const named = id === null && hooks !== undefined ? hooks.unreadableId(exchange) : id
  const reply: Reply = named === undefined ? { jsonrpc: '2.0', error } : { jsonrpc: '2.0', id: named, error }
  exchange.answer(status, { ...JSON_TYPE, ...headers }, print(reply))
}

export function answerJson(exchange: Exchange, status: number, body: string, headers?: HttpHeaders): void {
  exchange.answer(status, headers === undefined ? JSON_TYPE : { ...JSON_TYPE, ...headers }, body)
}

/** Turns a request away with an HTTP status and a sentence: what was wrong, and what would help. */
export function refusal(status: number, message: string, headers?: HttpHeaders): Refusal {
  const error: WireError = { code: FAULTS.invalidRequest.code, message }
  return headers === undefined ? { status, error } : { status, error, headers }
}

/** What a fault says may quote what was sent; the log gets what it has for the log. */
export function refusalOf(status: number, fault: Fault, headers?: HttpHeaders): Refusal {
  const error = toWire(fault)
  const told = fault.logged
  return headers === undefined ? { status, error, told } : { status, error, headers, told }
}

export const CLOSING = refusal(503, 'Service unavailable: the server is closing', { connection: 'close' })

/** Nothing is added to what clients have yet to take. */
export const UNREAD = refusal(
  503,
  'Service unavailable: too many answers wait to be read by their clients (--max-unsent)',
  { connection: 'close', 'retry-after': '1' },
)

/** What cannot be read as text cannot be read as JSON. */
export const NOT_UTF8 = refusalOf(400, new Fault('parseError', 'Parse error: the body is not UTF-8'))
