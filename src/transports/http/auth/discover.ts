import { isObject, parseJson } from '../../../kernel/index.ts'
import { askIssuer } from './ask-issuer.ts'
import { checkUrl } from './check-url.ts'

const TIMEOUT_MS = 5_000

/** Asks an issuer where its keys are (RFC 8414 and OpenID Connect Discovery). */
export async function discoverKeys(issuer: string): Promise<URL> {
  for (const place of metadataPlaces(issuer)) {
    const metadata = await readMetadata(place)
    // RFC 8414, 3.3: metadata that names another issuer must not be used.
    if (metadata?.['issuer'] !== issuer) continue
    return checkUrl(String(metadata['jwks_uri']), `jwks_uri of ${issuer}`)
  }
  throw new Error(`There is no metadata of the issuer ${issuer} at ${metadataPlaces(issuer).join(' or ')}`)
}

/** The word goes before the path of the issuer, or, as in OpenID Connect and in practice, after it. */
export function metadataPlaces(issuer: string): readonly string[] {
  const { origin, pathname } = new URL(issuer)
  const path = pathname.replace(/\/$/, '')
  const words = ['oauth-authorization-server', 'openid-configuration']
  const before = words.map((word) => `${origin}/.well-known/${word}${path}`)
  return path === '' ? before : [...before, ...words.map((word) => `${origin}${path}/.well-known/${word}`)]
}

async function readMetadata(place: string): Promise<{ readonly [key: string]: unknown } | undefined> {
  const { status, text } = await askIssuer(place, {
    headers: { accept: 'application/json' },
    redirect: 'manual',
    signal: AbortSignal.timeout(TIMEOUT_MS),
  })
  if (status >= 500) throw new Error(`${place} answered with ${status}`)
  if (status !== 200) return undefined
  const metadata = parseJson(text) // Many sites answer with a page whatever they are asked for.
  return isObject(metadata) ? metadata : undefined
}
