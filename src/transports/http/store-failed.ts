import type { Server, Store } from '../../kernel/index.ts'

/** Tells of a store that fails, by what was asked of it; one that is known to be in trouble is not told of again and again. */
export function storeFailed({ store, server }: Stored, method: string): (error: unknown) => void {
  return (error) => {
    if (store.trouble() === undefined) server.observe({ kind: 'crashed', error, method })
  }
}

interface Stored {
  readonly store: Store
  readonly server: Server
}
