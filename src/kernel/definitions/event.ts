import type { Fault } from '../faults.ts'
import type { Id, Request, WireError } from '../jsonrpc/message.ts'
import type { LogLevel } from '../log-level.ts'
import type { StoreOperation } from '../ports/store.ts'

/** What happens beside the calls; `observe` is told each of these. */
export type EventFrom<From> =
  | { readonly kind: 'link-opened'; readonly link: From }
  | { readonly kind: 'link-closed'; readonly link: From }
  /** A request that was turned away before it became a call; `error` is what its sender is told. */
  | {
      readonly kind: 'refused'
      readonly link: From
      readonly request: Request
      readonly fault: Fault
      readonly error: WireError
    }
  /** Input that was no message; `method` and `id` are what can be read of a request all the same. */
  | {
      readonly kind: 'unreadable'
      readonly link: From
      readonly fault: Fault
      readonly method: string | undefined
      readonly id?: Id | undefined
    }
  /** An HTTP request that was turned away before its message was looked at, or because of it. */
  | {
      readonly kind: 'turned-away'
      readonly status: number
      /** Why, and what would help. */
      readonly message: string
      readonly method: string
      readonly path: string
      /** The address of whoever sent it, where that is known. */
      readonly from: string | undefined
    }
  /** An error that no Fault describes; its details stay on our side. */
  | {
      readonly kind: 'crashed'
      readonly error: unknown
      readonly method: string
      /** What was asked for when it happened, where that is known. */
      readonly request?: Request
    }
  /** A store that nodes share has done something, or failed to. */
  | {
      readonly kind: 'stored'
      readonly operation: StoreOperation
      readonly durationMs: number
      readonly store: string | undefined
      readonly error?: unknown
    }
  /** Something that whoever runs the server should know, in words. */
  | { readonly kind: 'noted'; readonly level: LogLevel; readonly message: string }
