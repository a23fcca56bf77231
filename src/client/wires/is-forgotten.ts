import { type Id, isObject, type JsonObject, parseJson } from '../../kernel/index.ts'
import { ClientError, ErrorReply } from '../errors.ts'
import type { Sent } from '../wire.ts'
import { discard, type FetchedAnswer, readStart, refusalOf } from './fetching.ts'

/** The status by which a server says that it does not know a session. */
const GONE = 404

/** Codes of what is about the way and not about the request, and what servers say by them of a session they do not know. */
const [WAY_CODES, WORDS] = [[-32000, -32001], /: 400$|session|not initialized/i]

/** Whether a server has forgotten the session of what it refuses: many say so by 400, in words or in none, and not by 404. */
export function isForgotten(error: unknown): boolean {
  if (!(error instanceof ClientError)) return false
  const { status, cause } = error.details
  const isOfTheWay = !(cause instanceof ErrorReply) || WAY_CODES.includes(cause.code)
  return status === GONE || (status === 400 && isOfTheWay && WORDS.test(error.message))
}

/** How a message was refused, and by which text. */
export interface RefusedPost {
  readonly error: ClientError
  readonly text: string
  readonly id: Id | undefined
}

const PING = { jsonrpc: '2.0', id: 'still-there', method: 'ping' } as const

/**
 * Whether the session is gone in which a message was refused. A tool that has run may fail in these words and by this
 * status: unless the status is all there is, what has nothing to do with any request is asked, and refused so as well.
 */
export async function isGone(
  refused: RefusedPost,
  ask: (message: Sent) => Promise<FetchedAnswer>,
): Promise<boolean> {
  if (!soundsGone(refused)) return false
  if (refused.error.details.status === GONE && refused.text === '') return true
  try {
    const answer = await ask(PING)
    if (answer.ok) return discard(answer).then(() => false)
    const text = await readStart(answer)
    return soundsGone({ error: refusalOf(answer, text), text, id: PING.id })
  } catch {
    return false // Nobody says that it is gone.
  }
}

/** What names its request, and is of neither the way nor the session, is the answer to that. */
function soundsGone({ error, text, id }: RefusedPost): boolean {
  if (!isForgotten(error)) return false
  const own = responseTo(text, id)?.['error']
  return !isObject(own) || WAY_CODES.includes(Number(own['code'])) || WORDS.test(String(own['message']))
}

/** Whether a refusal carries the result of this request, which has run then. */
export function isResult(text: string, id: Id | undefined): boolean {
  return isObject(responseTo(text, id)?.['result'])
}

/** Some hand a number back as a string; whoever does not know a session names no request, or one of their own. */
function responseTo(text: string, id: Id | undefined): JsonObject | undefined {
  const value = parseJson(text)
  return isObject(value) && id !== undefined && String(value['id']) === String(id) ? value : undefined
}

/** What is told where a session is lost, and the next one as well. */
export function forgottenAgain(refusal: ClientError | undefined): ClientError {
  const forgotten = true
  if (refusal === undefined || refusal.details.status === GONE)
    return new ClientError('lost', 'The server forgot its session, and the next one as well', { forgotten })
  return new ClientError(refusal.reason, refusal.message, { ...refusal.details, forgotten })
}
