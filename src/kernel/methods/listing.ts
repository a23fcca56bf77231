import type { Call } from '../calls/call.ts'
import type { Registry } from '../catalogue/registry.ts'
import type { Offer } from '../catalogue/shelf.ts'
import { checkOptionalString } from '../check/params.ts'
import type { CacheHint } from '../definitions/implementation.ts'
import type { Result } from '../jsonrpc/message.ts'
import { besideRelayed } from './relayed-list.ts'

/** Who lists, and which of the things, where not all of them are listed. */
export interface ListRequest<Item> {
  readonly call: Call
  readonly only?: ((item: Item) => boolean) | undefined
}

/** One page of a list, under the name it has in the protocol. */
export function listPage<Definition, Item extends Offer>(
  name: string,
  registry: Registry<Definition, Item>,
  { call, only }: ListRequest<Item>,
): Result {
  const cursor = checkOptionalString(call.params, 'cursor')
  const { items, nextCursor } = registry.page({
    revision: call.peer.revision,
    cursor,
    principal: call.principal,
    only,
  })
  const cache = listCache(call, registry.divided)
  return {
    [name]: items,
    ...(nextCursor !== undefined && { nextCursor }),
    ...(call.server.relaying.upstreams.size === 0 ? cache : besideRelayed(name, call, cache)),
  }
}

/**
 * A list that shows each caller what it may use, or what it has made, must not be shared between callers.
 * @example const { ttlMs } = listCache(call)
 */
export function listCache(call: Call, divided = false): CacheHint {
  const { listCache } = call.server.settings
  return call.principal?.scopes === undefined && !divided
    ? listCache
    : { ...listCache, cacheScope: 'private' }
}
