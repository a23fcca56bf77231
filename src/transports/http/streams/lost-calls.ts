import {
  FAULTS,
  findString,
  type Id,
  type Incoming,
  isObject,
  type Json,
  type Outgoing,
  ownerOf,
  type Principal,
  type Reply,
  type Request,
  type Server,
} from '../../../kernel/index.ts'

/** A call that a stream answers. */
interface StreamCall {
  readonly id: Id
  /** Whether it does no harm to call again. */
  readonly retry: boolean
}

/** Those of another version are of a server that is newer or older than this one. */
const VERSION = 1

/** The calls of a stream, as kept beside its log; `lost` is there, and when, where somebody undertook to answer them for a node that is gone. */
export interface LostCalls {
  readonly v: typeof VERSION
  readonly calls: readonly StreamCall[]
  readonly lost?: number
}

/** The one error that each call gets whose node is gone. */
export function answerLost(calls: readonly StreamCall[]): Outgoing | undefined {
  const replies = calls.map((call) => lostReply(call, 'is gone'))
  return replies.length > 1 ? replies : replies[0]
}

/** The error of a call that nobody works on any more. */
export function lostReply({ id, retry }: StreamCall, how: 'is gone' | 'is closing'): Reply {
  const what = `The server that ran this call ${how}`
  const message = retry ? `${what}: call again` : `${what}: it may have been carried out or not`
  return { jsonrpc: '2.0', id, error: { code: FAULTS.internalError.code, message, data: { retry } } }
}

/** What other nodes need to know of the calls that a message brings. */
export function describeCalls(incoming: Incoming, server: Server, principal: Principal): LostCalls {
  const calls = requestsOf(incoming).map(({ id, method, params }) => {
    const tool = server.tools.find(findString(params, 'name') ?? '', ownerOf(principal))
    return { id, retry: method !== 'tools/call' || tool?.repeatable === true }
  })
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
