import {
  describe,
  Fault,
  type HeaderArgument,
  isObject,
  type JsonObject,
  META,
  type Peer,
  type Request,
} from '../../../kernel/index.ts'
import type { HttpHeaders } from '../exchange.ts'

/** Which parameter of a method the header `Mcp-Name` repeats. */
const NAMED = new Map([
  ['tools/call', 'name'],
  ['prompts/get', 'name'],
  ['resources/read', 'uri'],
  ['tasks/get', 'taskId'],
  ['tasks/update', 'taskId'],
  ['tasks/cancel', 'taskId'],
])

/**
 * Proxies route by headers, so headers that do not say what the body says are refused: the version's first, since
 * in a revision that is not known nothing is known of the others.
 */
export function checkHeaders(
  headers: HttpHeaders,
  request: Request,
  sender: Peer | Fault,
): Fault | undefined {
  if (sender instanceof Fault && sender.fault !== 'unsupportedVersion') return sender
  const meta = request.params?.['_meta'] as JsonObject // It says who sends it.
  const version = String(meta[META.protocolVersion])
  const otherVersion = compare('MCP-Protocol-Version', headers['mcp-protocol-version'], version)
  if (otherVersion !== undefined || sender instanceof Fault) return otherVersion
  return compare('Mcp-Method', headers['mcp-method'], request.method) ?? checkName(headers, request)
}

function checkName(headers: HttpHeaders, { method, params }: Request): Fault | undefined {
  const key = NAMED.get(method)
  const name = key === undefined ? undefined : params?.[key]
  if (typeof name !== 'string') return undefined // The method itself will say what is wrong with it.
  return compareDecoded('Mcp-Name', headers['mcp-name'], name)
}

/** The arguments whose schema asks for a header of their own. */
export function checkArguments(
  headers: HttpHeaders,
  { params }: Request,
  named: readonly HeaderArgument[],
): Fault | undefined {
  const args = params?.['arguments']
  for (const argument of named) {
    const mismatch = checkArgument(headers, argument, isObject(args) ? args : {})
    if (mismatch !== undefined) return mismatch
  }
  return undefined
}

function checkArgument(
  headers: HttpHeaders,
  { name, path }: HeaderArgument,
  args: JsonObject,
): Fault | undefined {
  const header = `Mcp-Param-${name}`
  const sent = headers[header.toLowerCase()]
  const value = path.reduce<unknown>(
    (one, key) => (isObject(one) && Object.hasOwn(one, key) ? one[key] : undefined),
    args,
  )
  if (value === undefined || value === null) {
    return sent === undefined ? undefined : mismatched(header, sent, 'no such argument')
  }
  return typeof value === 'number' && isSameNumber(sent, value)
    ? undefined
    : compareDecoded(header, sent, typeof value === 'object' ? JSON.stringify(value) : String(value))
}

/** `42.0` is the integer 42. */
function isSameNumber(sent: string | undefined, value: number): boolean {
  const decoded = sent === undefined ? undefined : decodeSentinel(sent)
  return decoded !== undefined && /^-?\d+(\.\d+)?$/.test(decoded) && Number(decoded) === value
}

function compareDecoded(header: string, sent: string | undefined, expected: string): Fault | undefined {
  return compare(header, sent === undefined ? undefined : decodeSentinel(sent), expected)
}

function compare(header: string, sent: string | undefined, expected: string): Fault | undefined {
  return sent !== undefined && sent === expected ? undefined : mismatched(header, sent, expected)
}

function mismatched(header: string, sent: string | undefined, expected: string): Fault {
  const text = `Header mismatch: ${header}: expected ${JSON.stringify(expected.slice(0, 100))}, got ${describe(sent)}`
  return new Fault('headerMismatch', text)
}

/** What cannot stand in a header is sent as `=?base64?…?=`; a wrong one decodes to nothing. */
function decodeSentinel(value: string): string | undefined {
  if (!/^[\t\x20-\x7e]*$/.test(value)) return undefined
  const [, encoded] = value.startsWith('=?') ? (/^=\?base64\?(.*)\?=$/.exec(value) ?? []) : []
  if (encoded === undefined) return value
  try {
    const bytes = Uint8Array.from(atob(encoded), (one) => one.charCodeAt(0))
    // The decoder forgives missing padding, and the protocol does not.
    if (btoa(String.fromCharCode(...bytes)) !== encoded) return undefined
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return undefined
  }
}
