import { isObject, parseJson, readError, type WireError } from '../../kernel/index.ts'
import { LARGE, ownTurn } from '../../process/own-turn.ts'
import { ClientError, type ClientErrorDetails, ErrorReply } from '../errors.ts'
import type { MessageLimits } from '../intake.ts'
import type { HeaderMap } from '../wire.ts'
import { tooMuch } from './events.ts'
import { checkMove, type RedirectStep } from './redirect.ts'
import { type StopSignal, toAbortSignal } from './stop.ts'
import { TextPieces } from './text-pieces.ts'
import { unreachable } from './unreachable.ts'

/**
 * Headers of every request, or what gives them, such as a token that has to be made anew: it is asked again with the
 * server's challenge and the headers that were refused where that answers 401, and if it gives others then, the request
 * is sent once more.
 */
export type Headed = HeaderMap | ((challenge?: string, refused?: HeaderMap) => HeaderMap | Promise<HeaderMap>)

export interface FetchOptions extends MessageLimits {
  readonly headers: Headed
  readonly fetch: Fetch
  /** How long nothing may be heard. */
  readonly timeoutMs: number
  readonly maxReconnects: number
}

export interface Fetching {
  readonly method: 'GET' | 'POST' | 'DELETE'
  readonly headers: HeaderMap
  readonly body?: string
  readonly signal: StopSignal
}

/** What is read of an answer, whoever fetched it; a `Response` is one. */
export interface FetchedAnswer {
  readonly ok: boolean
  readonly status: number
  readonly headers: { get(name: string): string | null }
  readonly body: FetchedBody | null
}

/** Bytes that can be gone through; what cannot give its whole text at once has it put together. */
export interface FetchedBody {
  cancel(): Promise<void>
  readAll?(limits: MessageLimits): string | Promise<string>
}

export type Fetch = (url: URL, fetching: Fetching) => Promise<FetchedAnswer>

/** Fetches by a `fetch` as the web has it; no answer sends its reader on by itself. */
export function fetchBy(ordinary: typeof fetch): Fetch {
  return (url, { signal, ...rest }) =>
    ordinary(url, { ...rest, redirect: 'manual', signal: toAbortSignal(signal) })
}

/** Looked up anew each time, so that whoever replaces it is heard. */
export const globalFetch = fetchBy((...fetching) => fetch(...fetching))

/** What is kept of an answer that refuses. */
const REFUSAL = { maxMessageBytes: 64 * 1024 }

/** Fetches; another host is never gone to, for the headers may hold what only this one may see. */
export async function fetchFrom(url: URL, fetching: Fetching, options: FetchOptions): Promise<FetchedAnswer> {
  const at = { url, moves: 0 }
  const { headers } = options
  if (typeof headers !== 'function') return fetchAt(at, withHeaders(fetching, headers), options)
  const given = headers()
  const own = given instanceof Promise ? await given : given
  const response = await fetchAt(at, withHeaders(fetching, own), options)
  if (response.status !== 401) return response
  const others = await headers(response.headers.get('www-authenticate') ?? '', own)
  if (JSON.stringify(others) === JSON.stringify(own)) return response
  await discard(response)
  return fetchAt(at, withHeaders(fetching, others), options)
}

/** Nothing is copied where there is nothing to add. */
function withHeaders(fetching: Fetching, headers: HeaderMap): Fetching {
  if (Object.keys(headers).length === 0) return fetching
  return { ...fetching, headers: { ...headers, ...fetching.headers } }
}

function fetchAt(at: RedirectStep, fetching: Fetching, options: FetchOptions): Promise<FetchedAnswer> {
  return options.fetch(at.url, fetching).then(
    (response) => {
      const { status, headers } = response
      const to = status === 307 || status === 308 ? headers.get('location') : null
      if (to === null) return response
      return discard(response).then(() => fetchAt(checkMove(to, at, status), fetching, options))
    },
    (cause: unknown) => {
      const { signal } = fetching
      throw signal.aborted ? signal.reason : cause instanceof ClientError ? cause : unreachable(at.url, cause)
    },
  )
}

/** The error of an answer whose status is none of success; its cause is what the server says, if it says anything. */
export async function readRefusal(response: FetchedAnswer): Promise<ClientError> {
  return refusalOf(response, await readStart(response))
}

/** The same of what has been read. */
export function refusalOf(response: FetchedAnswer, text: string): ClientError {
  const { status } = response
  const challenge = response.headers.get('www-authenticate')
  const error = findRefusal(text)
  const words = error?.message ?? text.slice(0, 200)
  const retryAfter = Number(response.headers.get('retry-after') ?? Number.NaN)
  const cause = error === undefined ? undefined : new ErrorReply(error, status, challenge ?? undefined)
  return new ClientError('refused', `The server refused: ${status}${words === '' ? '' : `: ${words}`}`, {
    status,
    ...(cause !== undefined && { cause }),
    ...(challenge !== null && { challenge }),
    ...(Number.isFinite(retryAfter) && { retryAfterMs: retryAfter * 1000 }),
  })
}

/** What an answer says that refuses; whoever says nothing is another than whoever says too much. */
export async function readStart(response: FetchedAnswer): Promise<string> {
  try {
    return await readText(response, REFUSAL)
  } catch {
    return 'what it said cannot be read'
  }
}

/** What whoever waits is told: the server's own words, unless it is about who they are. */
export function wordsOf(error: unknown): Error {
  const { details } = error instanceof ClientError ? error : { details: {} as ClientErrorDetails }
  return details.cause instanceof ErrorReply && details.status !== 401 ? details.cause : (error as Error)
}

function findRefusal(text: string): WireError | undefined {
  const value = parseJson(text)
  const error = isObject(value) ? value['error'] : undefined
  return isObject(error) && typeof error['code'] === 'number' ? readError(error) : undefined
}

/** A whole body as text, up to the limit. */
export function readText(response: FetchedAnswer, limits: MessageLimits): string | Promise<string> {
  return response.body?.readAll?.(limits) ?? readPieces(response, limits.maxMessageBytes)
}

async function readPieces(response: FetchedAnswer, limit: number): Promise<string> {
  const decoder = new TextDecoder()
  const text = new TextPieces()
  let length = 0
  for await (const chunk of bodyOf(response)) {
    length += chunk.length
    if (length > limit) throw tooMuch(limit)
    text.add(decoder.decode(chunk, { stream: true }))
  }
  if (length > LARGE) await ownTurn()
  return text.take() + decoder.decode()
}

export function bodyOf(response: FetchedAnswer): AsyncIterable<Uint8Array> {
  return (response.body ?? []) as unknown as AsyncIterable<Uint8Array> // Bytes are all that a body holds.
}

/** Nobody wants to read this; a connection that is not read to its end is not used again. */
export async function discard(response: FetchedAnswer): Promise<void> {
  await response.body?.cancel().catch(() => {}) // It is gone either way.
}

export function kindOf(response: FetchedAnswer): 'json' | 'events' | 'other' {
  const type = response.headers.get('content-type') ?? ''
  if (type === 'application/json') return 'json'
  if (/^application\/json\b/i.test(type)) return 'json'
  return /^text\/event-stream\b/i.test(type) ? 'events' : 'other'
}
