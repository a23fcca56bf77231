import { ClientError } from '../../errors.ts'

/** What comes before the body of an answer. */
export interface ResponseHead {
  readonly status: number
  /** By their names in small letters. */
  readonly headers: ReadonlyMap<string, string>
  /** How many bytes its body has, where that is known by then. */
  readonly length: number | 'chunked' | 'until-close'
  /** How long its connection may be kept for the next request; 0 where it may not be. */
  readonly keepMs: number
}

/** A connection that nobody uses is let go before most servers would, so that none is lost with a request on it. */
const KEEP_MS = 4000

const STATUS = /^HTTP\/1\.([01]) ([1-9]\d\d)(?: .*)?$/

/** What a header may be called. */
export const NAME = /^[!#$%&'*+\-.^_`|~\w]+$/

/** As strict as can be: what two readers may read in two ways is refused. */
export function parseHead(text: string): ResponseHead {
  const [first = '', ...lines] = text.split('\r\n')
  const [, minor, digits] = STATUS.exec(first) ?? []
  if (digits === undefined) throw noHttp(`it begins with ${JSON.stringify(first.slice(0, 80))}`)
  const status = Number(digits)
  const headers = parseHeaders(lines)
  const length = findLength(status, headers)
  const isKept =
    minor === '1' && length !== 'until-close' && !/\bclose\b/i.test(headers.get('connection') ?? '')
  return { status, headers, length, keepMs: isKept ? findKeepMs(headers) : 0 }
}

function parseHeaders(lines: readonly string[]): ReadonlyMap<string, string> {
  const headers = new Map<string, string>()
  for (const line of lines) {
    const colon = line.indexOf(':')
    const name = line.slice(0, Math.max(colon, 0))
    if (!NAME.test(name) || /[\0\r\n]/.test(line))
      throw noHttp(`a header is ${JSON.stringify(line.slice(0, 80))}`)
    const key = name.toLowerCase()
    const value = line.slice(colon + 1).trim()
    const before = headers.get(key)
    headers.set(key, before === undefined ? value : `${before}, ${value}`)
  }
  return headers
}

function findLength(status: number, headers: ReadonlyMap<string, string>): ResponseHead['length'] {
  const coding = headers.get('transfer-encoding')
  const length = headers.get('content-length')
  if (status < 200 || status === 204 || status === 304) return 0
  if (coding !== undefined && (length !== undefined || coding.toLowerCase() !== 'chunked'))
    throw noHttp('its length can be read in two ways')
  if (coding !== undefined) return 'chunked'
  if (length === undefined) return 'until-close'
  if (!/^\d{1,15}$/.test(length)) throw noHttp(`its length is ${JSON.stringify(length.slice(0, 80))}`)
  return Number(length)
}

/** A server that says how long it keeps a connection is left a second before that. */
function findKeepMs(headers: ReadonlyMap<string, string>): number {
  const [, seconds] = /\btimeout=(\d+)/i.exec(headers.get('keep-alive') ?? '') ?? []
  return seconds === undefined ? KEEP_MS : Math.min(KEEP_MS, Math.max(0, Number(seconds) - 1) * 1000)
}

export function noHttp(why: string): ClientError {
  return new ClientError('nonsense', `The server answered what is no HTTP: ${why}`)
}
