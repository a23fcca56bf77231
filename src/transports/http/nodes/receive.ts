import { parse } from '../../../kernel/index.ts'
import { receiveForPair } from '../shapes/sse-pair.ts'
import type { HttpSite } from '../site.ts'
import { logOf, OVER } from '../streams/logged-events.ts'
import type { NodeMessage } from './messages.ts'

/** Takes what another node says; tells whether it is of a stream that there is, where it is of one. */
export function receiveFromNode(state: HttpSite, message: NodeMessage): boolean {
  if (message.kind === 'moved') return move(state, message)
  if (message.kind === 'pair') return post(state, message)
  if (message.kind === 'roll-call') state.rollCall.answer()
  else if (message.kind === 'present') state.rollCall.heard(message)
  else if (message.kind === 'gone') state.rollCall.left(message.id)
  else receive(state, message)
  return true
}

/** Whatever concerns a session that is not in use here has nothing to change. */
function receive(state: HttpSite, message: Extract<NodeMessage, { session: string }>): void {
  const { sessions, places } = state
  const session = sessions.warm.get(message.session)
  switch (message.kind) {
    case 'changed':
      return sessions.changed(message)
    case 'ended':
      return sessions.ended(message.session)
    case 'used':
      return places.use(message.session)
    case 'posted':
      return void session?.link.receive(message.message, () => {})
    case 'notice':
      return session?.standalone.receive(message.message)
    case 'held':
      return session?.standalone.heardOf(message.by)
  }
}

function move(state: HttpSite, { session, stream: id }: Extract<NodeMessage, { kind: 'moved' }>): boolean {
  const { sessions, server, store } = state
  if (sessions.warm.get(session)?.findStream(id)?.moved() === true) return true
  // Whoever reads it need not wait for more.
  const told = store.publish(logOf(session, id), OVER)
  told.catch((error: unknown) => server.observe({ kind: 'crashed', error, method: 'stream' }))
  return false
}

function post(state: HttpSite, message: Extract<NodeMessage, { kind: 'pair' }>): boolean {
  const pair = state.pairs.get(message.pair)
  const { principal } = message
  if (pair === undefined || pair.principal.id !== principal.id) return false
  const incoming = parse(message.body, state.server.dialect, state.server.budgets)
  receiveForPair(state, { pair, principal, incoming })
  return true
}
