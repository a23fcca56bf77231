import {
  FAULTS,
  Fault,
  type Id,
  isObject,
  type Outgoing,
  print,
  printPart,
  type Reply,
  sayingOf,
  type WireError,
} from '../../kernel/index.ts'
import type { Exchange, HttpHeaders, Refusal } from './exchange.ts'
import { type BodyParts, PART, type PartedExchange, SeriesParts, TextParts, takesParts } from './parts.ts'
import { refusal, refusalOf } from './refusal.ts'

export { refusal, refusalOf } from './refusal.ts'

const JSON_TYPE = { 'content-type': 'application/json' }

/** Whatever is refused is refused in JSON-RPC: never a page, never a stack. */
export function refuse(exchange: Exchange, refused: Refusal, id: Id | null = null): void {
  const { status, error, headers } = refused
  const { hooks } = exchange
  hooks?.turnedAway(exchange, refused)
  const named = id === null && hooks !== undefined ? hooks.unreadableId(exchange) : id
  const reply: Reply = named === undefined ? { jsonrpc: '2.0', error } : { jsonrpc: '2.0', id: named, error }
  exchange.answer(status, { ...JSON_TYPE, ...headers }, print(reply))
}

export function answerJson(exchange: Exchange, status: number, body: string): void {
  exchange.answer(status, JSON_TYPE, body)
}

/** Answers with what came of a message; an error may have a status and headers of its own. */
export function answerReply(
  exchange: Exchange,
  reply: Outgoing,
  { status, headers }: ReplyOptions = {},
): void {
  const own = headersOf(reply)
  const all = own === undefined ? headers : { ...headers, ...own }
  const head = all === undefined ? JSON_TYPE : { ...JSON_TYPE, ...all }
  const long = takesParts(exchange) ? printLong(reply) : undefined
  if (long === undefined) exchange.answer(status ?? statusOf(reply), head, print(reply))
  else (exchange as PartedExchange).answerInParts(status ?? 200, head, long) // As just looked at.
}

/** Stands for a text that is printed later. */
const LATER = '\u0000later\u0000'
const PRINTED_LATER = JSON.stringify(LATER)

const LIST = { open: '[', between: ',', close: ']' }

/** What is long is not put together before it leaves; undefined where it is not. */
function printLong(reply: Outgoing): BodyParts | undefined {
  if ('result' in reply) return printLongTexts(reply)
  return Array.isArray(reply) ? printLongBatch(reply) : undefined
}

function printLongBatch(batch: readonly Reply[]): BodyParts | undefined {
  const parts = new SeriesParts(batch.map(printLater), LIST)
  return parts.left > PART ? parts : undefined
}

/** What was printed when it was ready is that, whatever it has become. */
function printLater(reply: Reply): BodyParts {
  const said = 'result' in reply && sayingOf(reply) !== undefined ? printLongTexts(reply) : undefined
  return said ?? new TextParts(printPart(reply))
}

/** Long texts are printed while they leave; what cannot be read is told by whoever prints all of it. */
function printLongTexts(reply: ResultReply): BodyParts | undefined {
  try {
    const { result } = reply
    const content: readonly unknown[] = Array.isArray(result['content']) ? result['content'] : []
    const texts = content.map(longTextOf)
    const long = texts.filter((text) => text !== undefined)
    if (long.length === 0 || result['toJSON'] !== undefined) return undefined
    const short = content.map((block, place) =>
      texts[place] === undefined ? block : { ...(block as object), text: LATER },
    )
    const around = print({ ...reply, result: { ...result, content: short } }).split(PRINTED_LATER)
    return around.length === long.length + 1 ? interleave(around, long) : undefined
  } catch {
    return undefined
  }
}

/** The texts, each in quotes, in what stands around them. */
function interleave(around: readonly string[], texts: readonly string[]): BodyParts {
  return new SeriesParts(
    around.flatMap((text, place) => {
      const next = texts[place]
      const whole = `${place === 0 ? '' : '"'}${text}${next === undefined ? '' : '"'}`
      const parts = [new TextParts(whole)]
      return next === undefined ? parts : [...parts, new TextParts(next, { print: quoteInside })]
    }),
  )
}

/** The text of a block that is long, read once; what prints itself, or makes its text when it is read, does so in its own way. */
function longTextOf(block: unknown): string | undefined {
  if (!isObject(block) || Object.getPrototypeOf(block) !== Object.prototype || 'toJSON' in block)
    return undefined
  const text = Object.getOwnPropertyDescriptor(block, 'text')
  return typeof text?.value === 'string' && text.enumerable === true && text.value.length > PART
    ? text.value
    : undefined
}

function quoteInside(part: string): string {
  return JSON.stringify(part).slice(1, -1)
}

type ResultReply = Extract<Reply, { readonly result: unknown }>

interface ReplyOptions {
  readonly status?: number | undefined
  readonly headers?: HttpHeaders | undefined
}

/** Answers a call that was turned away, unless whoever it went through had another answer. */
export function answerRefused(exchange: Exchange, reply: Outgoing, refused: Refusal): void {
  if (errorOf(reply) === undefined) return answerReply(exchange, reply)
  exchange.hooks?.turnedAway(exchange, refused)
  answerReply(exchange, reply, refused)
}

/** Another node, or the next start, answers. */
export const CLOSING = refusal(503, 'Service unavailable: the server is closing', {
  connection: 'close',
  'retry-after': '1',
})

/** Nothing is added to what clients have yet to take. */
export const UNREAD = refusal(
  503,
  'Service unavailable: too many answers wait to be read by their clients (--max-unsent)',
  { connection: 'close', 'retry-after': '1' },
)

/** What cannot be read as text cannot be read as JSON. */
export const NOT_UTF8 = refusalOf(400, new Fault('parseError', 'Parse error: the body is not UTF-8'))

/** A fault that stopped a request at the door has a status of its own; what a handler says travels in 200. */
export const REPLY_STATUS: ReadonlyMap<number, number> = new Map<number, number>([
  [FAULTS.parseError.code, 400],
  [FAULTS.missingCapability.code, 400],
  [FAULTS.unsupportedVersion.code, 400],
  [FAULTS.insufficientScope.code, 403],
  [FAULTS.rateLimited.code, 429],
])

function statusOf(reply: Outgoing): number {
  const error = errorOf(reply)
  return error === undefined ? 200 : (REPLY_STATUS.get(error.code) ?? 200)
}

/** A client that calls too often is told when to come back. */
function headersOf(reply: Outgoing): HttpHeaders | undefined {
  const error = errorOf(reply)
  if (error?.code !== FAULTS.rateLimited.code) return undefined
  const { data } = error
  const waitMs = isObject(data) ? Number(data['retryAfterMs']) : Number.NaN
  const seconds = Number.isFinite(waitMs) ? Math.ceil(waitMs / 1000) : 1
  return { 'retry-after': String(Math.max(1, seconds)) }
}

/** What answers a batch has no one status. */
function errorOf(reply: Outgoing): WireError | undefined {
  return 'error' in reply && 'jsonrpc' in reply ? reply.error : undefined
}
