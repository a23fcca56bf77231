import type { Call } from '../calls/call.ts'
import type { Registry } from '../catalogue/registry.ts'
import type { Offer } from '../catalogue/shelf.ts'
import { checkOptionalString } from '../check/params.ts'
import type { CacheHint } from '../definitions/implementation.ts'
import type { Result } from '../jsonrpc/message.ts'

/** One page of a list, under the name it has in the protocol. */
export function listPage<Definition, Item extends Offer>(
  name: string,
  registry: Registry<Definition, Item>,
  call: Call,
): Result {
  const cursor = checkOptionalString(call.params, 'cursor')
  const { items, nextCursor } = registry.page({
    revision: call.peer.revision,
    cursor,
    principal: call.principal,
  })
  return {
    [name]: items,
    ...(nextCursor !== undefined && { nextCursor }),
    ...listCache(call, registry.divided),
  }
}

/** A list that shows each caller what it may use, or what it has made, must not be shared between callers. */
export function listCache(call: Call, divided = false): CacheHint {
  const { listCache } = call.server.settings
  return call.principal?.scopes === undefined && !divided
    ? listCache
    : { ...listCache, cacheScope: 'private' }
}
