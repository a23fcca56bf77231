import type { RelayedServer, Server } from '../../kernel/index.ts'

/** The upstreams of a server; a module may see the server through a face of its own, but these are the same. */
export function siblingsOf({ relaying }: Server): Set<RelayedServer> {
  return relaying.upstreams
}
