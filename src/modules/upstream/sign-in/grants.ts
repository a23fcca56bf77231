import {
  type AuthorizationServer,
  type Client,
  type ClientAuth,
  ClientSecretBasic,
  None,
  processRefreshTokenResponse,
  processRevocationResponse,
  ResponseBodyError,
  refreshTokenGrantRequest,
  revocationRequest,
  type TokenEndpointResponse,
} from 'oauth4webapi'
import { asking } from './oauth-fetch.ts'
import type { SignedIn } from './token-book.ts'

/** What a token endpoint has given, as it is kept. */
export function grantedBy(
  { access_token, refresh_token, expires_in, scope }: TokenEndpointResponse,
  now: number,
): Pick<SignedIn, 'access' | 'refresh' | 'renew' | 'scope'> {
  return {
    access: access_token,
    ...(refresh_token !== undefined && { refresh: refresh_token }),
    ...(expires_in !== undefined && { renew: now + expires_in * 1000 - earlyMs(expires_in * 1000) }),
    ...(scope !== undefined && { scope }),
  }
}

/** So that it does not expire on its way. */
function earlyMs(lifeMs: number): number {
  return Math.min(60_000, lifeMs / 5)
}

/** The same person with a new token; without any where the old ones are not taken any more. */
export async function refresh(signed: SignedIn, now: number): Promise<SignedIn> {
  const { access, refresh: token, renew, ...rest } = signed
  if (token === undefined) return rest
  const { server, client, auth } = partiesOf(signed)
  const response = await refreshTokenGrantRequest(server, client, auth, token, {
    ...asking(new URL(signed.resource)),
    additionalParameters: { resource: signed.resource },
  })
  try {
    const granted = await processRefreshTokenResponse(server, client, response)
    return { ...rest, refresh: token, ...grantedBy(granted, now) }
  } catch (error) {
    if (isRefused(error)) return rest
    throw new Error(`${signed.issuer} gave no new token: ${(error as Error).message}`, { cause: error })
  }
}

function isRefused(error: unknown): boolean {
  return (
    error instanceof ResponseBodyError &&
    ['invalid_grant', 'invalid_client', 'unauthorized_client'].includes(error.error)
  )
}

/** Has the tokens of somebody who signs out not taken any more, where their issuer can be told. */
export async function revoke(signed: SignedIn): Promise<boolean> {
  const token = signed.refresh ?? signed.access
  if (signed.revocationEndpoint === undefined || token === undefined) return false
  const { server, client, auth } = partiesOf(signed)
  const response = await revocationRequest(server, client, auth, token, asking(new URL(signed.resource)))
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
    auth: client.secret === undefined ? None() : ClientSecretBasic(client.secret),
  }
}
