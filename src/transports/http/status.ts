import { FAULTS, isObject, type Outgoing, type WireError } from '../../kernel/index.ts'
import type { HttpHeaders } from './exchange.ts'

/** A fault that stopped a request at the door has a status of its own; what a handler says travels in 200. */
const STATUS = new Map<number, number>([
  [FAULTS.parseError.code, 400],
  [FAULTS.missingCapability.code, 400],
  [FAULTS.unsupportedVersion.code, 400],
  [FAULTS.insufficientScope.code, 403],
  [FAULTS.rateLimited.code, 429],
])

export function statusOf(reply: Outgoing): number {
  const error = errorOf(reply)
  return error === undefined ? 200 : (STATUS.get(error.code) ?? 200)
}

/** A client that calls too often is told when to come back. */
export function headersOf(reply: Outgoing): HttpHeaders | undefined {
  const error = errorOf(reply)
  if (error?.code !== FAULTS.rateLimited.code) return undefined
  const { data } = error
  const waitMs = isObject(data) ? Number(data['retryAfterMs']) : 0
  return { 'retry-after': String(Math.max(1, Math.ceil(waitMs / 1000))) }
}

/** What answers a batch has no one status. */
function errorOf(reply: Outgoing): WireError | undefined {
  return 'error' in reply && 'jsonrpc' in reply ? reply.error : undefined
}
