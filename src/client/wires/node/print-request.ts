import type { HeaderMap } from '../../wire.ts'
import type { Fetching } from '../fetching.ts'
import { NAME } from './response-head.ts'

const VALUE = /^[\t\x20-\x7e\x80-\xff]*$/

/** How long a request is, and what becomes of its connection, nobody says but who sends it. */
const OWN = new Set(['content-length', 'transfer-encoding', 'connection', 'expect', 'upgrade'])

/** What every request to an address says. */
export interface TargetHead {
  /** From the first sign of the path to the end of the line. */
  readonly path: string
  readonly headers: HeaderMap
}

export function targetOf(url: URL): TargetHead {
  const headers = { host: url.host, 'user-agent': 'perigee' }
  return {
    path: `${url.pathname}${url.search}`,
    headers: url.username === '' ? headers : { ...headers, authorization: basic(url) },
  }
}

/** A whole request, as it is sent. */
export function printRequest(target: TargetHead, request: Omit<Fetching, 'signal'>): Buffer {
  const { method, headers, body } = request
  const length = body === undefined ? 0 : Buffer.byteLength(body)
  const own = body === undefined ? '' : `content-length: ${length}\r\n`
  const head = `${method} ${target.path} HTTP/1.1\r\n${printHeaders(target, headers)}${own}\r\n`
  const bytes = Buffer.allocUnsafe(head.length + length)
  bytes.write(head, 'latin1')
  if (body !== undefined) bytes.write(body, head.length)
  return bytes
}

/** Names are the same in any letters; who comes last is heard. */
function printHeaders(target: TargetHead, headers: HeaderMap): string {
  const given = Object.keys(headers).every(isLower) ? headers : lowered(headers)
  let text = ''
  for (const name of Object.keys(target.headers))
    text += `${name}: ${given[name] ?? target.headers[name]}\r\n`
  for (const name of Object.keys(given)) {
    const value = given[name] ?? ''
    if (!NAME.test(name) || !VALUE.test(value))
      throw new TypeError(`The header ${JSON.stringify(name)} has a sign in it that no header may have`)
    if (!OWN.has(name) && !Object.hasOwn(target.headers, name)) text += `${name}: ${value}\r\n`
  }
  return text
}

function isLower(name: string): boolean {
  return name === name.toLowerCase()
}

function lowered(headers: HeaderMap): HeaderMap {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))
}

function basic({ username, password }: URL): string {
  const pair = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`
  return `Basic ${Buffer.from(pair).toString('base64')}`
}
