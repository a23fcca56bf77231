import { ownerOf } from './audience.ts'
import type { Fault } from './faults.ts'
import type { Request } from './jsonrpc/message.ts'
import type { Link } from './link.ts'
import type { Server } from './server.ts'

/** A request as small as this is let in, whatever others hold, unless it is one that stays. */
const SMALL = 1024

export function takesRoom({ length, method }: Request): boolean {
  return length > SMALL || method === 'subscriptions/listen'
}

/** What a call is made with is kept until it is answered, so there must be room for it before it begins. */
export function lackOfRoom(
  server: Server,
  request: Request,
  { principal }: Pick<Link, 'principal'>,
): Fault | undefined {
  return takesRoom(request) ? server.underway.lack(ownerOf(principal), request.length) : undefined
}
