import type { Fetching } from '../fetching.ts'
import { NAME } from './response-head.ts'

const VALUE = /^[\t\x20-\x7e\x80-\xff]*$/

/** How long a request is, and what becomes of its connection, nobody says but who sends it. */
const OWN = new Set(['content-length', 'transfer-encoding', 'connection', 'expect', 'upgrade'])

/** A whole request, as it is sent. */
export function printRequest(url: URL, { method, headers, body }: Omit<Fetching, 'signal'>): Buffer {
  const length = body === undefined ? 0 : Buffer.byteLength(body)
  const own = body === undefined ? '' : `content-length: ${length}\r\n`
  const head = `${method} ${url.pathname}${url.search} HTTP/1.1\r\n${printHeaders(url, headers)}${own}\r\n`
  const bytes = Buffer.allocUnsafe(head.length + length)
  bytes.write(head, 'latin1')
  if (body !== undefined) bytes.write(body, head.length)
  return bytes
}

/** Names are the same in any letters; who comes last is heard. */
function printHeaders(url: URL, headers: Fetching['headers']): string {
  const all = new Map([
    ['host', url.host],
    ['user-agent', 'perigee'],
  ])
  if (url.username !== '') all.set('authorization', basic(url))
  for (const [name, value] of Object.entries(headers)) {
    if (!NAME.test(name) || !VALUE.test(value))
      throw new TypeError(`The header ${JSON.stringify(name)} has a sign in it that no header may have`)
    const key = name.toLowerCase()
    if (!OWN.has(key)) all.set(key, value)
  }
  let text = ''
  for (const [name, value] of all) text += `${name}: ${value}\r\n`
  return text
}

function basic({ username, password }: URL): string {
  const pair = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`
  return `Basic ${Buffer.from(pair).toString('base64')}`
}
