import type { Implementation, Server } from '../../kernel/index.ts'

/** One of the upstreams of a server, as far as the others have to know. */
export interface Sibling {
  /** Resolves when it has been looked at for the first time, well or not. */
  readonly looked: Promise<void>
}

const SIBLINGS = new WeakMap<Implementation, Set<Sibling>>()

/** The upstreams of a server; a module may see the server through a face of its own, but what it says of itself is the same. */
export function siblingsOf({ info }: Server): Set<Sibling> {
  const known = SIBLINGS.get(info) ?? new Set()
  SIBLINGS.set(info, known)
  return known
}
