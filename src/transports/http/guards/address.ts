import { refusal } from '../answers.ts'
import type { Exchange, Refusal } from '../exchange.ts'
import type { HttpSettings } from '../settings.ts'

/** A page of another state must not reach a server on this machine by giving it a name of its own. */
export function checkHost(exchange: Exchange, { allowedHosts }: HttpSettings): Refusal | undefined {
  const host = exchange.header('host')?.toLowerCase()
  if (host === undefined || host === '') return refusal(400, 'Bad request: the Host header is missing')
  if (isOwnHost(host, exchange) || allowedHosts.some((one) => matchesHost(host, one.toLowerCase()))) {
    return undefined
  }
  const name = host.replace(/:\d+$/, '')
  return refusal(
    403,
    `Forbidden: the host ${printable(host)} is not one of ours; if it is, allow it: --allow-host ${shown(name)} (allowedHosts)`,
  )
}

/** Browsers say which page a request comes from; other clients say nothing. */
export function checkOrigin(exchange: Exchange, { allowedOrigins }: HttpSettings): Refusal | undefined {
  const origin = exchange.header('origin')
  if (origin === undefined || allowedOrigins.includes(origin)) return undefined
  const [, host] = /^http:\/\/(.+)$/.exec(origin.toLowerCase()) ?? []
  if (host !== undefined && isOwnHost(host, exchange)) return undefined
  return refusal(
    403,
    `Forbidden: the origin ${printable(origin)} is not allowed; if its pages may call, say so: --allow-origin ${shown(origin)} (allowedOrigins)`,
  )
}

const FORWARDED = [
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-proto',
  'forwarded',
  'x-real-ip',
  'via',
] as const

/** Whoever comes through a proxy looks as if on this machine, so that a server open to this machine is open to all. */
export function checkForwarded(exchange: Exchange, settings: HttpSettings): Refusal | undefined {
  if (settings.authenticator !== undefined || settings.allowAnonymous) return undefined
  const header = FORWARDED.find((name) => exchange.header(name) !== undefined)
  if (header === undefined) return undefined
  return refusal(
    403,
    `Forbidden: this came through a proxy (${header}), so anybody could send it, and no caller is asked for a key: set up keys or tokens (--key, --issuer, authenticator), or let anybody call: --allow-anonymous (allowAnonymous)`,
  )
}

export function checkContentType(exchange: Exchange): Refusal | undefined {
  const type = exchange.header('content-type') ?? ''
  if (type !== 'application/json' && type.split(';')[0]?.trim().toLowerCase() !== 'application/json') {
    const sent = type === '' ? 'none' : printable(type)
    return refusal(415, `Unsupported media type: expected Content-Type: application/json, got ${sent}`)
  }
  const encoding = exchange.header('content-encoding')
  return encoding === undefined || encoding.toLowerCase() === 'identity'
    ? undefined
    : refusal(415, 'Unsupported media type: send the body as it is, without Content-Encoding')
}

export const EVENTS = 'text/event-stream'

/** What clients of POST must send; whoever takes JSON alone can still be answered, though not told anything before. */
const JSON_OR_EVENTS = `application/json, ${EVENTS}`

export function checkPostAccept(exchange: Exchange): Refusal | undefined {
  return exchange.header('accept') === JSON_OR_EVENTS || takes(exchange, 'application/json')
    ? undefined
    : notAcceptable(exchange, JSON_OR_EVENTS)
}

export function checkStreamAccept(exchange: Exchange): Refusal | undefined {
  return takes(exchange, EVENTS) ? undefined : notAcceptable(exchange, EVENTS)
}

/** A client that names no types takes any. */
export function takes(exchange: Exchange, type: string): boolean {
  const accept = exchange.header('accept')
  return accept === undefined || accepts(accept.toLowerCase().split(',').map(readRange), type)
}

function notAcceptable(exchange: Exchange, expected: string): Refusal {
  const accept = printable(exchange.header('accept') ?? '')
  return refusal(406, `Not acceptable: expected Accept: ${expected}, got ${accept}`)
}

interface Range {
  readonly type: string
  /** `q=0`: anything but this. */
  readonly never: boolean
}

function readRange(text: string): Range {
  const [type = '', ...parameters] = text.split(';').map((part) => part.trim())
  return { type, never: parameters.some((parameter) => /^q=0(\.0*)?$/.test(parameter)) }
}

/** The range that names a type most closely decides. */
function accepts(ranges: readonly Range[], type: string): boolean {
  const names = [type, type.replace(/\/.*/, '/*'), '*/*']
  const [closest] = names.flatMap((name) => ranges.filter((range) => range.type === name))
  return closest?.never === false
}

/** Whether this is a name of the address that the client has reached. */
function isOwnHost(host: string, { local }: Exchange): boolean {
  return local !== undefined && ownHosts(local.address, local.port).includes(host)
}

/** Nearly all requests come to the same address, so the names of the last one are kept. */
let last = { address: '', port: 0, hosts: [] as readonly string[] }

function ownHosts(address: string, port: number): readonly string[] {
  if (address !== last.address || port !== last.port)
    last = { address, port, hosts: listHosts(address, port) }
  return last.hosts
}

const LOOPBACK_NAMES = ['localhost', '127.0.0.1', '[::1]']

function listHosts(address: string, port: number): readonly string[] {
  const plain = address.replace(/^::ffff:/, '')
  const own = plain.includes(':') ? `[${plain}]` : plain
  const names = isLoopback(plain) ? [own, ...LOOPBACK_NAMES] : [own]
  const hosts = names.map((name) => `${name}:${port}`)
  return port === 80 ? [...hosts, ...names] : hosts
}

export function isLoopback(address: string): boolean {
  return address === 'localhost' || address === '::1' || /^127(\.\d{1,3}){3}$/.test(address)
}

/** A name without a port stands for that host at any port. */
function matchesHost(host: string, allowed: string): boolean {
  return host === allowed || host.replace(/:\d+$/, '') === allowed
}

/** As it can be typed, if it is what it should be. */
function shown(name: string): string {
  return /^[\w.:/[\]-]{1,100}$/.test(name) ? name : 'NAME'
}

function printable(text: string): string {
  return JSON.stringify(text.slice(0, 100))
}
