import { parse } from '../../../kernel/index.ts'
import { deliverToPair } from '../shapes/sse-pair.ts'
import type { HttpSite } from '../site.ts'
import { logOf, OVER } from '../streams/logged-events.ts'
import { STANDALONE } from '../streams/standalone.ts'
import type { NodeMessage } from './node.ts'

/** Takes what another node says. Whatever concerns a session that is not in use here has nothing to change. */
export function receiveFromNode(state: HttpSite, message: NodeMessage): void {
  const { sessions, places, pairs, server, store } = state
  switch (message.kind) {
    case 'changed':
      return sessions.changed(message)
    case 'ended':
      return sessions.ended(message.session)
    case 'used':
      return places.use(message.session)
    case 'posted':
      return void sessions.warm.get(message.session)?.link.receive(message.message, () => {})
    case 'notice':
      return sessions.warm.get(message.session)?.standalone.receive(message.message)
    case 'moved': {
      const session = sessions.warm.get(message.session)
      if (message.stream === STANDALONE) return session?.standalone.moved(message.at)
      const stream = session?.findStream(message.stream)
      if (stream !== undefined) return stream.moved()
      // Whoever reads it need not wait for more.
      const told = store.publish(logOf(message.session, message.stream), OVER)
      return void told.catch((error: unknown) => server.observe({ kind: 'crashed', error, method: 'stream' }))
    }
    case 'pair': {
      const pair = pairs.get(message.pair)
      if (pair?.principal.id !== message.principal.id) return
      return deliverToPair(state, {
        pair,
        principal: message.principal,
        incoming: parse(message.body, server.dialect),
      })
    }
  }
}
