import type { JWTPayload, JWTVerifyGetKey, JWTVerifyOptions } from 'jose'
import { isObject, parseJson } from '../../../kernel/index.ts'
import { askIssuer } from './ask-issuer.ts'
import { discoverKeys } from './discover.ts'
import { patiently } from './patience.ts'

export interface TokenRules {
  readonly issuer: string
  /** Where the issuer's keys are; undefined to ask the issuer. */
  readonly jwksUri: URL | undefined
  /** The ways to write who we are. */
  readonly audience: readonly string[]
  readonly algorithms: readonly string[]
}

/** What a token says, once it is known to be true, or what is wrong with it. */
export type Verdict = { readonly claims: JWTPayload } | { readonly problem: 'expired' | 'invalid' }

type Jose = typeof import('jose')

/** How long after it has expired a token is still taken: clocks differ. */
export const CLOCK_TOLERANCE_SECONDS = 5

/** Makes a function that tells whether a token is one for us; it rejects when there is no way to know. */
export function createVerifier(rules: TokenRules): (token: string) => Promise<Verdict> {
  const options: JWTVerifyOptions = {
    issuer: rules.issuer,
    audience: [...rules.audience],
    algorithms: [...rules.algorithms],
    clockTolerance: CLOCK_TOLERANCE_SECONDS,
    requiredClaims: ['exp'],
  }
  const keys = createKeys(rules)
  return async (token) => {
    // A server that sees no token does not pay for the library.
    const jose = await import('jose')
    try {
      return { claims: await verify(jose, token, { getKey: keys(jose), options }) }
    } catch (error) {
      const problem = problemOf(error)
      if (problem === undefined) throw error
      return { problem }
    }
  }
}

/** How long an issuer that failed is left alone: anybody can send a token, and each would have it asked again. */
const RETRY_MS = 5_000

/** Keys are asked for only once a token is known to be well formed, and a failure to get them is not kept for long. */
function createKeys({ issuer, jwksUri }: TokenRules): (jose: Jose) => JWTVerifyGetKey {
  let found: Promise<JWTVerifyGetKey> | undefined
  const discover = patiently(async () => jwksUri ?? discoverKeys(issuer), RETRY_MS)
  const fetchKeys = patiently(fetchChecked, RETRY_MS)
  const find = async (jose: Jose) =>
    jose.createRemoteJWKSet(await discover(), { [jose.customFetch]: fetchKeys })
  return (jose) => async (header, token) => {
    found ??= find(jose).catch((error: unknown) => {
      found = undefined
      throw error
    })
    const getKey = await found
    return getKey(header, token)
  }
}

/** An answer without keys, or with some that are none, counts as a failure, too. */
async function fetchChecked(url: string, options: RequestInit): Promise<Response> {
  const { status, text } = await askIssuer(url, options)
  if (status !== 200) throw new Error(`${url} answered with ${status}`)
  const keys = parseJson(text)
  if (isObject(keys) && Array.isArray(keys['keys']) && keys['keys'].every(isObject)) return new Response(text)
  throw new Error(`There are no keys at ${url}`)
}

/** A token may leave open which of several keys has signed it. */
async function verify(
  jose: Jose,
  token: string,
  { getKey, options }: { readonly getKey: JWTVerifyGetKey; readonly options: JWTVerifyOptions },
): Promise<JWTPayload> {
  try {
    return (await jose.jwtVerify(token, getKey, options)).payload
  } catch (error) {
    if (!(error instanceof jose.errors.JWKSMultipleMatchingKeys)) throw error
    for await (const key of error) {
      try {
        return (await jose.jwtVerify(token, key, options)).payload
      } catch (failure) {
        if (!(failure instanceof jose.errors.JWSSignatureVerificationFailed)) throw failure
      }
    }
    throw new jose.errors.JWSSignatureVerificationFailed()
  }
}

const PROBLEMS: { readonly [code: string]: 'expired' | 'invalid' } = {
  ERR_JWT_EXPIRED: 'expired',
  ERR_JWT_INVALID: 'invalid',
  ERR_JWT_CLAIM_VALIDATION_FAILED: 'invalid',
  ERR_JWS_INVALID: 'invalid',
  ERR_JWS_SIGNATURE_VERIFICATION_FAILED: 'invalid',
  ERR_JOSE_ALG_NOT_ALLOWED: 'invalid',
  ERR_JOSE_NOT_SUPPORTED: 'invalid',
  ERR_JWKS_NO_MATCHING_KEY: 'invalid',
}

/** What is wrong with the token; undefined when it is not the token that is wrong. */
function problemOf(error: unknown): 'expired' | 'invalid' | undefined {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  return Object.hasOwn(PROBLEMS, code) ? PROBLEMS[code] : undefined
}
