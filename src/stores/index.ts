import { openByUrl } from '../databases/by-url.ts'
import { placeOf } from '../databases/postgres-url.ts'
import { parseRedisUrl } from '../databases/redis-url.ts'
import { sqlitePath } from '../databases/sqlite-path.ts'
import { type Store, text } from '../kernel/index.ts'
import { MemoryStore } from './memory.ts'
import { openLater } from './opened-later.ts'

/** How a store is opened. */
export interface OpenStoreOptions {
  /** What happens when the folder of a file is missing. */
  readonly folder?: 'must-exist' | 'make'
}

const EXPECTED = 'redis://HOST, postgres://USER:PASSWORD@HOST/DATABASE, sqlite:PATH or memory:'

/**
 * A store by its URL: `redis://…`, `rediss://…`, `postgres://…` or `sqlite:PATH`, opened when it is first used, or `memory:`.
 * @example const server = defineServer({ name: 'sums', version: '1.0.0', store: openStore('redis://127.0.0.1') })
 */
export function openStore(url: string, options: OpenStoreOptions = {}): Store {
  text(url, 'openStore')
  const openers = {
    'sqlite:': (rest: string) => {
      const path = sqlitePath(rest)
      const load = async () => (await import('./sqlite.ts')).openSqliteStore({ ...options, path })
      return openLater(load, `sqlite:${path.replace(/^.*[\\/]/, '')}`)
    },
    'redis:': () => openRedis(url),
    'rediss:': () => openRedis(url),
    'postgres:': () => openPostgres(url),
    'postgresql:': () => openPostgres(url),
    'memory:': () => new MemoryStore(),
  }
  return openByUrl<Store>(url, openers, EXPECTED)
}

function openRedis(url: string): Store {
  parseRedisUrl(url)
  return openLater(async () => (await import('./redis.ts')).openRedisStore(url), withoutSecrets(url))
}

function openPostgres(url: string): Store {
  placeOf(url) // Refuses what is none at once.
  return openLater(
    async () => (await import('./postgres.ts')).openPostgresStore({ url }),
    withoutSecrets(url),
  )
}

/** Where an engine is, and what is ours there: no user, no password, nothing that could be either. */
function withoutSecrets(url: string): string {
  const { protocol, host, pathname, searchParams } = new URL(url)
  const prefix = searchParams.get('prefix')
  return `${protocol}//${host}${pathname}${prefix === null ? '' : `?prefix=${prefix}`}`
}
