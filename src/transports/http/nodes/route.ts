import type { Incoming } from '../../../kernel/index.ts'
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
  if (incoming.kind !== 'notification' || incoming.method === 'notifications/initialized') return undefined
  const call = incoming.params?.['requestId']
  if (incoming.method === 'notifications/cancelled' && link.calls.has(call as never)) return undefined // Any value may be looked for.
  return node?.sendAll({ kind: 'posted', session, message: incoming })
}
