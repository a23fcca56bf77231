import { findRevision } from '../../kernel/index.ts'
import type { RefusalHooks } from './exchange.ts'
import type { HttpSite } from './site.ts'

/** What everybody meets who comes. */
export function createRefusalHooks({
  server,
  sessions,
}: Pick<HttpSite, 'server' | 'sessions'>): RefusalHooks {
  return {
    turnedAway: (exchange, { status, error, told = error.message }) => {
      const { method, path, remote } = exchange
      if (status === 500) return // It has been told as what it is, a mistake of ours.
      server.observe({ kind: 'turned-away', status, message: told, method, path, from: remote })
    },
    unreadableId: ({ headers }) => {
      const { 'mcp-session-id': id = '', 'mcp-protocol-version': version = '' } = headers
      const revision = sessions.warm.get(id)?.link.peer?.revision ?? findRevision(version)
      return revision === undefined ? null : revision.unreadableId
    },
  }
}
