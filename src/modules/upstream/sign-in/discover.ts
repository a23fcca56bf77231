import { type AuthorizationServer, processDiscoveryResponse } from 'oauth4webapi'
import { isObject, type JsonObject } from '../../../kernel/index.ts'
import { fetchFor } from './oauth-fetch.ts'
import { parseChallenge } from './parse-challenge.ts'

/** Where one signs in for a server, and for what. */
export interface SignInPlace {
  /** What a token is to be for. */
  readonly resource: string
  readonly server: AuthorizationServer
  /** What the server wants, as far as it says. */
  readonly scope: string | undefined
}

const ACCEPT = { accept: 'application/json' }

/** Finds out who signs people in for a server: RFC 9728, then RFC 8414 or OpenID Connect Discovery. */
export async function discover(url: URL, issuer?: string): Promise<SignInPlace> {
  const challenge = await readChallenge(url)
  const described = await findResource(url, challenge['resource_metadata'])
  const issuers = Array.isArray(described?.['authorization_servers'])
    ? described['authorization_servers'].filter((one) => typeof one === 'string')
    : []
  const chosen = issuer ?? issuers[0] ?? url.origin
  if (issuer !== undefined && issuers.length > 0 && !issuers.includes(issuer))
    throw new Error(`${url.host} takes no tokens of ${issuer}. Expected: ${issuers.join(', ')}`)
  const server = await findServer(url, chosen)
  const scopes = described?.['scopes_supported']
  return {
    resource: typeof described?.['resource'] === 'string' ? described['resource'] : url.href,
    server,
    scope: challenge['scope'] ?? (Array.isArray(scopes) ? scopes.join(' ') : undefined),
  }
}

/** What the server says to somebody whom it does not know. */
async function readChallenge(url: URL): Promise<{ readonly [name: string]: string }> {
  const response = await fetchFor(url, url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' }),
  })
  return parseChallenge(response.headers.get('www-authenticate') ?? '')
}

const RESOURCE = '/.well-known/oauth-protected-resource'

/** What the server says of itself; undefined where it says nothing, as servers before 2025-06-18 did. */
async function findResource(url: URL, told: string | undefined): Promise<JsonObject | undefined> {
  const path = url.pathname.replace(/\/$/, '')
  const places = [told, `${url.origin}${RESOURCE}${path}`, `${url.origin}${RESOURCE}`]
  for (const place of new Set(places.filter((one) => one !== undefined))) {
    if (!URL.canParse(place)) throw new Error(`${url.host} tells of itself at ${place}, which is no address`)
    const response = await fetchFor(url, place, { headers: ACCEPT })
    if (response.status !== 200) continue
    const described = await readJson(response, place)
    checkResource(described['resource'], url)
    return described
  }
  return undefined
}

/** A token for something else must not be asked for in this server's name. */
function checkResource(resource: unknown, url: URL): void {
  const said = typeof resource === 'string' && URL.canParse(resource) ? new URL(resource) : undefined
  const path = said?.pathname.replace(/\/$/, '') ?? ''
  const isOurs = said?.origin === url.origin && `${url.pathname}/`.startsWith(`${path}/`)
  if (!isOurs)
    throw new Error(`${url.href} says that it is ${String(resource)}, for which one does not sign in here`)
}

/** The places at which an authorization server tells of itself. */
async function findServer(resource: URL, issuer: string): Promise<AuthorizationServer> {
  if (!URL.canParse(issuer)) throw new Error(`${issuer} is no address of an authorization server`)
  const { origin, pathname } = new URL(issuer)
  const path = pathname.replace(/\/$/, '')
  const places = [
    `${origin}/.well-known/oauth-authorization-server${path}`,
    `${origin}/.well-known/openid-configuration${path}`,
    `${origin}${path}/.well-known/openid-configuration`,
  ]
  for (const place of new Set(places)) {
    const response = await fetchFor(resource, place, { headers: ACCEPT })
    if (response.status !== 200) continue
    return checkServer(await processDiscoveryResponse(new URL(issuer), response))
  }
  throw new Error(
    `nobody can be found who signs you in: ${issuer} tells nothing of itself (${places.join(', ')})`,
  )
}

function checkServer(server: AuthorizationServer): AuthorizationServer {
  for (const name of ['authorization_endpoint', 'token_endpoint'] as const)
    if (server[name] === undefined) throw new Error(`${server.issuer} has no ${name}`)
  if (server.code_challenge_methods_supported?.includes('S256') !== true)
    throw new Error(
      `${server.issuer} does not say that it knows PKCE with S256, without which signing in is not safe`,
    )
  return server
}

async function readJson(response: Response, place: string): Promise<JsonObject> {
  const value: unknown = await response.json().catch(() => undefined)
  if (isObject(value)) return value
  throw new Error(`${place}: expected a JSON object`)
}
