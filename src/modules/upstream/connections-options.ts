import type { Client } from '../../client/index.ts'
import type { Server } from '../../kernel/index.ts'
import type { HeldFor, Holding } from './holder.ts'

export interface UpstreamConnectionsOptions {
  readonly name: string
  readonly server: Server
  /** Connects on behalf of a client, or of nobody in particular. */
  readonly connect: (held: HeldFor | undefined, signal: AbortSignal) => Promise<Client>
  /** Throws where a client is not to be connected yet. */
  readonly check?: (holding: Holding) => void
  /** Whether all callers share what would be one for each. */
  readonly shared: boolean
  /** Whether each of them is a process, which is not kept where nobody uses it. */
  readonly isProcess: boolean
}
