import { isObject, type Json, type StoreOperation } from '../../kernel/index.ts'
import type { Described, DevList } from './described.ts'

/** What a child tells the process that holds the pipe or the port. */
export type FromChild =
  /** It has loaded everything but the file. */
  | { readonly perigee: 'warm' }
  /** It serves. */
  | { readonly perigee: 'ready'; readonly described: Described; readonly socket: string }
  /** It does not serve, and why. */
  | { readonly perigee: 'failed'; readonly reason: string; readonly code: number }
  /** What it offers now, for whoever has asked. */
  | { readonly perigee: 'described'; readonly described: Described }
  /** A client has asked for the end, and may. */
  | { readonly perigee: 'ends' }
  /** It asks the store that all children share. */
  | {
      readonly perigee: 'ask-store'
      readonly number: number
      readonly operation: StoreOperation | 'unsubscribe'
      readonly args: readonly Json[]
    }

/** What it is told. */
export type ToChild =
  /** Load the file, and serve it; or, where it cannot be loaded, something empty that says why. */
  | { readonly perigee: 'go'; readonly isFirst: boolean; readonly instead?: string }
  | { readonly perigee: 'describe' }
  /** Tell your clients that these lists have changed. */
  | { readonly perigee: 'changed'; readonly lists: readonly DevList[] }
  /** Answer what is under way, and go. */
  | { readonly perigee: 'leave' }
  | { readonly perigee: 'stored'; readonly number: number; readonly value?: unknown; readonly error?: string }
  | { readonly perigee: 'published'; readonly subscription: number; readonly message: Json }

/** A channel between processes may carry messages of others. */
export function readMessage<Message extends FromChild | ToChild>(message: unknown): Message | undefined {
  return isObject(message) && typeof message['perigee'] === 'string'
    ? (message as unknown as Message) // Nobody else says it in this way.
    : undefined
}
