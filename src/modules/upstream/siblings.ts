import type { RelayedServer, Server } from '../../kernel/index.ts'
import type { UnlistedReader } from './unlisted.ts'

/** One of the upstreams of a server, as far as the others have to know. */
export interface Sibling extends RelayedServer {
  readonly unlisted: UnlistedReader
}

/** The upstreams of a server; a module may see the server through a face of its own, but these are the same. */
export function siblingsOf({ relaying }: Server): Set<Sibling> {
  return relaying.upstreams as Set<Sibling> // Nobody else adds any.
}
