import type { Server, Store } from '../../kernel/index.ts'

interface Stored {
  readonly store: Store
  readonly server: Server
}

/** How long the same complaint about a store is not made again: one that is full fails for every stream, once a second. */
const QUIET_MS = 10_000

/** What was last told of each server's store, by what was asked of it. */
const TOLD = new WeakMap<Server, Map<string, { readonly why: string; readonly at: number }>>()

/** Tells of a store that fails, by what was asked of it; one that is known to be in trouble is not told of again and again. */
export function storeFailed({ store, server }: Stored, method: string): (error: unknown) => void {
  return (error) => {
    if (store.trouble() !== undefined || isRepeated(server, method, error)) return
    server.observe({ kind: 'crashed', error, method })
  }
}

function isRepeated(server: Server, method: string, error: unknown): boolean {
  const told = TOLD.get(server) ?? new Map()
  TOLD.set(server, told)
  const [why, at] = [String(error), server.platform.now()]
  const before = told.get(method)
  if (before?.why === why && at - before.at < QUIET_MS) return true
  told.set(method, { why, at })
  return false
}
