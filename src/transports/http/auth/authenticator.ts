import { callable, membersOf, object, text } from '../../../kernel/index.ts'
import type { Authenticate, Authenticator, HttpHeaders } from '../exchange.ts'
import { refusal } from '../refusal.ts'
import { challengeHeaders } from './challenge.ts'

/** An authenticator that lacks nothing, made of one or of a function that is all there is to it. */
export function completeAuthenticator(given: Authenticate | Authenticator): Required<Authenticator> {
  const own: Authenticator = typeof given === 'function' ? { authenticate: given } : given
  checkMembers(own, 'authenticator')
  const { header = 'Authorization', documents = {} } = own
  return {
    authenticate: (request) => own.authenticate(request),
    challenge: (scopes) => own.challenge?.(scopes) ?? lackingScopes(scopes),
    header,
    documents,
  }
}

const checkMembers = membersOf(
  { authenticate: callable, challenge: callable, header: text, documents: object },
  { needed: ['authenticate'] },
)

function lackingScopes(scopes: readonly string[]): HttpHeaders {
  return challengeHeaders('Bearer', { error: 'insufficient_scope', scope: scopes.join(' ') })
}

/** For callers of whom an authenticator says nothing. */
export const UNKNOWN = refusal(401, 'Unauthorized: the caller is not known', challengeHeaders('Bearer', {}))
