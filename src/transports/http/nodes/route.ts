import { cancelReason, type Incoming, type JsonObject, type Notification } from '../../../kernel/index.ts'
import type { Exchange } from '../exchange.ts'
import type { Session } from '../sessions/session.ts'
import { whenStored } from '../sessions/when-stored.ts'
import { nodeOf } from './node.ts'

/** Hands on what belongs to a call that runs on another node; tells whether it did. */
export function routeElsewhere(session: Session, exchange: Exchange, incoming: Incoming): boolean {
  const sent = send(session, incoming)
  if (sent === undefined) return false
  whenStored({ state: session.state, exchange }, sent, () => exchange.answer(202, {}))
  return true
}

/** A call that its node has taken along is not there to hear it. */
function send({ id: session, state, link }: Session, incoming: Incoming): Promise<unknown> | undefined {
  const { node } = state
  if (incoming.kind === 'response') {
    const to = nodeOf(String(incoming.id))
    const message = { kind: 'posted', session, message: incoming } as const
    return to === undefined || to === node?.id ? undefined : node?.send(to, message)
  }
  const told = incoming.kind === 'notification' ? forCalls(incoming) : undefined
  if (told === undefined || link.calls.has(told.params?.['requestId'] as never)) return undefined // Any value may be looked for.
  return node?.sendAll({ kind: 'posted', session, message: told })
}

/** What notifications say to a call that may run on any node; all others are for the node that they come to. */
const FOR_CALLS: { readonly [method: string]: readonly string[] } = {
  'notifications/cancelled': ['requestId'],
  'notifications/progress': ['progressToken', 'progress', 'total'],
  'notifications/roots/list_changed': [],
}

/** Longer ids are no call's, and longer messages would be everybody's burden. */
const LONGEST = 1000

/** The part of a notification that a call hears of, where there is one. */
function forCalls({ method, params = {}, ...rest }: Notification): Notification | undefined {
  const names = Object.hasOwn(FOR_CALLS, method) ? FOR_CALLS[method] : undefined
  if (names === undefined) return undefined
  const heard = Object.fromEntries(names.flatMap((name) => (name in params ? [[name, params[name]]] : [])))
  if (JSON.stringify(heard).length > LONGEST) return undefined
  const reason = cancelReason(params)
  return { ...rest, method, params: { ...heard, ...(reason !== undefined && { reason }) } as JsonObject } // Parts of what was one.
}
