import { describe, isObject, type JsonObject, parseJson } from '../../../kernel/index.ts'
import { fetchFor } from './oauth-fetch.ts'

/** What stands at a place where servers tell of themselves, and where that is. */
export interface FoundDocument {
  readonly place: string
  readonly told: JsonObject
}

/** The first of these places at which something stands; many sites answer with a page whatever they are asked for. */
export async function findDocument(
  resource: URL,
  places: Iterable<string>,
): Promise<FoundDocument | undefined> {
  for (const place of places) {
    const response = await fetchFor(resource, place, { headers: { accept: 'application/json' } })
    const told = response.status === 200 ? parseJson(await response.text()) : undefined
    if (told === undefined) continue
    if (!isObject(told)) throw wrong(place, `expected a JSON object, got ${describe(told)}`)
    for (const name of LISTS) checkList(name, { place, told })
    return { place, told }
  }
  return undefined
}

/** What is a list of texts wherever it stands. */
const LISTS = [
  'authorization_servers',
  'scopes_supported',
  'code_challenge_methods_supported',
  'token_endpoint_auth_methods_supported',
  'token_endpoint_auth_signing_alg_values_supported',
]

function checkList(name: string, { place, told }: FoundDocument): void {
  const list = told[name] ?? []
  const odd = Array.isArray(list) ? list.find((one) => typeof one !== 'string') : list
  if (odd !== undefined) throw wrong(place, `its ${name}: expected a list of texts, got ${describe(odd)}`)
}

/** What an authorization server tells of itself is for its own tokens alone (RFC 8414, 3.3). */
export function checkIssuer({ place, told: { issuer } }: FoundDocument, expected: string): void {
  const isText = typeof issuer === 'string' && URL.canParse(issuer)
  if (isText && new URL(issuer).href === new URL(expected).href) return
  throw wrong(place, `its issuer: expected ${expected}, got ${describe(issuer)}`)
}

/** Nothing is repeated of an address but where it is. */
export function wrong(place: string, words: string): Error {
  const { origin, pathname } = new URL(place)
  return new Error(`${origin}${pathname}: ${words}`)
}
