import type { Icon } from './content.ts'

/** Who a client or a server is. */
export interface Implementation {
  readonly name: string
  readonly version: string
  readonly title?: string
  readonly description?: string
  readonly websiteUrl?: string
  readonly icons?: readonly Icon[]
}

/** How long a result keeps, and whether it may be shared between callers. */
export interface CacheHint {
  readonly ttlMs: number
  readonly cacheScope: 'public' | 'private'
}
