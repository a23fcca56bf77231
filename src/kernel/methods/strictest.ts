import type { CacheHint } from '../definitions/implementation.ts'

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
