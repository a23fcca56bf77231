import type { JWTPayload } from 'jose'
import type { Principal } from '../../../kernel/index.ts'

/** Whose token it is: a user's, or that of a client that acts for itself. */
export function toPrincipal(claims: JWTPayload, issuer: string): Principal | undefined {
  const { sub, client_id } = claims
  const subject = [sub, client_id].find((one) => typeof one === 'string' && one !== '')
  return subject === undefined ? undefined : { id: `${issuer}|${subject}`, scopes: scopesOf(claims) }
}

/** A token that speaks of no scopes has none: undefined would stand for all. */
function scopesOf({ scope, scp }: JWTPayload): readonly string[] {
  const granted = scope ?? scp
  if (typeof granted === 'string') return granted.split(' ').filter((one) => one !== '')
  return Array.isArray(granted) ? granted.filter((one) => typeof one === 'string') : []
}
