import { isObject, type Principal } from '../../../kernel/index.ts'
import { checkPrincipal } from '../../check-principal.ts'
import {
  type Authenticate,
  type Authenticator,
  type HttpHeaders,
  isRefusal,
  type Refusal,
} from '../exchange.ts'
import { checkHeaders, checkStatus } from '../middleware.ts'
import { refusal } from '../refusal.ts'
import { challengeHeaders } from './challenge.ts'

/** An authenticator that lacks nothing, made of one or of a function that is all there is to it. */
export function completeAuthenticator(given: Authenticate | Authenticator): Required<Authenticator> {
  const own: Authenticator = typeof given === 'function' ? { authenticate: given } : given
  const { header = 'Authorization', documents = {} } = own
  return {
    authenticate: (request) => own.authenticate(request),
    challenge: (scopes) => own.challenge?.(scopes) ?? lackingScopes(scopes),
    header,
    documents,
  }
}

function lackingScopes(scopes: readonly string[]): HttpHeaders {
  return challengeHeaders('Bearer', { error: 'insufficient_scope', scope: scopes.join(' ') })
}

/** For callers of whom an authenticator says nothing. */
const UNKNOWN = refusal(401, 'Unauthorized: the caller is not known', challengeHeaders('Bearer', {}))

/** What an authenticator found, which may be anything: whoever is not plainly a caller must not pass for one. */
export function checkCaller(found: unknown): Principal | Refusal {
  if (found === undefined || found === null) return UNKNOWN
  if (isObject(found) && isRefusal(found)) return checkRefusal(found)
  checkPrincipal(found, GAVE)
  return found
}

const GAVE = 'What the authenticator gave'

/** A `Response` has a status, too. */
function checkRefusal(found: Refusal): Refusal {
  if (!isObject(found.error) || typeof found.error['message'] !== 'string')
    throw new TypeError(
      `${GAVE}: expected { id, scopes? } or refusal(403, "why"), got an object with a status that is no refusal`,
    )
  checkStatus(found.status, GAVE)
  checkHeaders(found.headers ?? {}, `${GAVE}: headers`)
  return found
}
