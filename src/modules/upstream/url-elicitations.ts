import type { ErrorReply } from '../../client/index.ts'
import { type Call, isObject, type JsonObject, Needs, plainFault, type Question } from '../../kernel/index.ts'
import type { RoundState } from './params.ts'

/** By which 2025-11-25 says that pages have to be opened before a request can be answered. */
export const URL_ELICITATION_REQUIRED = -32042

/** What comes with it, of which the pages are left as they are: an address without a part of it leads nowhere. */
export function hideAround(data: unknown, hide: (value: unknown) => unknown): unknown {
  if (!isObject(data) || !Array.isArray(data['elicitations'])) return hide(data)
  const { elicitations, ...rest } = data
  const pages = elicitations.map((one: unknown) => {
    if (!isObject(one)) return hide(one)
    const kept = Object.entries(one).filter(
      ([name, value]) => LEADS.includes(name) && typeof value === 'string',
    )
    return { ...(hide(one) as JsonObject), ...Object.fromEntries(kept) } // It has the same form.
  })
  return { ...(hide(rest) as JsonObject), elicitations: pages } // As above.
}

/** By what somebody finds the page, and says that it was opened. */
const LEADS = ['url', 'elicitationId']

type AskedPages = { readonly output: Needs } | { readonly error: Error }

/**
 * Has a caller whose revision has no such error asked by a result to open the pages; the call is made again after that.
 * Whoever has none to open, or does not want to, is told what may be said of it.
 */
export function urlsAsked(error: ErrorReply, call: Call, said: string): AskedPages | undefined {
  const { asking, elicitationId } = call.peer.revision
  if (error.code !== URL_ELICITATION_REQUIRED || asking !== 'retry' || elicitationId) return undefined
  const questions = questionsIn(error.data)
  if (questions.length === 0 || isDeclined(call)) return { error: asFailure(said, call) }
  const keys = questions.map((_, at) => `elicitation-${at + 1}`)
  const asked = Object.fromEntries(questions.map((question, at) => [keys[at], question]))
  return { output: new Needs(asked, { state: { urls: keys } }) }
}

function questionsIn(data: unknown): readonly Question[] {
  const all = isObject(data) && Array.isArray(data['elicitations']) ? data['elicitations'] : []
  return all.flatMap((one: unknown) => {
    const { message, url } = isObject(one) ? one : ({} as JsonObject)
    const isWhole = typeof message === 'string' && typeof url === 'string'
    return isWhole ? [{ method: 'elicitation/create', params: { mode: 'url', message, url } }] : []
  })
}

/** Whoever does not want to open them is not asked once more. */
function isDeclined({ state, answers }: Call): boolean {
  const { urls = [] } = (state ?? {}) as RoundState
  return urls.some((key) => {
    const answer = answers[key]
    return isObject(answer) && answer['action'] !== 'accept'
  })
}

function asFailure(said: string, { method }: Call): Error {
  return method === 'tools/call' ? new Error(said) : plainFault('internalError', said)
}
