import type { Handler } from '../definitions/authors.ts'
import { Fault } from '../faults.ts'
import type { JsonObject } from '../jsonrpc/message.ts'
import type { Peer } from './peer.ts'

/** Something beyond the protocol, by a name of its own; what it adds is there when a server has it. */
export interface Extension {
  /** Such as `com.example/lamps`. */
  readonly id: string
  readonly settings: JsonObject
  /** Whether handshake clients are told of it too. */
  readonly handshake: boolean
  /** What a caller must have been granted to hear of it and to use its methods. */
  readonly scopes?: readonly string[]
  /** The methods it adds, for clients that make no handshake. */
  readonly methods: { readonly [name: string]: Handler }
}

interface CallOfPeer {
  readonly peer: Peer
}

export function declaresExtension({ peer }: CallOfPeer, id: string): boolean {
  const { extensions } = peer.capabilities as { readonly extensions?: JsonObject }
  return extensions?.[id] !== undefined
}

export function needExtension(call: CallOfPeer, id: string): void {
  if (declaresExtension(call, id)) return
  const requiredCapabilities = { extensions: { [id]: {} } }
  throw new Fault('missingCapability', `The client lacks an extension this needs: ${id}`, {
    requiredCapabilities,
  })
}
