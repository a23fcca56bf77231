import { randomBytes } from 'node:crypto'
import { readBearer } from '../auth/bearer.ts'
import { sameDigest, sha256 } from '../auth/digest.ts'
import type { Exchange, HttpHeaders } from '../exchange.ts'
import { findForwarded, isLoopback } from '../guards/address.ts'

/** Why somebody does not get what they ask for. */
export interface Denial {
  readonly status: number
  readonly error: string
  readonly headers?: HttpHeaders
}

export const NOT_KEPT = { 'cache-control': 'no-store' }

export function answerDenial(exchange: Exchange, { status, error, headers }: Denial): void {
  exchange.answer(
    status,
    { ...NOT_KEPT, 'content-type': 'application/json', ...headers },
    JSON.stringify({ error }),
  )
}

/** Longer than can be guessed: 144 bits. */
export function createKey(): string {
  return randomBytes(18).toString('base64url')
}

/** What a key of somebody's own must be like: at least as hard to guess as 128 bits, and fit for an address. */
export function checkKey(key: string): void {
  if (/^[\w-]{22,200}$/.test(key)) return
  throw new TypeError(
    `console: key: expected at least 22 letters, digits, - or _, made at random (for example: openssl rand -hex 16), got ${key.length} characters`,
  )
}

/** Only this machine, and nobody who only seems to be on it. */
export function denyStrangers(exchange: Exchange): Denial | undefined {
  const forwarded = findForwarded(exchange)
  const here = exchange.remote === undefined || isLoopback(exchange.remote.replace(/^::ffff:/, ''))
  if (here && forwarded === undefined) return undefined
  const reason = forwarded === undefined ? 'from another machine' : `through a proxy (${forwarded})`
  return {
    status: 403,
    error: `The console is for this machine alone, and this came ${reason}. If others may see it: --console-from-network (console: { fromNetwork: true })`,
  }
}

/** Whoever has no key is told where it stands, and nothing else. */
export function keyGuard(key: string): (exchange: Exchange) => Denial | undefined {
  const digest = sha256(key)
  return ({ headers, query }) => {
    if (/(?:^|&)(?:key|token|access_token|authorization)=/i.test(query)) return IN_ADDRESS
    const bearer = readBearer(headers['authorization'])
    if (bearer.kind !== 'token') return MISSING
    return sameDigest(sha256(bearer.token), digest) ? undefined : WRONG
  }
}

const WHERE =
  'The server prints the address of its console, with the key after #, when it starts: on the terminal, or in its log on stderr'
const CHALLENGE = { 'www-authenticate': 'Bearer realm="console"' }
const MISSING: Denial = { status: 401, headers: CHALLENGE, error: `The console's key is missing. ${WHERE}` }
const WRONG: Denial = {
  status: 401,
  headers: CHALLENGE,
  error: `This is not the console's key; it may be of an earlier start. ${WHERE}`,
}
const IN_ADDRESS: Denial = {
  status: 400,
  error:
    'The key of the console is never part of what is asked for, since addresses are written into logs: send it as Authorization: Bearer',
}
