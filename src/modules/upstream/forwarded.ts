import type { ClientError } from '../../client/index.ts'
import type { Outlet } from '../../kernel/index.ts'
import { toGlob } from './glob.ts'
import type { UpstreamOptions } from './options.ts'

export type PlainHeaders = { readonly [name: string]: string }

/** What says who somebody is goes on only where it is named in full. */
const SECRET = /^(?:authorization|cookie|proxy-authorization)$/

/** What is between two neighbours, or what the protocol says itself. */
const OWN =
  /^(?:host|connection|keep-alive|content-.*|transfer-encoding|te|trailer|upgrade|expect|accept|accept-encoding|origin|mcp-.*|last-event-id)$/

/** What of a caller's headers an upstream is told; undefined where there is nothing. */
export function forwardedOf(
  { headers }: Outlet,
  { forwardHeaders: allowed }: UpstreamOptions,
): PlainHeaders | undefined {
  if (headers === undefined || allowed === undefined) return undefined
  const wanted = allowed.map((pattern) => toGlob(pattern.toLowerCase()))
  const found = Object.entries(headers).flatMap(([name, value]) => {
    const isWanted = wanted.some(
      ({ pattern, matches }) => pattern === name || (!SECRET.test(name) && matches(name)),
    )
    return isWanted && value !== undefined && !OWN.test(name) ? [[name, value] as const] : []
  })
  return found.length === 0 ? undefined : Object.fromEntries(found)
}

/** The headers of a connection: what the upstream is told anyway, and what came from whom it is for. */
export function headersWith(
  own: UpstreamOptions['headers'],
  forwarded: PlainHeaders = {},
): UpstreamOptions['headers'] {
  const join = (given: PlainHeaders | undefined) => ({ ...lowered(given), ...forwarded })
  if (typeof own !== 'function') return join(own)
  return (challenge, refused) => {
    const given = own(challenge, refused)
    return given instanceof Promise ? given.then(join) : join(given)
  }
}

/** Names that differ in case alone are one header, which must not be told twice. */
function lowered(headers: PlainHeaders = {}): PlainHeaders {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))
}

/** Who a caller says that it is is between it and the upstream, and no reason to leave others out. */
export function isInItsName({ details }: ClientError, forwarded: PlainHeaders | undefined): boolean {
  return details.status === 401 && forwarded?.['authorization'] !== undefined
}

/** Whether a header can be told to another server at all. */
export function isForwardable(pattern: unknown): boolean {
  return typeof pattern === 'string' && /^[\w*?.-]+$/.test(pattern) && !OWN.test(pattern.toLowerCase())
}
