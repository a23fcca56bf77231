import { type CryptoKey, importPKCS8 } from 'jose'
import {
  type ClientAuth,
  clientCredentialsGrantRequest,
  PrivateKeyJwt,
  processClientCredentialsResponse,
} from 'oauth4webapi'
import { askedBy } from './asked.ts'
import { checkScope } from './check-scope.ts'
import { authOf, methodOf } from './client-auth.ts'
import { discover, type SignInPlace } from './discover.ts'
import { grantedBy, partiesOf, revoke, signedInAt } from './grants.ts'
import { asking } from './oauth-fetch.ts'
import { checkPlace } from './registration.ts'
import type { SignInSettings } from './settings.ts'
import type { SignedIn } from './token-book.ts'

/** A program that signs in as itself, without a person. */
export interface AloneOptions {
  readonly url: URL
  readonly settings: SignInSettings
  /** As it was signed in before. */
  readonly before: SignedIn | undefined
  readonly now: number
}

/** Signs in by what a client is given to say who it is: the client credentials of OAuth. */
export async function signInAlone({ url, settings, before, now }: AloneOptions): Promise<SignedIn> {
  const { clientId: id = '', issuer } = settings
  const place = await discover(url, { issuer, isAlone: true })
  checkPlace(id, place, before)
  const { server, resource } = place
  const scope = settings.scope ?? place.scope
  checkScope(settings.scope, place)
  const signed = signedInAt(place, { id, registered: false }) // Its secret stays where it was written.
  const { client } = partiesOf(signed)
  const response = await clientCredentialsGrantRequest(
    server,
    client,
    await proofOf(settings, place),
    { resource, ...(scope !== undefined && { scope }) },
    asking(new URL(resource)),
  )
  const granted = await processClientCredentialsResponse(server, client, response)
  return { ...signed, ...askedBy(settings), ...grantedBy(granted, { now, scope }) }
}

/** Has its tokens not taken any more; false where their issuer cannot be told, or is not the one that knows it now. */
export async function signOutAlone(
  { url, settings }: Pick<AloneOptions, 'url' | 'settings'>,
  signed: SignedIn,
): Promise<boolean> {
  const { clientId, issuer } = settings
  const place = await discover(url, { issuer, isAlone: true })
  const isKnown = clientId === signed.client.id && place.server.issuer === signed.issuer
  return isKnown && revoke(signed, await proofOf(settings, place))
}

async function proofOf(settings: SignInSettings, { server }: SignInPlace): Promise<ClientAuth> {
  const { clientSecret: secret, tokenEndpointAuthMethod: said, privateKey } = settings
  return privateKey === undefined
    ? authOf({ ...(secret !== undefined && { secret }), method: methodOf(server, { secret, said }) })
    : PrivateKeyJwt(await readKey(privateKey, server.token_endpoint_auth_signing_alg_values_supported))
}

/** What a key may sign with, of which it says itself what it can be; the usual first, as clients are registered. */
const ALGORITHMS = ['ES256', 'ES384', 'ES512', 'EdDSA', 'RS256', 'PS256']

/** A key is of the family that takes it; what a variable holds may have its line ends written out. */
async function readKey(pem: string, taken: readonly string[] = ALGORITHMS): Promise<CryptoKey> {
  const lines = pem.replaceAll('\\n', '\n').trim()
  const wanted = ALGORITHMS.filter((one) => taken.includes(one))
  for (const name of wanted) {
    const key = await importPKCS8(lines, name).catch(() => undefined)
    if (key !== undefined) return key
  }
  throw new Error(
    `expected privateKey to be a key in PEM, -----BEGIN PRIVATE KEY-----, that signs by ${wanted.join(', ') || `one of ${taken.join(', ')}, of which none is known here`}`,
  )
}
