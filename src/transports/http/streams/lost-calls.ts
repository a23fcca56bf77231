import {
  describeLost,
  type Incoming,
  isObject,
  type Json,
  type LostCall,
  lostReply,
  type Outgoing,
  type Principal,
  type Request,
  type Server,
} from '../../../kernel/index.ts'

/** Those of another version are of a server that is newer or older than this one. */
const VERSION = 1

/** The calls of a stream, as kept beside its log; `lost` is there, and when, where somebody undertook to answer them for a node that is gone. */
export interface LostCalls {
  readonly v: typeof VERSION
  readonly calls: readonly LostCall[]
  readonly lost?: number
}

/** The one error that each call gets whose node is gone. */
export function answerLost(calls: readonly LostCall[]): Outgoing | undefined {
  const replies = calls.map((call) => lostReply(call, 'is gone'))
  return replies.length > 1 ? replies : replies[0]
}

/** What other nodes need to know of the calls that a message brings. */
export function describeCalls(incoming: Incoming, server: Server, principal: Principal): LostCalls {
  const calls = requestsOf(incoming).map((request) => describeLost(request, server, principal))
  return { v: VERSION, calls }
}

/** Undefined where there are none, or none that can be read here. */
export function readCalls(value: Json | undefined): LostCalls | undefined {
  return isObject(value) && value['v'] === VERSION && Array.isArray(value['calls'])
    ? (value as unknown as LostCalls) // As described.
    : undefined
}

export function requestsOf(incoming: Incoming): readonly Request[] {
  if (incoming.kind === 'request') return [incoming]
  return incoming.kind === 'batch' ? incoming.entries.flatMap((entry) => requestsOf(entry)) : []
}
