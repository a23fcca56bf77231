import type { JsonObject } from '../jsonrpc/message.ts'

/** As much of a reason as is handed on to others. */
const LONGEST = 500

/**
 * Why a client calls something off, in its own words, from the params of `notifications/cancelled`.
 * @example cancelReason({ requestId: 1, reason: 'It is too late' }) // It is too late
 */
export function cancelReason(params: JsonObject | undefined): string | undefined {
  const reason = params?.['reason']
  return typeof reason === 'string' ? reason.slice(0, LONGEST) : undefined
}
