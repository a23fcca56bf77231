import type { Call } from '../definitions/authors.ts'
import type { JsonObject, Outgoing } from '../jsonrpc/message.ts'
import type { Outlet } from './outlet.ts'

/** A tool that a call calls. */
export interface Invocation {
  readonly name: string
  readonly args: JsonObject
  /**
   * Where the caller asks its client on the tool's behalf: a tool that asks is answered with what it needs, and is called
   * again with `requestState` and `inputResponses`, as by a client of the newest revision.
   */
  readonly round?: JsonObject | undefined
}

/** A call that makes another. */
interface OuterCall extends Pick<Call, 'notify' | 'progress'> {
  readonly outlet: Outlet
}

/** Where a call that another call makes says things: what it says, that one has said. */
export class InvokedOutlet implements Outlet {
  readonly #outer: OuterCall
  /** How many calls it is away from its client's. */
  readonly depth: number
  /** The call of the client for which it is made, in the end. */
  readonly root: object
  readonly unasked: string | undefined

  constructor(outer: OuterCall, { round }: Invocation) {
    this.#outer = outer
    this.unasked = round === undefined ? UNASKED : undefined
    const { outlet } = outer
    const inner = outlet instanceof InvokedOutlet
    this.depth = inner ? outlet.depth + 1 : 1
    this.root = inner ? outlet.root : outer
  }

  get headers(): Outlet['headers'] {
    return this.#outer.outlet.headers
  }

  send(message: Outgoing): void {
    if (!('method' in message)) return
    const { method, params = {} } = message
    if (method !== 'notifications/progress') return this.#outer.notify(method, params)
    const {
      progress,
      total,
      message: text,
    } = params as { progress: number; total?: number; message?: string } // As `call.progress` has made it.
    this.#outer.progress(progress, total, text)
  }
}

const UNASKED =
  'It asks its client something, which a tool that another one calls cannot do: let the client call it'

/**
 * Whether another call has made it.
 * @example const byAClient = !isInvoked(call)
 */
export function isInvoked({ outlet }: Pick<OuterCall, 'outlet'>): boolean {
  return outlet instanceof InvokedOutlet
}
