import type { Fault } from '../faults.ts'
import type { Outgoing, Request } from '../jsonrpc/message.ts'

/** Where messages leave; a transport may give each request an outlet of its own. */
export interface Outlet {
  send(message: Outgoing): void
  /** Why the transport does not let a request in, if it does not: its headers, say, contradict it. */
  check?(request: Request): Fault | undefined
  /** The call was turned away before anybody worked on it. */
  refused?(fault: Fault): void
  /** Whether nothing but the answer reaches the client here, so that it cannot be asked. */
  readonly answersOnly?: boolean
  /** Lets the connection go, where the client can come back for the answer. */
  detach?(): void
}
