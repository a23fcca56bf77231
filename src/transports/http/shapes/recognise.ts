import { findRevision, type Incoming, isObject, META } from '../../../kernel/index.ts'
import type { Exchange } from '../exchange.ts'

export type HttpShape = 'stateless' | 'streamable'

/** The body decides which era a message is of; the header only where the body is silent. */
export function recognise(incoming: Incoming, exchange: Exchange): HttpShape {
  if (incoming.kind === 'batch' ? incoming.entries.some(isModern) : isModern(incoming)) return 'stateless'
  if (incoming.kind === 'request' && incoming.method === 'initialize') return 'streamable'
  const { 'mcp-protocol-version': version = '' } = exchange.headers
  return findRevision(version)?.opening === 'every-request' ? 'stateless' : 'streamable'
}

/** Whether a message names its revision; an `initialize` that names a handshake revision is a handshake. */
function isModern(incoming: Incoming): boolean {
  if (incoming.kind !== 'request' && incoming.kind !== 'notification') return false
  const meta = incoming.params?.['_meta']
  const version = isObject(meta) ? meta[META.protocolVersion] : undefined
  if (version === undefined || incoming.method !== 'initialize') return version !== undefined
  return typeof version !== 'string' || findRevision(version)?.opening !== 'handshake'
}
