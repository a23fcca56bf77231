import { type CacheHint, type JsonObject, strictest } from '../../kernel/index.ts'
import type { ListOf } from './listing.ts'

export type ListCaches = { readonly [list in ListOf]?: Partial<CacheHint> }

/** For how long lists are good of whoever cannot tell that they have changed, whatever it says. */
const [SHORTEST_MS, LONGEST_MS] = [1000, 60_000]

/** What a result says of how long it keeps, and for whom. */
export function hintOf({ ttlMs, cacheScope }: JsonObject): Partial<CacheHint> {
  return {
    ...(typeof ttlMs === 'number' && ttlMs >= 0 && Number.isFinite(ttlMs) && { ttlMs }),
    ...((cacheScope === 'public' || cacheScope === 'private') && { cacheScope }),
  }
}

/** After how long lists are read again of which nobody tells that they have changed. */
export function lifetimeOf(caches: ListCaches): number {
  const { ttlMs = LONGEST_MS } = strictest(Object.values(caches))
  return Math.min(Math.max(ttlMs, SHORTEST_MS), LONGEST_MS)
}

/** The list that has this name in the protocol. */
export function toList(name: string): ListOf {
  return name === 'resourceTemplates' ? 'templates' : (name as ListOf) // The others are called the same.
}
