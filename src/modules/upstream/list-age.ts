import type { Client } from '../../client/index.ts'
import type { Server } from '../../kernel/index.ts'
import { lifetimeOf } from './list-caches.ts'
import type { ListChanges } from './list-changes.ts'
import type { Listing } from './listing.ts'

export interface ListAgeOptions {
  readonly server: Server
  readonly changes: ListChanges
  /** Whether it is a process, which does not change its program while it runs. */
  readonly isProcess: boolean
}

/** How old it is what is known of an upstream's lists, where nobody would tell that they have changed. */
export class ListAge {
  readonly #options: ListAgeOptions
  #reading:
    | { readonly client: Client; readonly stream: object | undefined; readonly began: number }
    | undefined

  constructor(options: ListAgeOptions) {
    this.#options = options
  }

  /** They are read by a connection; the function given back is called when what was read counts. */
  begin(client: Client): () => void {
    const reading = { client, stream: client.stream, began: this.#options.server.platform.now() }
    return () => {
      this.#reading = reading
    }
  }

  /** Whether they may be others by now, and nobody would have told. */
  isPast({ capabilities, caches }: Listing): boolean {
    const { server, changes, isProcess } = this.#options
    if (this.#reading === undefined || isProcess) return false
    const { client, stream, began } = this.#reading
    const isTold = client.stream === stream && changes.tells(client, capabilities)
    return !isTold && server.platform.now() - began >= lifetimeOf(caches)
  }

  /** A connection whose handshake nobody remembers, so that another server may answer on it. */
  get unbound(): Client | undefined {
    const { client } = this.#reading ?? {}
    const isBound = client?.isKept || client?.stream !== undefined || client?.revision.opening !== 'handshake'
    return isBound ? undefined : client
  }
}
