/** Where a Redis server is, and how to get in. */
export interface RedisAddress {
  readonly host: string
  readonly port: number
  readonly username: string | undefined
  readonly password: string | undefined
  readonly db: number
  readonly tls: boolean
  /** The host and the port in words; never the password. */
  readonly place: string
  /** What our keys begin with, so that several servers can share one engine. */
  readonly prefix: string | undefined
}

const EXPECTED =
  'store: expected redis://USER:PASSWORD@HOST:PORT/NUMBER?prefix=TEXT, or rediss:// for TLS; in the password, characters such as / # @ : are written %2F %23 %40 %3A'

const DEFAULT_PORT = 6379

/** What cannot be read may hold a password anywhere, so nothing of it is repeated. */
export function parseRedisUrl(url: string): RedisAddress {
  const parsed = URL.canParse(url) ? new URL(url) : undefined
  const db = parsed?.pathname.replace(/^\//, '') ?? ''
  if (parsed === undefined || parsed.hash !== '' || !/^\d*$/.test(db)) throw new Error(EXPECTED)
  for (const name of parsed.searchParams.keys())
    if (name !== 'prefix') throw new Error('store: a redis:// URL takes ?prefix= alone')
  const host = decodeURIComponent(parsed.hostname).replace(/^\[(.*)\]$/, '$1') || 'localhost'
  const port = Number(parsed.port || DEFAULT_PORT)
  return {
    host,
    port,
    username: decoded(parsed.username),
    password: decoded(parsed.password),
    db: Number(db),
    tls: parsed.protocol === 'rediss:',
    place: `The Redis server ${parsed.hostname || 'localhost'}:${port}`,
    prefix: parsed.searchParams.get('prefix') ?? undefined,
  }
}

function decoded(text: string): string | undefined {
  if (text === '') return undefined
  try {
    return decodeURIComponent(text)
  } catch {
    throw new Error(EXPECTED)
  }
}
