import type { Call } from '../calls/call.ts'
import { AWAITED, absentFor, MISSING } from '../calls/relaying.ts'
import type { CacheHint } from '../definitions/implementation.ts'
import type { Result } from '../jsonrpc/message.ts'
import { DEFAULT_SETTINGS } from '../settings.ts'

/** What a list says of itself where others have a part in it. */
export function besideRelayed(name: string, call: Call, own: CacheHint): Result {
  const isWhole = call.server.relaying.awaited.size === 0
  return { ...relayedCache(name, call, own), ...(!isWhole && { ttlMs: 0 }), ...incompleteness(call) }
}

/** Whoever lists once and leaves is told that more is to come, or why not; whoever stays hears that the list has changed. */
function incompleteness({ server, principal }: Call): Result {
  const { awaited, upstreams } = server.relaying
  for (const upstream of upstreams) upstream.asked()
  const absent = absentFor(server.relaying, principal).map(({ name, reason }) => [name, reason])
  const meta = {
    ...(awaited.size > 0 && { [AWAITED]: awaited.size }),
    ...(absent.length > 0 && { [MISSING]: Object.fromEntries(absent) }),
  }
  return Object.keys(meta).length === 0 ? {} : { _meta: meta }
}

/** What others say of their lists counts, each for all of them; what was said for this server counts as well. */
function relayedCache(name: string, { server }: Call, own: CacheHint): CacheHint {
  const { relaying, settings } = server
  const hints = [...relaying.upstreams].flatMap((upstream) => upstream.cacheOf(name) ?? [])
  if (hints.every(({ ttlMs, cacheScope }) => ttlMs === undefined && cacheScope === undefined)) return own
  const isSaid = settings.listCache !== DEFAULT_SETTINGS.listCache
  const all = hints.map((hint) => ({ ...settings.listCache, ...hint }))
  return { ...own, ...strictest([...all, isSaid ? own : { cacheScope: own.cacheScope }]) }
}

/**
 * How long several things keep together, and for whom, as far as something is said of that.
 * @example strictest([{ ttlMs: 5000 }, { ttlMs: 100, cacheScope: 'private' }]) // { ttlMs: 100, cacheScope: 'private' }
 */
export function strictest(hints: readonly Partial<CacheHint>[]): Partial<CacheHint> {
  const times = hints.flatMap(({ ttlMs }) => ttlMs ?? [])
  const scopes = hints.flatMap(({ cacheScope }) => cacheScope ?? [])
  return {
    ...(times.length > 0 && { ttlMs: Math.min(...times) }),
    ...(scopes.length > 0 && { cacheScope: scopes.includes('private') ? 'private' : 'public' }),
  }
}
