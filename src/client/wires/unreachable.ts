import { ClientError } from '../errors.ts'

/** Where nothing was listening, nothing has been seen of the request. */
const UNSENT = [
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
  'ERR_CONNECT_LATE',
]

/** Why nothing was fetched, and whether anything was seen of the request. */
export function unreachable(url: URL, error: unknown): ClientError {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : (error as Error)
  const code = String((cause as { code?: unknown }).code ?? '')
  const unsent = UNSENT.includes(code)
  const why = cause.message === '' ? code : cause.message
  return unsent
    ? new ClientError('unreachable', `${url.origin} cannot be reached: ${why}`, { cause, unsent })
    : new ClientError('lost', `The connection to ${url.origin} broke: ${why}`, { cause })
}
