import {
  insufficientScope,
  isGranted,
  type Members,
  membersOf,
  type Principal,
  text,
  texts,
} from '../../../kernel/index.ts'
import type { Authenticator, HttpHeaders, Refusal } from '../exchange.ts'
import { refusal, refusalOf } from '../refusal.ts'
import { readBearer } from './bearer.ts'
import { type ChallengeParameters, challengeHeaders } from './challenge.ts'
import { checkNameUrl, checkUrl } from './check-url.ts'
import { describeResource, type ProtectedResource } from './resource-metadata.ts'
import { TokenCache } from './token-cache.ts'
import { toPrincipal } from './token-principal.ts'
import { createVerifier, type TokenRules } from './verify-token.ts'

/** Whose tokens are taken, and for what. */
export interface OAuthOptions {
  /** Who issues the tokens, exactly as they say it in `iss`. */
  readonly issuer: string
  /** The URL at which clients reach this server; tokens must have been issued for it. */
  readonly resource: string
  /** Where the issuer's keys are, if it is not to be asked. */
  readonly jwksUri?: string
  /** What every request needs. */
  readonly scopes?: readonly string[]
  /** What every token may use, whatever its issuer says: not all issuers can be taught new scopes. */
  readonly granted?: readonly string[]
  /** What clients are told there is to ask for: the least that is of use. */
  readonly scopesSupported?: readonly string[]
  readonly algorithms?: readonly string[]
}

const checkOptions = membersOf(
  {
    issuer: text,
    resource: text,
    jwksUri: text,
    scopes: texts,
    granted: texts,
    scopesSupported: texts,
    algorithms: texts,
  } satisfies Members<OAuthOptions>,
  { needed: ['issuer', 'resource'], meant: { audience: 'resource', jwks: 'jwksUri' } },
)

/**
 * Knows callers by access tokens that an authorization server has issued for us (OAuth 2.1, section 5).
 * @example
 * const authenticator = oauth({ issuer: 'https://login.example.com', resource: 'https://mcp.example.com/mcp' })
 * await serveHttp(server, { authenticator })
 */
export function oauth(options: OAuthOptions): Required<Authenticator> {
  checkOptions(options, 'oauth')
  const { issuer, scopes = [], granted = [] } = options
  checkNameUrl(issuer, 'issuer')
  const resource = describeResource(options)
  const rules: TokenRules = {
    issuer,
    jwksUri: options.jwksUri === undefined ? undefined : checkUrl(options.jwksUri, 'jwksUri'),
    audience: resource.spellings,
    algorithms: checkAlgorithms(options.algorithms ?? ASYMMETRIC),
  }
  const verify = createVerifier(rules)
  const cache = new TokenCache()
  const refuse = createRefusals(resource, scopes)

  const admit = (principal: Principal) =>
    isGranted(scopes, principal) ? principal : refuse.insufficient(scopes)

  const check = async (token: string): Promise<Principal | Refusal> => {
    const verdict = await verify(token)
    if ('problem' in verdict) return refuse[verdict.problem]
    const principal = toPrincipal(verdict.claims, issuer, granted)
    if (principal === undefined) return refuse.invalid
    cache.keep(token, principal, Number(verdict.claims.exp) * 1000)
    return admit(principal)
  }

  return {
    authenticate(exchange) {
      const bearer = readBearer(exchange.headers['authorization'])
      if (bearer.kind !== 'token') return refuse[bearer.kind]
      const cached = cache.find(bearer.token)
      return cached === undefined ? check(bearer.token) : admit(cached)
    },
    challenge: refuse.challenge,
    header: 'Authorization',
    documents: resource.documents,
  }
}

const ASYMMETRIC: readonly string[] = [
  ...['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512'],
  ...['ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519'],
]

/** With a shared secret, or none at all, anybody who knows the public keys could sign. */
function checkAlgorithms(algorithms: readonly string[]): readonly string[] {
  if (algorithms.length === 0) throw new TypeError('algorithms: expected at least one')
  for (const algorithm of algorithms) {
    if (!ASYMMETRIC.includes(algorithm)) {
      throw new TypeError(`algorithms: ${algorithm}: expected some of ${ASYMMETRIC.join(', ')}`)
    }
  }
  return algorithms
}

interface Refusals {
  readonly missing: Refusal
  readonly malformed: Refusal
  readonly expired: Refusal
  readonly invalid: Refusal
  insufficient(scopes: readonly string[]): Refusal
  challenge(scopes: readonly string[]): HttpHeaders
}

/** A caller that brings no token is told where to get one, and no error (RFC 6750, 3.1). */
function createRefusals({ metadataUrl }: ProtectedResource, base: readonly string[]): Refusals {
  const say = (parameters: ChallengeParameters, scopes: readonly string[]) =>
    challengeHeaders('Bearer', {
      ...parameters,
      scope: scopes.length === 0 ? undefined : scopes.join(' '),
      resource_metadata: metadataUrl,
    })
  const because = (error: string, description: string) => say({ error, error_description: description }, base)
  const malformed = (why: string) => refusal(400, `Bad request: ${why}`, because('invalid_request', why))
  const invalid = (why: string) => refusal(401, `Unauthorized: ${why}`, because('invalid_token', why))
  const challenge = (scopes: readonly string[]) =>
    say({ error: 'insufficient_scope' }, [...new Set([...base, ...scopes])])
  return {
    missing: refusal(401, 'Unauthorized: expected an access token in Authorization: Bearer', say({}, base)),
    malformed: malformed('expected one token after Authorization: Bearer'),
    expired: invalid('the access token has expired'),
    invalid: invalid('the access token is not valid here'),
    insufficient: (scopes) => refusalOf(403, insufficientScope(scopes), challenge(scopes)),
    challenge,
  }
}
