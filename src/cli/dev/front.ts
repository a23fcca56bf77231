import { networkInterfaces } from 'node:os'
import { listHosts } from '../../transports/http/guards/address.ts'
import type { Front } from '../../transports/http/node/listen.ts'
import type { Apprentice } from './apprentice.ts'

/** Whoever holds the port for a child; an address that means all of them is reached by each. */
export function frontOf(apprentice: Apprentice | undefined, host: string): Front | undefined {
  const { port, socket } = apprentice ?? {}
  if (port === undefined || socket === undefined) return undefined
  return { socket, hosts: hostsOf(host, port) }
}

/** What a port may be called by whoever reaches it. */
export function hostsOf(host: string, port: number): readonly string[] {
  const all = Object.values(networkInterfaces()).flatMap((found) => found ?? [])
  const addresses = host === '0.0.0.0' || host === '::' ? all.map(({ address }) => address) : [host]
  return addresses.flatMap((address) => listHosts(address, port))
}
