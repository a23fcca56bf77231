import { ClientError, ErrorReply } from '../errors.ts'

/** The status by which a server says that it does not know a session. */
export const GONE = 404

/** Codes of what is about the way and not about the request, and what servers say by them of a session they do not know. */
const [WAY_CODES, WORDS] = [[-32000, -32001], /: 400$|session|not initialized/i]

/** Whether a server has forgotten the session of what it refuses: many say so by 400, in words or in none, and not by 404. */
export function isForgotten(error: unknown): boolean {
  if (!(error instanceof ClientError)) return false
  const { status, cause } = error.details
  const isOfTheWay = !(cause instanceof ErrorReply) || WAY_CODES.includes(cause.code)
  return status === GONE || (status === 400 && isOfTheWay && WORDS.test(error.message))
}

/** What is told where a session is lost, and the next one as well. */
export function forgottenAgain(refusal: ClientError | undefined): ClientError {
  const forgotten = true
  if (refusal === undefined || refusal.details.status === GONE)
    return new ClientError('lost', 'The server forgot its session, and the next one as well', { forgotten })
  return new ClientError(refusal.reason, refusal.message, { ...refusal.details, forgotten })
}
