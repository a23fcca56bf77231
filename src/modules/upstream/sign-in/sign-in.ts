import {
  authorizationCodeGrantRequest,
  calculatePKCECodeChallenge,
  generateRandomCodeVerifier,
  generateRandomState,
  processAuthorizationCodeResponse,
  validateAuthResponse,
} from 'oauth4webapi'
import type { SignInPlace } from './discover.ts'
import { grantedBy, partiesOf, signedInAt } from './grants.ts'
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

/** Begins to sign in: OAuth 2.1, with a code for which only whoever began can have a token. */
export async function beginSignIn(
  place: SignInPlace,
  client: RegisteredClient,
  wanted: string | undefined,
): Promise<SigningIn> {
  const [state, verifier] = [generateRandomState(), generateRandomCodeVerifier()]
  const challenge = await calculatePKCECodeChallenge(verifier)
  const asked = scopeOf(place, wanted)
  return {
    state,
    url: addressOf(place, client, { ...asked, state, challenge }),
    isOurs: (answer) => answer.searchParams.get('state') === state,
    finish: (answer, now) => redeem(place, client, { answer, now, state, verifier, scope: asked.scope }),
  }
}

interface AskedScope {
  readonly scope: string | undefined
  readonly prompt: string | undefined
}

/** What is opened in a browser. */
function addressOf(
  { server, resource }: SignInPlace,
  client: RegisteredClient,
  { scope, prompt, state, challenge }: AskedScope & { readonly state: string; readonly challenge: string },
): string {
  const url = new URL(server.authorization_endpoint ?? '')
  const parameters = {
    response_type: 'code',
    client_id: client.id,
    redirect_uri: client.redirect ?? '',
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
  readonly scope: string | undefined
}

/** Makes tokens of the code that a browser came back with. */
async function redeem(
  place: SignInPlace,
  client: RegisteredClient,
  { answer, now, state, verifier, scope }: SignInAnswer,
): Promise<SignedIn> {
  const { server, resource } = place
  const signed = signedInAt(place, client)
  const { client: known, auth } = partiesOf(signed)
  const found = validateAuthResponse(server, known, answer, state) // With whoever issued it, where that is told.
  const request = { ...asking(new URL(resource)), additionalParameters: { resource } }
  const response = await authorizationCodeGrantRequest(
    server,
    known,
    auth,
    found,
    client.redirect ?? '',
    verifier,
    request,
  )
  const granted = await processAuthorizationCodeResponse(server, known, response)
  return { ...signed, ...grantedBy(granted, { now, scope }) }
}

/** What lasts beyond the first hour is asked for where there is a word for it, which people have to agree to. */
function scopeOf({ server, scope }: SignInPlace, wanted: string | undefined): AskedScope {
  const lasting = server.scopes_supported?.includes('offline_access') === true
  const all = new Set(
    [...(wanted ?? scope ?? '').split(' '), ...(lasting ? ['offline_access'] : [])].filter(Boolean),
  )
  return {
    scope: all.size === 0 ? undefined : [...all].join(' '),
    prompt: lasting ? 'consent' : undefined,
  }
}
