import type { Id } from '../../kernel/index.ts'
import type { Wire } from '../wire.ts'

/** Where all messages share a way, a request is called off by another message. */
export function cancelByNotification(wire: Pick<Wire, 'send'>, requestId: Id, reason: string): void {
  const called = wire.send({
    jsonrpc: '2.0',
    method: 'notifications/cancelled',
    params: { requestId, reason },
  })
  called.catch(() => {}) // A server that does not read would not hear of it either.
}
