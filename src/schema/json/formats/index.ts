import { readingCost } from '../pattern/index.ts'
import { isEmail, isHostname, isIdnEmail, isIdnHostname, isIpv4, isIpv6 } from './addresses.ts'
import { isDate, isDateTime, isDuration, isTime } from './dates.ts'
import { isIri, isIriReference, isUri, isUriReference, isUriTemplate } from './uris.ts'

/** What a text of a format is like; a format that is not here says nothing. */
const FORMATS = new Map<string, (text: string) => boolean>([
  ['date', isDate],
  ['time', isTime],
  ['date-time', isDateTime],
  ['duration', isDuration],
  ['email', isEmail],
  ['idn-email', isIdnEmail],
  ['hostname', isHostname],
  ['idn-hostname', isIdnHostname],
  ['ipv4', isIpv4],
  ['ipv6', isIpv6],
  ['uri', isUri],
  ['uri-reference', isUriReference],
  ['iri', isIri],
  ['iri-reference', isIriReference],
  ['uri-template', isUriTemplate],
  ['uuid', (text) => /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i.test(text)],
  ['json-pointer', (text) => /^(?:\/(?:[^~/]|~[01])*)*$/.test(text)],
  ['relative-json-pointer', (text) => /^(?:0|[1-9]\d*)(?:#|(?:\/(?:[^~/]|~[01])*)*)$/.test(text)],
  ['regex', isRegularExpression],
])

/** No text of any of these formats is this long; the expressions above are not held against longer ones. */
const MAX_LENGTH = 4096

export function findFormat(name: string): ((text: string) => boolean) | undefined {
  const fits = FORMATS.get(name)
  return fits && ((text) => text.length <= MAX_LENGTH && fits(text))
}

/** What it takes to hold a text against a format, in steps: an expression is read for it. */
export function costOfFormat(name: string, text: string): number {
  const looking = costOfParts(name, text) + (text.length >> 1) // An expression may go through it several times.
  return name === 'regex' && text.length <= MAX_LENGTH ? looking + readingCost(text) : looking
}

/** What is taken apart and put together again costs more: an IPv6 address, which may be a host in brackets, or a date. */
function costOfParts(name: string, text: string): number {
  if (name === 'ipv6' || text.includes('[')) return 64
  return name === 'date-time' ? 32 : 12
}

function isRegularExpression(text: string): boolean {
  try {
    return new RegExp(text, 'u') instanceof RegExp
  } catch {
    return false
  }
}
