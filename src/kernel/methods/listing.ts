import type { Call } from '../calls/call.ts'
import { absentFor } from '../calls/relaying.ts'
import type { Registry } from '../catalogue/registry.ts'
import type { Offer } from '../catalogue/shelf.ts'
import { checkOptionalString } from '../check/params.ts'
import type { CacheHint } from '../definitions/implementation.ts'
import type { Result } from '../jsonrpc/message.ts'
import { DEFAULT_SETTINGS } from '../settings.ts'
import { strictest } from './strictest.ts'

/**
 * How many servers a list still waits for, in its `_meta`.
 *
 * @example
 * const result = { tools: [], _meta: { [AWAITED]: 2 } }
 * const isWhole = (result._meta[AWAITED] ?? 0) === 0
 */
export const AWAITED = 'perigee/awaited'

/**
 * Why a list is without what some servers would have on it, by their names, in its `_meta`; and why a tool that is
 * called is not there, in that of the answer.
 *
 * @example
 * const result = { tools: [], _meta: { [MISSING]: { github: 'github cannot be reached (timed out), next try in 4 s' } } }
 * const reasons = Object.values(result._meta[MISSING] ?? {})
 */
export const MISSING = 'perigee/missing'

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
    ...relayedCache(name, call, listCache(call, registry.divided)),
    ...incompleteness(call),
  }
}

/** Whoever lists once and leaves is told that more is to come, or why not; whoever stays hears that the list has changed. */
function incompleteness({ server, principal }: Call): Result {
  const { awaited, upstreams } = server.relaying
  if (upstreams.size === 0) return WHOLE
  for (const upstream of upstreams) upstream.asked()
  const absent = absentFor(server.relaying, principal).map(({ name, reason }) => [name, reason])
  const meta = {
    ...(awaited.size > 0 && { [AWAITED]: awaited.size }),
    ...(absent.length > 0 && { [MISSING]: Object.fromEntries(absent) }),
  }
  return Object.keys(meta).length === 0 ? WHOLE : { _meta: meta }
}

const WHOLE: Result = {}

/** What others say of their lists counts, each for all of them; what was said for this server counts as well. */
function relayedCache(name: string, { server }: Call, own: CacheHint): CacheHint {
  const { relaying, settings } = server
  if (relaying.upstreams.size === 0) return own
  const hints = [...relaying.upstreams].flatMap((upstream) => upstream.cacheOf(name) ?? [])
  if (hints.every(({ ttlMs, cacheScope }) => ttlMs === undefined && cacheScope === undefined)) return own
  const isSaid = settings.listCache !== DEFAULT_SETTINGS.listCache
  const all = hints.map((hint) => ({ ...settings.listCache, ...hint }))
  return { ...own, ...strictest([...all, isSaid ? own : { cacheScope: own.cacheScope }]) }
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
