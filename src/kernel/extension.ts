import type { Handler } from './call.ts'
import type { JsonObject } from './jsonrpc/message.ts'

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
