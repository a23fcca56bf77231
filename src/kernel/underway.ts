import { ownerOf } from './audience.ts'
import type { Fault } from './faults.ts'
import type { Request } from './jsonrpc/message.ts'
import type { Link } from './link.ts'
import type { Server } from './server.ts'

/** A request as small as this is let in, whatever others hold, unless it is one that stays. */
const SMALL = 1024

/** What a call is made with is kept until it is answered, so there must be room for it before it begins. */
export function lackOfRoom(
  server: Server,
  { length, method }: Request,
  { principal }: Pick<Link, 'principal'>,
): Fault | undefined {
  if (length <= SMALL && method !== 'subscriptions/listen') return undefined
  return server.underway.lack(ownerOf(principal), length)
}
