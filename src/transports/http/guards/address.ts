import { refusal } from '../answers.ts'
import type { Exchange, Refusal } from '../exchange.ts'
import type { HttpSettings } from '../settings.ts'

/** A page of another site must not reach a server on this machine by giving it a name of its own. */
export function checkHost(exchange: Exchange, { allowedHosts }: HttpSettings): Refusal | undefined {
  const host = exchange.headers['host']?.toLowerCase()
  if (host === undefined || host === '') return refusal(400, 'Bad request: the Host header is missing')
  if (exchange.ownHosts.includes(host) || allowedHosts.some((one) => matchesHost(host, one.toLowerCase()))) {
    return undefined
  }
  const name = host.replace(/:\d+$/, '')
  return refusal(
    403,
    `Forbidden: the host ${printable(host)} is not one of ours; if it is, allow it: --allow-host ${shown(name)} (allowedHosts)`,
  )
}

/** Whether it was asked for by a name that was allowed, which is none of this machine for itself. */
export function isNamed({ headers }: Exchange, { allowedHosts }: HttpSettings): boolean {
  const host = headers['host']?.toLowerCase() ?? ''
  if (LOOPBACK_NAMES.includes(host.replace(/:\d+$/, ''))) return false
  return allowedHosts.some((one) => matchesHost(host, one.toLowerCase()))
}

/** Browsers say which page a request comes from; other clients say nothing. */
export function checkOrigin(exchange: Exchange, { allowedOrigins }: HttpSettings): Refusal | undefined {
  const origin = exchange.headers['origin']
  if (origin === undefined || allowedOrigins.includes(origin)) return undefined
  const [, host] = /^http:\/\/(.+)$/.exec(origin.toLowerCase()) ?? []
  if (host !== undefined && exchange.ownHosts.includes(host)) return undefined
  return refusal(
    403,
    `Forbidden: the origin ${printable(origin)} is not allowed; if its pages may call, say so: --allow-origin ${shown(origin)} (allowedOrigins)`,
  )
}

export const FORWARDED = [
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
  const header = findForwarded(exchange)
  if (header === undefined) return undefined
  return refusal(
    403,
    `Forbidden: this came through a proxy (${header}), so anybody could send it, and no caller is asked for a key: set up keys or tokens (--key, --issuer, authenticator), or let anybody call: --allow-anonymous (allowAnonymous)`,
  )
}

/** The header by which a proxy says that it stands between. */
export function findForwarded({ headers }: Exchange): string | undefined {
  return FORWARDED.find((name) => headers[name] !== undefined)
}

const LOOPBACK_NAMES = ['localhost', '127.0.0.1', '[::1]']

/** What an address may be called in a Host header. */
export function listHosts(address: string, port: number): readonly string[] {
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

const LONGEST = 200

/** A header as it came, or how long it is: half of a secret would not be recognised as one. */
export function printable(text: string): string {
  return text.length > LONGEST ? `one of ${text.length} characters` : JSON.stringify(text)
}
