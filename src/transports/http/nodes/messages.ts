import type { Agreement, Notification, Outgoing, Principal, Response } from '../../../kernel/index.ts'

/** What nodes tell each other. */
export type NodeMessage =
  /** A session has been used for the first time, or has ended. */
  | { readonly kind: 'used' | 'ended'; readonly session: string }
  /** What a session has agreed on has changed, and this is what it is now. */
  | {
      readonly kind: 'changed'
      readonly session: string
      readonly version: number
      readonly agreement: Agreement
    }
  /** Something a client posted that belongs to a call which may run elsewhere. */
  | { readonly kind: 'posted'; readonly session: string; readonly message: Response | Notification }
  /** Something for the stream of a session that belongs to no call. */
  | { readonly kind: 'notice'; readonly session: string; readonly message: Outgoing }
  /** A client reads this stream of a call on another node. */
  | { readonly kind: 'moved'; readonly session: string; readonly stream: string }
  /** A client has the stream of what belongs to no call on this node from here on. */
  | { readonly kind: 'held'; readonly session: string; readonly by: string }
  /** What a client of 2024-11-05 has posted. */
  | { readonly kind: 'pair'; readonly pair: string; readonly principal: Principal; readonly body: string }
  /** Somebody wants to see who is there. */
  | { readonly kind: 'roll-call' }
  | ({ readonly kind: 'present' } & Presence)
  | { readonly kind: 'gone'; readonly id: string }

/** How a node is, for those who look at all of them. */
export interface Presence {
  readonly id: string
  readonly since: number
  /** Calls that it has at work. */
  readonly calls: number
  /** Sessions that are in use on it. */
  readonly sessions: number
  /** Why it cannot keep anything right now, where that is so. */
  readonly trouble?: string
}
