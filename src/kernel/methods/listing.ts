import type { Call } from '../calls/call.ts'
import type { Server } from '../calls/server.ts'
import type { Registry } from '../catalogue/registry.ts'
import type { Offer } from '../catalogue/shelf.ts'
import { checkOptionalString } from '../check/params.ts'
import type { CacheHint } from '../definitions/implementation.ts'
import type { Result } from '../jsonrpc/message.ts'

/**
 * How many servers a list still waits for, in its `_meta`.
 *
 * @example
 * const result = { tools: [], _meta: { [AWAITED]: 2 } }
 * const isWhole = (result._meta[AWAITED] ?? 0) === 0
 */
export const AWAITED = 'perigee/awaited'

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
  return {
    [name]: items,
    ...(nextCursor !== undefined && { nextCursor }),
    ...listCache(call, registry.divided),
    ...awaitedBy(call.server),
  }
}

/** Whoever lists once and leaves is told that more is to come; whoever stays hears that the list has changed. */
function awaitedBy({ relaying }: Server): Result {
  const { size } = relaying.awaited
  return size === 0 ? NOBODY : { _meta: { [AWAITED]: size } }
}

const NOBODY: Result = {}

/**
 * A list that shows each caller what it may use, or what it has made, must not be shared between callers.
 * @example const { ttlMs } = listCache(call)
 */
export function listCache(call: Call, divided = false): CacheHint {
  const { listCache } = call.server.settings
  return call.principal?.scopes === undefined && !divided ? listCache : privateCache(call)
}

/** For a list that not every client is shown alike. */
export function privateCache({ server }: Call): CacheHint {
  return { ...server.settings.listCache, cacheScope: 'private' }
}
