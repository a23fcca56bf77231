import { findRevision, type Incoming, isObject, META } from '../../kernel/index.ts'
import type { Exchange } from './exchange.ts'

export type Shape = 'post-only' | 'streamable'

/** The body decides which era a request is of; the header only where the body is silent. */
export function recognise(incoming: Incoming, exchange: Exchange): Shape {
  if (incoming.kind === 'request') {
    const meta = incoming.params?.['_meta']
    const version = isObject(meta) ? meta[META.protocolVersion] : undefined
    if (version !== undefined) return isHandshake(incoming.method, version) ? 'streamable' : 'post-only'
    if (incoming.method === 'initialize') return 'streamable'
  }
  return findRevision(exchange.header('mcp-protocol-version') ?? '')?.opening === 'every-request'
    ? 'post-only'
    : 'streamable'
}

/** An `initialize` that names a handshake revision is a handshake, wherever it names it. */
function isHandshake(method: string, version: unknown): boolean {
  return (
    method === 'initialize' && typeof version === 'string' && findRevision(version)?.opening === 'handshake'
  )
}
