import { callable, isObject, membersOf, object, type Principal, text } from '../../../kernel/index.ts'
import {
  type Authenticate,
  type Authenticator,
  type HttpHeaders,
  isRefusal,
  type Refusal,
} from '../exchange.ts'
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
const UNKNOWN = refusal(401, 'Unauthorized: the caller is not known', challengeHeaders('Bearer', {}))

/** What an authenticator found, which may be anything: somebody without an id must not pass for a caller. */
export function checkCaller(found: unknown): Principal | Refusal {
  if (found === undefined || found === null) return UNKNOWN
  if (isObject(found) && (isRefusal(found) || typeof found['id'] === 'string'))
    return found as unknown as Principal
  const got = isObject(found) ? 'an object without a string id' : `something of type ${typeof found}`
  throw new TypeError(
    `authenticator: expected { id, scopes? }, a refusal, or undefined for nobody known, got ${got}`,
  )
}
