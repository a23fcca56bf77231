import { BlockList, isIP } from 'node:net'
import { describe } from '../../../kernel/index.ts'

/** What is this machine and no other, however names are looked up: there, plain http will do. */
const SURELY_OWN = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/

/** Addresses that may reach this machine; those of IPv4 are found in what IPv6 makes of them as well. */
const OWN_ADDRESSES = new BlockList()
OWN_ADDRESSES.addSubnet('127.0.0.0', 8, 'ipv4')
OWN_ADDRESSES.addSubnet('0.0.0.0', 8, 'ipv4')
OWN_ADDRESSES.addSubnet('::', 96, 'ipv6')

/** Whether nobody on the way can listen or answer: on this machine there is no way. */
function isSafe(url: URL): boolean {
  return url.protocol === 'https:' || (url.protocol === 'http:' && SURELY_OWN.test(url.hostname))
}

/** Whether a place may be on this machine: what is closed to others must be closed by all its names. */
function mayBeOwn({ hostname }: URL): boolean {
  const address = hostname.replace(/^\[(.*)\]$/, '$1')
  const family = isIP(address)
  if (family === 0) return /(^|\.)localhost\.?$/.test(hostname)
  return OWN_ADDRESSES.check(address, family === 6 ? 'ipv6' : 'ipv4')
}

/** Who has named a place, and the server for which one signs in there. */
export interface PlaceNamed {
  readonly by: string
  readonly resource: URL
}

/** A place that others have named, where something may be asked for or opened to sign in; throws why it may not. */
export function safePlace(place: unknown, { by, resource }: PlaceNamed): URL {
  if (typeof place !== 'string' || !URL.canParse(place))
    throw new Error(`${by}: ${describe(place)} is no address: expected https`)
  const url = new URL(place)
  const shown = url.origin === 'null' ? describe(place) : url.origin
  if (!isSafe(url)) throw new Error(`${by}: ${shown} is no safe place to sign in: expected https`)
  if (url.username !== '' || url.password !== '')
    throw new Error(`${by}: an address at ${shown} has a user in it: expected one without`)
  if (mayBeOwn(url) && !SURELY_OWN.test(resource.hostname))
    throw new Error(`${by}: ${resource.origin} sends you to ${shown} to sign in, which is your own machine`)
  return url
}
