import { FAULTS, type Fault, type Id, print, toWire, type WireError } from '../../kernel/index.ts'
import type { Exchange, HttpHeaders, Refusal } from './exchange.ts'

const JSON_TYPE = { 'content-type': 'application/json' }

/** Whatever is refused is refused in JSON-RPC: never a page, never a stack. */
export function refuse(exchange: Exchange, { status, error, headers }: Refusal, id: Id | null = null): void {
  exchange.answer(status, { ...JSON_TYPE, ...headers }, print({ jsonrpc: '2.0', id, error }))
}

export function answerJson(exchange: Exchange, status: number, body: string, headers?: HttpHeaders): void {
  exchange.answer(status, headers === undefined ? JSON_TYPE : { ...JSON_TYPE, ...headers }, body)
}

export function refusal(status: number, message: string, headers?: HttpHeaders): Refusal {
  const error: WireError = { code: FAULTS.invalidRequest.code, message }
  return headers === undefined ? { status, error } : { status, error, headers }
}

export function refusalOf(status: number, fault: Fault, headers?: HttpHeaders): Refusal {
  const error = toWire(fault)
  return headers === undefined ? { status, error } : { status, error, headers }
}
