import { DEFAULT_PREFIX } from './prefix.ts'

/** The host and the database of a URL in words; never the password. */
export function placeOf(url: string): string {
  const { hostname, port, pathname, searchParams } = parse(url)
  const host = searchParams.get('host') ?? (decodeURIComponent(hostname) || 'localhost')
  const at = port === '' ? host : `${host}:${port}`
  const database = decodeURIComponent(pathname.slice(1))
  return database === '' ? `The PostgreSQL server ${at}` : `The PostgreSQL database ${database} on ${at}`
}

/** The prefix is ours, and no business of PostgreSQL's. */
export function splitPrefix(url: string): { readonly prefix: string; readonly rest: string } {
  const parsed = parse(url)
  const prefix = parsed.searchParams.get('prefix')
  if (prefix === null) return { prefix: DEFAULT_PREFIX, rest: url }
  parsed.searchParams.delete('prefix')
  return { prefix, rest: parsed.href }
}

/** A password with a character that URLs keep for themselves ends up elsewhere, and would be told. */
function parse(url: string): URL {
  const parsed = URL.canParse(url) ? new URL(url) : undefined
  if (parsed !== undefined && !/[@:]/.test(parsed.pathname)) return parsed
  throw new Error(
    'store: expected postgres://USER:PASSWORD@HOST:PORT/DATABASE; in the password, characters such as / # @ : are written %2F %23 %40 %3A',
  )
}
