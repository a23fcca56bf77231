import type { Server, Store } from '../../../kernel/index.ts'

/** Whether what a server seals cannot be opened by those who share its store, which on an engine are other machines; one of an older copy does not say. */
export function lacksSecrets({ platform }: Server, { place = '' }: Store = platform.store): boolean {
  // What seals is made when it is asked for, and few servers over HTTP ever do.
  return /^(rediss?|postgres(ql)?):/.test(place) && platform.sealer.shared === false
}

/** Nobody would notice before a client is asked something, and answers on another node. */
export function checkSecrets(server: Server, store: Store | undefined): void {
  if (!lacksSecrets(server, store)) return
  throw new TypeError(
    'defineServer: secrets: servers that share a store over HTTP seal what clients carry from one to the other: expected a long text that nobody can guess, the same for each',
  )
}
