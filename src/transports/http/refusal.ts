import { FAULTS, type Fault, toWire, type WireError } from '../../kernel/index.ts'
import type { HttpHeaders, Refusal } from './exchange.ts'

/**
 * Turns a request away with an HTTP status and a sentence: what was wrong, and what would help.
 * @example
 * await serveHttp(server, {
 *   authenticator: ({ headers }) => (headers['x-key'] === 'k1' ? { id: 'ann' } : refusal(401, 'Send x-key')),
 * })
 */
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
