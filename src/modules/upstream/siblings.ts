import type { Implementation, Server } from '../../kernel/index.ts'

/** One of the upstreams of a server, as far as the others have to know. */
export interface Sibling {
  /** What the names of its things begin with may have changed. */
  renamed(): void
}

const SIBLINGS = new WeakMap<Implementation, Set<Sibling>>()

/** The upstreams of a server; a module may see the server through a face of its own, but what it says of itself is the same. */
export function siblingsOf({ info }: Server): Set<Sibling> {
  const known = SIBLINGS.get(info) ?? new Set()
  SIBLINGS.set(info, known)
  return known
}

/** Whoever is no longer alone is called by its name. */
export function join(sibling: Sibling, server: Server): void {
  const siblings = siblingsOf(server)
  siblings.add(sibling)
  if (siblings.size === 2) for (const one of siblings) one.renamed()
}
