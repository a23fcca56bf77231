import type { Ledger } from '../budgets/ledger.ts'
import { ownerOf } from '../callers/audience.ts'
import type { Principal } from '../callers/principal.ts'
import type { Fault } from '../faults.ts'
import type { Request } from '../jsonrpc/message.ts'

/** A request as small as this is let in, whatever others hold, unless it is one that stays. */
const SMALL = 1024

export function takesRoom({ length, method }: Request): boolean {
  return length > SMALL || method === 'subscriptions/listen'
}

/** What a call is made with is kept until it is answered, so there must be room for it before it begins. */
export function lackOfRoom(
  { underway }: { readonly underway: Ledger<string> },
  request: Request,
  { principal }: { readonly principal: Principal | undefined },
): Fault | undefined {
  return takesRoom(request) ? underway.lack(ownerOf(principal), request.length) : undefined
}
