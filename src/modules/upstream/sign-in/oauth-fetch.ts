import { allowInsecureRequests, customFetch } from 'oauth4webapi'
import { safePlace } from './safe-place.ts'
import { unrepeated } from './unrepeated.ts'

/** Far more than any authorization server has to say. */
const MAX_BYTES = 256 * 1024

const PATIENCE_MS = 20_000

/**
 * How everything is asked for that has to do with signing in: in safe places only, on this machine only for a server of
 * this machine, and no more is read than a sound answer has.
 */
export function asking(resource: URL): OAuthRequestOptions {
  return {
    [customFetch]: async (place, options) => {
      const response = await fetchFor(resource, place, options as RequestInit)
      response.headers.delete('www-authenticate') // The library would tell of it instead of what is wrong.
      return response.ok ? response : unrepeated(response, options)
    },
    [allowInsecureRequests]: true, // It is looked at here, where this machine is told from others.
  }
}

export interface OAuthRequestOptions {
  readonly [customFetch]: (place: string, options: object) => Promise<Response>
  readonly [allowInsecureRequests]: true
}

export async function fetchFor(resource: URL, place: string | URL, options: RequestInit): Promise<Response> {
  const url = safePlace(String(place), { by: resource.host, resource })
  const signal = AbortSignal.timeout(PATIENCE_MS)
  const response = await fetch(url, { ...options, redirect: 'manual', signal }).catch((error: unknown) => {
    throw unreachable(url, error)
  })
  const { status, headers } = response
  const text = await readText(response, url).catch((error: unknown) => {
    throw error instanceof TooMuch ? error : brokenOff(url, error)
  })
  return new Response(text === '' ? null : text, { status, headers: plain(headers) })
}

async function readText({ body }: Response, { origin }: URL): Promise<string> {
  const decoder = new TextDecoder()
  let [text, length] = ['', 0]
  for await (const piece of body ?? []) {
    length += piece.length
    if (length > MAX_BYTES) throw new TooMuch(`${origin} answered with more than ${MAX_BYTES} bytes`)
    text += decoder.decode(piece, { stream: true })
  }
  return text + decoder.decode()
}

/** What was true of the bytes on the way is not of the text. */
function plain(headers: Headers): Headers {
  const all = new Headers(headers)
  for (const name of ['content-encoding', 'content-length', 'transfer-encoding']) all.delete(name)
  return all
}

class TooMuch extends Error {}

/** Nobody is there who could sign anybody in. */
export class UnreachableError extends Error {}

function unreachable({ origin, pathname }: URL, error: unknown): Error {
  const words = isLate(error)
    ? `${origin}${pathname} did not answer within ${PATIENCE_MS / 1000} s`
    : `${origin} cannot be reached: ${reasonOf(error)}`
  return new UnreachableError(words, { cause: error })
}

/** What came is not all there was to come. */
function brokenOff({ origin, pathname }: URL, error: unknown): Error {
  const words = isLate(error)
    ? `did not finish its answer within ${PATIENCE_MS / 1000} s`
    : `broke off its answer: ${reasonOf(error)}`
  return new Error(`${origin}${pathname} ${words}`, { cause: error })
}

function isLate(error: unknown): boolean {
  return (error as Error).name === 'TimeoutError'
}

function reasonOf(error: unknown): string {
  const { cause } = error as { readonly cause?: unknown } // Anything may be thrown.
  return cause instanceof Error && cause.message !== '' ? cause.message : String((error as Error).message)
}
