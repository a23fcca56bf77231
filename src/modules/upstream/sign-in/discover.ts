import type { AuthorizationServer } from 'oauth4webapi'
import { describe, type JsonObject } from '../../../kernel/index.ts'
import { fetchFor } from './oauth-fetch.ts'
import { parseChallenge } from './parse-challenge.ts'
import { safePlace } from './safe-place.ts'
import { checkIssuer, findDocument, wrong } from './well-known.ts'

/** Where one signs in for a server, and for what. */
export interface SignInPlace {
  /** What a token is to be for. */
  readonly resource: string
  readonly server: AuthorizationServer
  /** What the server wants, as far as it says. */
  readonly scope: string | undefined
  /** Somebody has named it. */
  readonly isChosen: boolean
  /** It tells nothing of itself, and is taken to be as the first revision with a sign-in had it. */
  readonly isGuessed: boolean
  /** Whether the server has said that one signs in. */
  readonly isWanted: boolean
}

interface DiscoverOptions {
  readonly issuer?: string | undefined
  /** No person signs in. */
  readonly isAlone?: boolean
}

/** Finds out who signs people in for a server: RFC 9728, then RFC 8414 or OpenID Connect Discovery. */
export async function discover(url: URL, { issuer, isAlone }: DiscoverOptions = {}): Promise<SignInPlace> {
  const { challenge, isRefused } = await readChallenge(url)
  const described = await findResource(url, challenge['resource_metadata'])
  const issuers = (described?.['authorization_servers'] ?? []) as readonly string[] // As lists are checked.
  const chosen = issuer ?? issuers[0] ?? url.origin
  if (issuer !== undefined && issuers.length > 0 && !issuers.includes(issuer))
    throw new Error(`${url.host} takes no tokens of ${issuer}. Expected: ${issuers.join(', ')}`)
  const found = await findServer(url, chosen)
  if (found === undefined && (described !== undefined || issuer !== undefined)) throw nobody(chosen)
  const server = found ?? guessed(url)
  checkServer(server, url, isAlone === true)
  const scopes = described?.['scopes_supported'] as readonly string[] | undefined // As lists are checked.
  return {
    resource: typeof described?.['resource'] === 'string' ? described['resource'] : url.href,
    server,
    scope: challenge['scope'] ?? scopes?.join(' '),
    isChosen: issuer !== undefined,
    isGuessed: found === undefined,
    isWanted: isRefused || described !== undefined,
  }
}

interface ReadChallenge {
  readonly challenge: { readonly [name: string]: string }
  readonly isRefused: boolean
}

/** What the server says to somebody whom it does not know. */
async function readChallenge(url: URL): Promise<ReadChallenge> {
  const response = await fetchFor(url, url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' }),
  })
  const told = response.headers.get('www-authenticate')
  return { challenge: parseChallenge(told ?? ''), isRefused: told !== null || response.status === 401 }
}

const RESOURCE = '/.well-known/oauth-protected-resource'

/** What the server says of itself; undefined where it says nothing, as servers before 2025-06-18 did. */
async function findResource(url: URL, told: string | undefined): Promise<JsonObject | undefined> {
  const path = url.pathname.replace(/\/$/, '')
  const places = [told, `${url.origin}${RESOURCE}${path}`, `${url.origin}${RESOURCE}`]
  if (told !== undefined && !URL.canParse(told))
    throw new Error(`${url.host} tells of itself at ${told}, which is no address`)
  const found = await findDocument(url, new Set(places.filter((one) => one !== undefined)))
  if (found === undefined) return undefined
  const { resource } = found.told
  if (resource === undefined)
    throw wrong(found.place, `expected a resource in it, such as ${url.origin}${path}`)
  checkResource(resource, url)
  return found.told
}

/** A token for something else must not be asked for in this server's name. */
function checkResource(resource: unknown, url: URL): void {
  const said = typeof resource === 'string' && URL.canParse(resource) ? new URL(resource) : undefined
  const path = said?.pathname.replace(/\/$/, '') ?? ''
  const isOurs = said?.origin === url.origin && `${url.pathname}/`.startsWith(`${path}/`)
  if (!isOurs)
    throw new Error(
      `${url.origin}${url.pathname} says that it is ${describe(resource)}, for which one does not sign in here`,
    )
}

/** What an authorization server tells of itself, wherever that is; undefined where it tells nothing. */
async function findServer(resource: URL, issuer: string): Promise<AuthorizationServer | undefined> {
  safePlace(issuer, { by: `${resource.host}: its authorization server`, resource })
  const found = await findDocument(resource, placesOf(issuer))
  if (found === undefined) return undefined
  checkIssuer(found, issuer)
  return found.told as AuthorizationServer // Each of its places is looked at below.
}

function placesOf(issuer: string): ReadonlySet<string> {
  const { origin, pathname } = new URL(issuer)
  const path = pathname.replace(/\/$/, '')
  return new Set([
    `${origin}/.well-known/oauth-authorization-server${path}`,
    `${origin}/.well-known/openid-configuration${path}`,
    `${origin}${path}/.well-known/openid-configuration`,
  ])
}

function nobody(issuer: string): Error {
  const places = [...placesOf(issuer)].join(', ')
  return new Error(`nobody can be found who signs you in: ${issuer} tells nothing of itself (${places})`)
}

/**
 * Where 2025-03-26 has it that one signs in to a server that tells nothing of itself or of others: at its own origin,
 * which is told the token anyway.
 */
function guessed({ origin }: URL): AuthorizationServer {
  return {
    issuer: origin,
    authorization_endpoint: `${origin}/authorize`,
    token_endpoint: `${origin}/token`,
    registration_endpoint: `${origin}/register`,
    code_challenge_methods_supported: ['S256'],
  }
}

const FOR_PROGRAMS = ['token_endpoint', 'revocation_endpoint'] as const
const FOR_PEOPLE = ['authorization_endpoint', 'registration_endpoint', ...FOR_PROGRAMS] as const
const NEEDED: readonly string[] = ['authorization_endpoint', 'token_endpoint']

/** What it names is opened in a browser or told secrets, so that not every place will do. */
function checkServer(server: AuthorizationServer, resource: URL, isAlone: boolean): void {
  const { issuer, code_challenge_methods_supported: challenges } = server
  for (const name of isAlone ? FOR_PROGRAMS : FOR_PEOPLE) {
    const place: unknown = server[name]
    if (place !== undefined) safePlace(place, { by: `${issuer}: its ${name}`, resource })
    else if (NEEDED.includes(name)) throw new Error(`${issuer} has no ${name}`)
  }
  if (!isAlone && challenges?.includes('S256') !== true)
    throw new Error(
      `${issuer} does not say that it knows PKCE with S256, without which signing in is not safe`,
    )
}
