import { findRevision } from '../../kernel/index.ts'
import { answerJson } from './answers.ts'
import type { Exchange, RefusalHooks } from './exchange.ts'
import type { HttpState } from './state.ts'

/** What everybody meets who comes. */
export function createRefusalHooks({
  server,
  sessions,
}: Pick<HttpState, 'server' | 'sessions'>): RefusalHooks {
  return {
    turnedAway: (exchange, { status, error, told = error.message }) => {
      const { method, path, remote } = exchange
      if (status === 500) return // It has been told as what it is, a mistake of ours.
      server.observe({ kind: 'turned-away', status, message: told, method, path, from: remote })
    },
    unreadableId: (exchange) => {
      const session = sessions.get(exchange.header('mcp-session-id') ?? '')
      const version = exchange.header('mcp-protocol-version')
      const revision = session?.link.peer?.revision ?? findRevision(version ?? '')
      return revision === undefined ? null : revision.unreadableId
    },
  }
}

/** Probes come by any name, and learn nothing but that it is there. */
export function answerHealth({ closing }: HttpState, exchange: Exchange): void {
  if (closing) answerJson(exchange, 503, '{"status":"closing"}')
  else answerJson(exchange, 200, '{"status":"ok"}')
}
