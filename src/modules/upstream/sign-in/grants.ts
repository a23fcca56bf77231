import {
  type AuthorizationServer,
  type Client,
  type ClientAuth,
  processRefreshTokenResponse,
  processRevocationResponse,
  ResponseBodyError,
  refreshTokenGrantRequest,
  revocationRequest,
  type TokenEndpointResponse,
} from 'oauth4webapi'
import { authOf } from './client-auth.ts'
import type { SignInPlace } from './discover.ts'
import { asking } from './oauth-fetch.ts'
import type { RegisteredClient, SignedIn } from './token-book.ts'

/** Whoever has been signed in there by nobody yet. */
export function signedInAt({ server, resource }: SignInPlace, client: RegisteredClient): SignedIn {
  const { issuer, token_endpoint, revocation_endpoint } = server
  return {
    issuer,
    tokenEndpoint: token_endpoint ?? '',
    ...(typeof revocation_endpoint === 'string' && { revocationEndpoint: revocation_endpoint }),
    resource,
    client,
  }
}

/** What a token endpoint has given, as it is kept; what it does not say of scopes is that they are those asked for. */
export function grantedBy(
  { access_token, refresh_token, expires_in, scope: told }: TokenEndpointResponse,
  { now, scope: asked }: { readonly now: number; readonly scope?: string | undefined },
): Pick<SignedIn, 'access' | 'refresh' | 'renew' | 'expires' | 'scope'> {
  const scope = told ?? asked
  if (!SENDABLE.test(access_token))
    throw new Error('the token that was given cannot be sent: expected visible signs of ASCII alone')
  return {
    access: access_token,
    ...(refresh_token !== undefined && { refresh: refresh_token }),
    ...(expires_in !== undefined && timesOf(now, Math.min(expires_in * 1000, LONGEST_MS))),
    ...(scope !== undefined && { scope }),
  }
}

/** What a token may be made of (RFC 6749, A.12). */
const SENDABLE = /^[\x20-\x7e]+$/

/** Ten years, after which nobody knows whether it is taken, and which can be written down. */
const LONGEST_MS = 10 * 365 * 86_400_000

/** It is made anew a while before, so that it does not expire on its way. */
function timesOf(now: number, lifeMs: number): Pick<SignedIn, 'renew' | 'expires'> {
  const expires = now + lifeMs
  return { renew: expires - Math.min(60_000, lifeMs / 5), expires }
}

/**
 * The same person with a new token; without any where the old ones are not taken any more. What cannot be renewed stays:
 * one refusal may be a proxy's that was away for a moment.
 */
export async function refresh(signed: SignedIn, now: number): Promise<SignedIn> {
  const { access, refresh: token, renew, expires, ...rest } = signed
  if (token === undefined) return signed
  const { server, client, auth } = partiesOf(signed)
  const response = await refreshTokenGrantRequest(server, client, auth, token, {
    ...asking(new URL(signed.resource)),
    additionalParameters: { resource: signed.resource },
  })
  try {
    const granted = await processRefreshTokenResponse(server, client, response)
    return { ...rest, refresh: token, ...grantedBy(granted, { now }) }
  } catch (error) {
    if (isRefused(error)) return { ...rest, client: knownAfter(error, rest.client) }
    throw new Error(`no new token from ${signed.issuer}: ${(error as Error).message}`, { cause: error })
  }
}

function isRefused(error: unknown): error is ResponseBodyError {
  return (
    error instanceof ResponseBodyError &&
    ['invalid_grant', 'invalid_client', 'unauthorized_client'].includes(error.error)
  )
}

/** A client that we have registered and that is not known any more is registered again when somebody signs in. */
function knownAfter({ error }: ResponseBodyError, client: RegisteredClient): RegisteredClient {
  return error === 'invalid_client' && client.registered ? { ...client, until: 0 } : client
}

/** Has the tokens of somebody who signs out not taken any more, where their issuer can be told. */
export async function revoke(signed: SignedIn, proof?: ClientAuth): Promise<boolean> {
  const token = signed.refresh ?? signed.access
  if (signed.revocationEndpoint === undefined || token === undefined) return false
  const { server, client, auth } = partiesOf(signed)
  const request = asking(new URL(signed.resource))
  const response = await revocationRequest(server, client, proof ?? auth, token, request)
  await processRevocationResponse(response)
  return true
}

interface Parties {
  readonly server: AuthorizationServer
  readonly client: Client
  readonly auth: ClientAuth
}

export function partiesOf({ issuer, tokenEndpoint, revocationEndpoint, client }: SignedIn): Parties {
  return {
    server: {
      issuer,
      token_endpoint: tokenEndpoint,
      ...(revocationEndpoint !== undefined && { revocation_endpoint: revocationEndpoint }),
    },
    client: { client_id: client.id },
    auth: authOf(client),
  }
}
