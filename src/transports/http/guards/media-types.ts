import { refusal } from '../answers.ts'
import type { Exchange, Refusal } from '../exchange.ts'
import { printable } from './address.ts'

export function checkContentType(exchange: Exchange): Refusal | undefined {
  const type = exchange.headers['content-type'] ?? ''
  if (type !== 'application/json' && type.split(';')[0]?.trim().toLowerCase() !== 'application/json') {
    const sent = type === '' ? 'none' : printable(type)
    return refusal(415, `Unsupported media type: expected Content-Type: application/json, got ${sent}`)
  }
  const encoding = exchange.headers['content-encoding']
  return encoding === undefined || encoding.toLowerCase() === 'identity'
    ? undefined
    : refusal(415, 'Unsupported media type: send the body as it is, without Content-Encoding')
}

export const EVENTS = 'text/event-stream'

/** What clients of POST must send; whoever takes JSON alone can still be answered, though not told anything before. */
const JSON_OR_EVENTS = `application/json, ${EVENTS}`

export function checkPostAccept(exchange: Exchange): Refusal | undefined {
  return exchange.headers['accept'] === JSON_OR_EVENTS || accepts(exchange, 'application/json')
    ? undefined
    : notAcceptable(exchange, JSON_OR_EVENTS)
}

export function checkStreamAccept(exchange: Exchange): Refusal | undefined {
  return accepts(exchange, EVENTS) ? undefined : notAcceptable(exchange, EVENTS)
}

/** A client that names no types takes any. */
export function accepts(exchange: Exchange, type: string): boolean {
  const accept = exchange.headers['accept']
  if (accept === undefined) return true
  const ranges = accept.split(',')
  // Nearly all say it in so many words, and nothing that could take it back.
  const isPlain = !accept.includes(';') && ranges.some((range) => range.trim() === type)
  return isPlain || allows(ranges.map(readRange), type)
}

function notAcceptable(exchange: Exchange, expected: string): Refusal {
  const accept = printable(exchange.headers['accept'] as string) // Whoever names none takes any.
  return refusal(406, `Not acceptable: expected Accept: ${expected}, got ${accept}`)
}

interface Range {
  readonly type: string
  /** `q=0`: anything but this. */
  readonly never: boolean
}

function readRange(text: string): Range {
  const [type = '', ...parameters] = text.split(';').map((part) => part.trim().toLowerCase())
  return { type, never: parameters.some((parameter) => /^q=0(\.0*)?$/.test(parameter)) }
}

/** The range that names a type most closely decides. */
function allows(ranges: readonly Range[], type: string): boolean {
  const names = [type, type.replace(/\/.*/, '/*'), '*/*']
  const [closest] = names.flatMap((name) => ranges.filter((range) => range.type === name))
  return closest?.never === false
}
