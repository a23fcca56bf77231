import type { Exchange, Refusal } from './exchange.ts'
import { refusal } from './refuse.ts'
import type { HttpSettings } from './settings.ts'

/** A page of another site must not reach a server on this machine by giving it a name of its own. */
export function checkHost(exchange: Exchange, { allowedHosts }: HttpSettings): Refusal | undefined {
  const host = exchange.header('host')?.toLowerCase()
  if (host === undefined || host === '') return refusal(400, 'Bad request: the Host header is missing')
  if (ownHosts(exchange).includes(host) || allowedHosts.some((one) => matchesHost(host, one.toLowerCase()))) {
    return undefined
  }
  return refusal(403, `Forbidden: the host ${printable(host)} is not one of ours`)
}

/** Browsers say which page a request comes from; other clients say nothing. */
export function checkOrigin(exchange: Exchange, { allowedOrigins }: HttpSettings): Refusal | undefined {
  const origin = exchange.header('origin')
  if (origin === undefined || allowedOrigins.includes(origin)) return undefined
  if (ownHosts(exchange).some((host) => origin.toLowerCase() === `http://${host}`)) return undefined
  return refusal(403, `Forbidden: the origin ${printable(origin)} is not allowed`)
}

export function checkContentType(exchange: Exchange): Refusal | undefined {
  const [type = ''] = (exchange.header('content-type') ?? '').split(';')
  if (type.trim().toLowerCase() !== 'application/json') {
    return refusal(415, 'Unsupported media type: expected Content-Type: application/json')
  }
  const encoding = exchange.header('content-encoding')
  return encoding === undefined || encoding === 'identity'
    ? undefined
    : refusal(415, 'Unsupported media type: a Content-Encoding is not supported')
}

/** A client that names no types takes any. */
export function checkAccept(exchange: Exchange, types: readonly string[]): Refusal | undefined {
  const accept = exchange.header('accept')
  if (accept === undefined || types.every((type) => accepts(accept, type))) return undefined
  return refusal(406, `Not acceptable: expected Accept: ${types.join(', ')}`)
}

function accepts(accept: string, type: string): boolean {
  const [family = ''] = type.split('/')
  return accept.split(',').some((one) => {
    const [range = '', ...parameters] = one.split(';').map((part) => part.trim().toLowerCase())
    return (range === type || range === '*/*' || range === `${family}/*`) && !parameters.some(isNever)
  })
}

function isNever(parameter: string): boolean {
  return /^q=0(\.0*)?$/.test(parameter)
}

const LOOPBACK_NAMES = ['localhost', '127.0.0.1', '[::1]']

/** The names of the address the client has reached; where no address is known, those of this machine. */
function ownHosts(exchange: Exchange): readonly string[] {
  const { local } = exchange
  if (local === undefined) {
    const host = exchange.header('host')?.toLowerCase() ?? ''
    return LOOPBACK_NAMES.includes(host.replace(/:\d+$/, '')) ? [host] : []
  }
  const address = local.address.replace(/^::ffff:/, '')
  const name = address.includes(':') ? `[${address}]` : address
  const names = isLoopback(address) ? LOOPBACK_NAMES : [name]
  return names.flatMap((one) => (local.port === 80 ? [one, `${one}:80`] : [`${one}:${local.port}`]))
}

export function isLoopback(address: string): boolean {
  return address === 'localhost' || address === '::1' || /^127(\.\d{1,3}){3}$/.test(address)
}

/** A name without a port stands for that host at any port. */
function matchesHost(host: string, allowed: string): boolean {
  return host === allowed || host.replace(/:\d+$/, '') === allowed
}

function printable(text: string): string {
  return JSON.stringify(text.slice(0, 100))
}
