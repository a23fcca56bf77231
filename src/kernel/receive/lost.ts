import { ownerOf } from '../callers/audience.ts'
import type { Principal } from '../callers/principal.ts'
import type { Server } from '../calls/server.ts'
import { findString } from '../check/params.ts'
import { FAULTS } from '../faults.ts'
import type { Id, Reply, Request } from '../jsonrpc/message.ts'

/**
 * A call that nobody works on any more.
 * @example const lost: LostCall = { id: 1, retry: true }
 */
export interface LostCall {
  readonly id: Id
  /** Whether it does no harm to call again. */
  readonly retry: boolean
}

/**
 * What can be told of a call that has begun and is lost.
 * @example const lost = describeLost(call.request, call.server, call.principal)
 */
export function describeLost(
  { id, method, params }: Request,
  server: Server,
  principal: Principal | undefined,
): LostCall {
  if (method !== 'tools/call') return { id, retry: true }
  const tool = server.tools.find(findString(params, 'name') ?? '', ownerOf(principal))
  return { id, retry: tool?.repeatable === true }
}

/**
 * The error that it gets.
 * @example const reply = lostReply({ id: 1, retry: true }, 'is closing')
 */
export function lostReply({ id, retry }: LostCall, how: 'is gone' | 'is closing'): Reply {
  const what = `The server that ran this call ${how}`
  const message = retry ? `${what}: call again` : `${what}: it may have been carried out or not`
  return { jsonrpc: '2.0', id, error: { code: FAULTS.internalError.code, message, data: { retry } } }
}
