import {
  authorizationCodeGrantRequest,
  calculatePKCECodeChallenge,
  dynamicClientRegistrationRequest,
  generateRandomCodeVerifier,
  generateRandomState,
  processAuthorizationCodeResponse,
  processDynamicClientRegistrationResponse,
  validateAuthResponse,
} from 'oauth4webapi'
import type { SignInPlace } from './discover.ts'
import { grantedBy, partiesOf } from './grants.ts'
import { asking } from './oauth-fetch.ts'
import type { RegisteredClient, SignedIn } from './token-book.ts'

/** Somebody who is about to sign in. */
export interface SigningIn {
  readonly state: string
  /** What is opened in a browser. */
  readonly url: string
  /** Whether somebody who came back is the one who was sent, and not somebody else's answer. */
  isOurs(answer: URL): boolean
  /** Makes tokens of what a browser came back with; throws what went wrong. */
  finish(answer: URL, now: number): Promise<SignedIn>
}

/** How this program is known there: by what somebody has said, as before, or by registering now. */
export async function findClient(
  { server, resource }: SignInPlace,
  redirect: string,
  {
    given,
    before,
  }: { readonly given?: Pick<RegisteredClient, 'id' | 'secret'>; readonly before?: SignedIn | undefined },
): Promise<RegisteredClient> {
  if (given !== undefined) {
    if (/^https:/.test(given.id) && server['client_id_metadata_document_supported'] !== true)
      throw new Error(
        `${server.issuer} does not read documents of clients: ${given.id} must be registered there`,
      )
    return { ...given, redirect, registered: false }
  }
  const known = before?.client
  if (known?.registered === true && known.redirect === redirect && before?.issuer === server.issuer)
    return known
  if (server.registration_endpoint === undefined)
    throw new Error(
      `${server.issuer} lets no program register itself. Register one there with the redirect URI ${redirect}, and name it: --client-id ID`,
    )
  const response = await dynamicClientRegistrationRequest(
    server,
    {
      client_name: 'Perigee gateway',
      redirect_uris: [redirect],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
      application_type: 'native',
    },
    asking(new URL(resource)),
  )
  const { client_id: id, client_secret } = await processDynamicClientRegistrationResponse(response)
  return {
    id,
    ...(typeof client_secret === 'string' && { secret: client_secret }),
    redirect,
    registered: true,
  }
}

/** Begins to sign in: OAuth 2.1, with a code for which only whoever began can have a token. */
export async function beginSignIn(
  place: SignInPlace,
  client: RegisteredClient,
  wanted: string | undefined,
): Promise<SigningIn> {
  const [state, verifier] = [generateRandomState(), generateRandomCodeVerifier()]
  const challenge = await calculatePKCECodeChallenge(verifier)
  return {
    state,
    url: addressOf(place, client, { wanted, state, challenge }),
    isOurs: (answer) => answer.searchParams.get('state') === state,
    finish: (answer, now) => redeem(place, client, { answer, now, state, verifier }),
  }
}

/** What is opened in a browser. */
function addressOf(
  place: SignInPlace,
  client: RegisteredClient,
  {
    wanted,
    state,
    challenge,
  }: { readonly wanted: string | undefined; readonly state: string; readonly challenge: string },
): string {
  const { server, resource } = place
  const { scope, prompt } = scopeOf(place, wanted)
  const url = new URL(server.authorization_endpoint ?? '')
  const parameters = {
    response_type: 'code',
    client_id: client.id,
    redirect_uri: client.redirect,
    ...(scope !== undefined && { scope }),
    ...(prompt !== undefined && { prompt }),
    state,
    code_challenge: challenge,
    code_challenge_method: 'S256',
    resource,
  }
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value)
  return url.href
}

interface SignInAnswer {
  readonly answer: URL
  readonly now: number
  readonly state: string
  readonly verifier: string
}

/** Makes tokens of the code that a browser came back with. */
async function redeem(
  { server, resource }: SignInPlace,
  client: RegisteredClient,
  { answer, now, state, verifier }: SignInAnswer,
): Promise<SignedIn> {
  const { revocation_endpoint } = server
  const signed: SignedIn = {
    issuer: server.issuer,
    tokenEndpoint: server.token_endpoint ?? '',
    ...(typeof revocation_endpoint === 'string' && { revocationEndpoint: revocation_endpoint }),
    resource,
    client,
  }
  const { client: known, auth } = partiesOf(signed)
  const found = validateAuthResponse(server, known, answer, state) // With whoever issued it, where that is told.
  const request = { ...asking(new URL(resource)), additionalParameters: { resource } }
  const response = await authorizationCodeGrantRequest(
    server,
    known,
    auth,
    found,
    client.redirect,
    verifier,
    request,
  )
  return { ...signed, ...grantedBy(await processAuthorizationCodeResponse(server, known, response), now) }
}

/** What lasts beyond the first hour is asked for where there is a word for it, which people have to agree to. */
function scopeOf(
  { server, scope }: SignInPlace,
  wanted: string | undefined,
): { readonly scope: string | undefined; readonly prompt: string | undefined } {
  const lasting = server.scopes_supported?.includes('offline_access') === true
  const all = new Set(
    [...(wanted ?? scope ?? '').split(' '), ...(lasting ? ['offline_access'] : [])].filter(Boolean),
  )
  return {
    scope: all.size === 0 ? undefined : [...all].join(' '),
    prompt: lasting ? 'consent' : undefined,
  }
}
