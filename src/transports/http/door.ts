import { findRevision } from '../../kernel/index.ts'
import type { Door, Exchange } from './exchange.ts'
import { answerJson } from './refuse.ts'
import type { Site } from './site.ts'

/** What everybody meets who comes to a site. */
export function createDoor({ server, sessions }: Pick<Site, 'server' | 'sessions'>): Door {
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
export function answerHealth({ closing }: Site, exchange: Exchange): void {
  if (closing) answerJson(exchange, 503, '{"status":"closing"}')
  else answerJson(exchange, 200, '{"status":"ok"}')
}
