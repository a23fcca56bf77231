import { sizeOf } from '../budgets/check.ts'
import type { Call } from '../calls/call.ts'
import { Fault } from '../faults.ts'
import { isObject, type JsonObject } from '../jsonrpc/message.ts'
import { Mistake } from '../words/mistake.ts'
import type { Needs, Question } from './needs.ts'

/** What travels to the client and back between two rounds of a call. */
export interface SealedRound {
  /** Everything answered before this round. */
  readonly answers: JsonObject
  /** What this round asked. */
  readonly questions: { readonly [key: string]: Question }
  readonly state: unknown
}

interface Sealed extends SealedRound {
  readonly expires: number
}

export function sealRound(needs: Needs, call: Call): string {
  const { platform, settings } = call.server
  const sealed: Sealed = {
    answers: call.answers,
    questions: needs.questions,
    state: needs.state,
    expires: platform.now() + settings.stateTtlMs,
  }
  const token = platform.sealer.seal(JSON.stringify(sealed), boundTo(call))
  checkCarried(token, sealed, call)
  return token
}

/** What could not come back, since what comes in is bounded, is not sent: half of that is left for the request itself. */
function checkCarried({ length }: string, { answers, state, questions }: Sealed, { server }: Call): void {
  const { maxBodyBytes, maxLineBytes } = server.budgets
  const most = Math.floor(Math.min(maxBodyBytes, maxLineBytes) / 2)
  if (length <= most) return
  const words = `at most ${most} bytes, sealed, go to the client and back (half of --max-body or --max-line), got ${length}`
  if (sizeOf(answers) > sizeOf([state, questions]))
    throw new Fault('invalidParams', `Invalid params: inputResponses: too much has been answered: ${words}`)
  throw new Mistake(
    `call.ask: state and questions: ${words}. Keep what is large in a store, and its key in state`,
  )
}

export function openRound(token: unknown, call: Call): SealedRound {
  const { platform } = call.server
  const text = typeof token === 'string' ? platform.sealer.open(token, boundTo(call)) : undefined
  if (text === undefined) {
    throw new Fault('invalidState', 'Invalid requestState: it was not issued for this request')
  }
  const sealed: Sealed = JSON.parse(text)
  if (sealed.expires <= platform.now())
    throw new Fault('invalidState', 'Invalid requestState: it has expired')
  return sealed
}

/** A state is good for the caller and the request it was made for, and for no other. */
function boundTo(call: Call): string {
  const { _meta, inputResponses, requestState, ...params } = call.params ?? {}
  return canonical([call.principal?.id, call.method, params])
}

/** The same text for the same value, in whichever order a client writes its keys. */
function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join()}]`
  if (isObject(value))
    return `{${Object.keys(value)
      .sort()
      .map((key) => member(key, value[key]))
      .join()}}`
  // JSON has no word for a number that is too large for it, and would call it null.
  return typeof value === 'number' && !Number.isFinite(value) ? String(value) : JSON.stringify(value)
}

function member(key: string, value: unknown): string {
  return `${JSON.stringify(key)}:${canonical(value)}`
}
