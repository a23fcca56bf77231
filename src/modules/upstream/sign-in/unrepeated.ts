import { cut, isObject } from '../../../kernel/index.ts'
import { Confidential } from '../confidential.ts'
import { toSecrets } from '../secret-forms.ts'
import { basicIn } from '../secrets.ts'

/** What is kept of why an authorization server refuses. */
const LONGEST_WORDS = 300

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
  const confidential = new Confidential(toSecrets(secretsSent(sent)))
  const words = Object.entries(told).flatMap(([name, value]) =>
    typeof value === 'string'
      ? [[confidential.hideIn(name), cut(confidential.hideIn(value), LONGEST_WORDS)]]
      : [],
  )
  return new Response(JSON.stringify(Object.fromEntries(words)), { status, headers })
}

function secretsSent({ body, headers }: SentForm): readonly string[] {
  const form = body instanceof URLSearchParams ? SECRETS.map((name) => body.get(name) ?? '') : []
  const { authorization } = isObject(headers) ? headers : {}
  return [...form, ...basicIn(authorization)]
}
