import { FAULTS, isObject, type Reply } from '../../kernel/index.ts'
import type { HttpHeaders } from './exchange.ts'

/** A fault that stopped a request at the door has a status of its own; what a handler says travels in 200. */
const STATUS = new Map<number, number>([
  [FAULTS.parseError.code, 400],
  [FAULTS.missingCapability.code, 400],
  [FAULTS.unsupportedVersion.code, 400],
  [FAULTS.insufficientScope.code, 403],
  [FAULTS.rateLimited.code, 429],
])

export function statusOf(reply: Reply): number {
  return 'error' in reply ? (STATUS.get(reply.error.code) ?? 200) : 200
}

/** A client that calls too often is told when to come back. */
export function headersOf(reply: Reply): HttpHeaders | undefined {
  if (!('error' in reply) || reply.error.code !== FAULTS.rateLimited.code) return undefined
  const { data } = reply.error
  const waitMs = isObject(data) ? Number(data['retryAfterMs']) : 0
  return { 'retry-after': String(Math.max(1, Math.ceil(waitMs / 1000))) }
}
