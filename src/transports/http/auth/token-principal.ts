import type { JWTPayload } from 'jose'
import type { Principal } from '../../../kernel/index.ts'
import { CLOCK_TOLERANCE_SECONDS } from './verify-token.ts'

/** Whose token it is, and what it may use: what its issuer says, and what is granted to every token. */
export function toPrincipal(
  claims: JWTPayload,
  issuer: string,
  granted: readonly string[] = [],
): Principal | undefined {
  const id = findId(claims, issuer)
  return id === undefined ? undefined : { id, scopes: [...scopesOf(claims), ...granted], ...expiryOf(claims) }
}

/** A user, or a client that acts for itself; a client can choose its name, and must not get to be a user by it. */
function findId({ sub, client_id }: JWTPayload, issuer: string): string | undefined {
  if (typeof sub === 'string' && sub !== '') return `${issuer}|${sub}`
  return typeof client_id === 'string' && client_id !== '' ? `client:${issuer}|${client_id}` : undefined
}

/** Claims count in seconds; a stream that ended before its token is refused would be opened again and again. */
function expiryOf({ exp }: JWTPayload): { readonly expires?: number } {
  return typeof exp === 'number' ? { expires: (exp + CLOCK_TOLERANCE_SECONDS) * 1000 } : {}
}

/** A token that speaks of no scopes has none: undefined would stand for all. */
function scopesOf({ scope, scp }: JWTPayload): readonly string[] {
  const granted = scope ?? scp
  if (typeof granted === 'string') return granted.split(' ').filter((one) => one !== '')
  return Array.isArray(granted) ? granted.filter((one) => typeof one === 'string') : []
}
