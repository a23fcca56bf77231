import type { HeaderArgument } from '../catalogue/header-annotations.ts'
import type { Fault } from '../faults.ts'
import type { Outgoing, Request } from '../jsonrpc/message.ts'
import type { Peer } from './peer.ts'

/** Where messages leave; a transport may give each request an outlet of its own. */
export interface Outlet {
  send(message: Outgoing): void
  /** Why the transport does not let a request in, if it does not; it is told who sends it, or why that is not known. */
  check?(request: Request, sender: Peer | Fault): Fault | undefined
  /** The same for the arguments that its tool wants in headers. */
  checkArguments?(request: Request, headers: readonly HeaderArgument[]): Fault | undefined
  /** The request was turned away before anybody worked on it. Says whether the transport tells whoever watches. */
  refused?(request: Request, fault: Fault): boolean
  /** Whether nothing but the answer reaches the client here, so that it cannot be asked. */
  readonly answersOnly?: boolean
  /** Why a function that is called here cannot ask its client, whatever that can. */
  readonly unasked?: string | undefined
  /** What came with the request beside it, by names in lower case, where a transport has that. */
  readonly headers?: { readonly [name: string]: string | undefined } | undefined
  /** Lets the connection go, where the client can come back for the answer. */
  detach?(): void
}

/**
 * Where nobody is: what is sent here reaches no client.
 * @example const link = server.open({ outlet: NOWHERE })
 */
export const NOWHERE: Outlet = { send() {} }
