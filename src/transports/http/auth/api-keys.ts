import { anything, listOf, membersOf, type Principal, text } from '../../../kernel/index.ts'
import type { Authenticator, HttpRequest, Refusal } from '../exchange.ts'
import { refusal } from '../refusal.ts'
import { readBearer } from './bearer.ts'
import { type ChallengeParameters, challengeHeaders } from './challenge.ts'
import { sameDigest, sha256 } from './digest.ts'
import { type ApiKey, checkEntry, type DigestedKey } from './key-list.ts'

/** The keys, and the header that carries them. */
export interface ApiKeysOptions {
  readonly keys: readonly ApiKey[]
  /** `Authorization`, where the key follows the word Bearer, unless another header carries it bare. */
  readonly header?: string
}

export { type ApiKey, type DigestedKey, parseKey, parseKeyFile, parseKeys } from './key-list.ts'

interface KnownKey {
  readonly digest: Buffer
  readonly principal: Principal
}

/**
 * Knows callers by keys that they have been given. Only digests of the keys are kept.
 * @example await serveHttp(server, { authenticator: apiKeys({ keys: parseKeys('ann=k1,bob=k2:files') }) })
 */
export function apiKeys(options: ApiKeysOptions): Required<Authenticator> {
  checkOptions(options, 'apiKeys')
  const { keys, header = 'Authorization' } = options
  const known = checkKeys(keys)
  const place = findPlace(header)
  const refuse = (message: string, parameters: ChallengeParameters) =>
    refusal(401, `Unauthorized: ${message}`, place.challenge(parameters))
  return {
    authenticate(request): Principal | Refusal {
      const key = place.read(request)
      if (key === undefined) return refuse(`expected a key in ${place.name}`, {})
      return findKey(key, known) ?? refuse('the key is not known', { error: 'invalid_token' })
    },
    challenge: (scopes) => place.challenge({ error: 'insufficient_scope', scope: scopes.join(' ') }),
    header,
    documents: {},
  }
}

const checkOptions = membersOf({ keys: listOf(anything), header: text }, { needed: ['keys'] })

/** Looks at every key, however soon it has found one, so that time tells nothing. */
function findKey(key: string, known: readonly KnownKey[]): Principal | undefined {
  const digest = sha256(key)
  let found: Principal | undefined
  for (const one of known) if (sameDigest(one.digest, digest)) found = one.principal
  return found
}

function checkKeys(keys: readonly ApiKey[]): readonly KnownKey[] {
  if (keys.length === 0) throw new TypeError('keys: expected at least one key')
  const digests = keys.map((key, index) => checkEntry(key, `apiKeys: keys[${index}]`))
  for (const [index, one] of digests.entries()) checkUnique(one, digests.slice(0, index))
  return digests.map(({ name, scopes, ...one }) => ({
    digest: Buffer.from(one.sha256, 'hex'),
    principal: { id: `key:${name}`, ...(scopes !== undefined && { scopes }) },
  }))
}

function checkUnique(one: DigestedKey, others: readonly DigestedKey[]): void {
  if (others.some(({ name }) => name === one.name)) {
    throw new TypeError(`keys: there are two keys with the name ${one.name}`)
  }
  const twin = others.find((other) => other.sha256 === one.sha256)
  if (twin !== undefined) throw new TypeError(`keys: ${twin.name} and ${one.name} have the same key`)
}

/** Where a key is looked for, and how a caller is told of it. */
interface KeyPlace {
  readonly name: string
  read(request: HttpRequest): string | undefined
  challenge(parameters: ChallengeParameters): { readonly [name: string]: string }
}

function findPlace(header: string): KeyPlace {
  if (!/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(header)) {
    throw new TypeError(`header: ${JSON.stringify(header)} is no header name`)
  }
  const name = header.toLowerCase()
  if (name === 'authorization') return AUTHORIZATION
  return {
    name: header,
    read: (request) => request.headers[name],
    challenge: (parameters) => challengeHeaders('ApiKey', { header, ...parameters }),
  }
}

const AUTHORIZATION: KeyPlace = {
  name: 'Authorization: Bearer',
  read: (request) => {
    const bearer = readBearer(request.headers['authorization'])
    return bearer.kind === 'token' ? bearer.token : undefined
  },
  challenge: (parameters) => challengeHeaders('Bearer', parameters),
}
