import { cut, isObject } from '../../../kernel/index.ts'

/** What is kept of why an authorization server refuses. */
const LONGEST_WORDS = 300

/** Shorter ones stand in every text, and are no secrets. */
const SHORTEST_SECRET = 4

/** What only whoever asks and whoever is asked may know of a form. */
const SECRETS = ['client_secret', 'client_assertion', 'code', 'code_verifier', 'refresh_token', 'token']

/** A request as it was sent. */
export interface SentForm {
  readonly body?: unknown
  readonly headers?: unknown
}

/** A refusal without what was sent in confidence: some repeat it in their words, which are told to others and logged. */
export async function unrepeated(refusal: Response, sent: SentForm): Promise<Response> {
  const { status, headers } = refusal
  const told: unknown = await refusal
    .clone()
    .json()
    .catch(() => undefined)
  if (!isObject(told)) return refusal // Nothing is told of what is no JSON.
  const secrets = secretsIn(sent)
  const words = Object.entries(told).flatMap(([name, value]) =>
    typeof value === 'string' ? [[name, cut(without(secrets, value), LONGEST_WORDS)]] : [],
  )
  return new Response(JSON.stringify(Object.fromEntries(words)), { status, headers })
}

function without(secrets: readonly string[], text: string): string {
  return secrets.reduce((rest, secret) => rest.replaceAll(secret, '[…]'), text)
}

/** As they are and as they were written on the way, the longest first, since one may be a part of another. */
function secretsIn({ body, headers }: SentForm): readonly string[] {
  const form = body instanceof URLSearchParams ? SECRETS.map((name) => body.get(name) ?? '') : []
  const all = [...form, ...basicIn(headers)].flatMap((one) => [one, encodeURIComponent(one), asInForm(one)])
  return [...new Set(all)]
    .filter(({ length }) => length >= SHORTEST_SECRET)
    .toSorted((one, other) => other.length - one.length)
}

function basicIn(headers: unknown): readonly string[] {
  const { authorization } = isObject(headers) ? headers : {}
  const [, basic] = /^Basic (.+)$/.exec(String(authorization)) ?? []
  if (basic === undefined) return []
  const secret = atob(basic).replace(/^[^:]*:/, '')
  return [basic, secret, new URLSearchParams(`=${secret}`).get('') ?? '']
}

export function asInForm(text: string): string {
  return new URLSearchParams({ '': text }).toString().slice(1)
}
