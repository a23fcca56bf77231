import { isObject } from '../../kernel/index.ts'

/** What a worker tells the process that has started it. */
export type FromWorker =
  /** What it has counted. */
  | { readonly perigee: 'counted'; readonly text: string }
  /** Somebody wants to know what all have counted. */
  | { readonly perigee: 'asks'; readonly question: number }
  /** It does not serve, and why. */
  | { readonly perigee: 'failed'; readonly reason: string }
  /** A client has asked for the end, and may. */
  | { readonly perigee: 'ends' }

/** What it is told. */
export type ToWorker =
  | { readonly perigee: 'count' }
  | { readonly perigee: 'totals'; readonly question: number; readonly text: string }
  /** Answer what is under way, and go. */
  | { readonly perigee: 'leave' }

/** A channel between processes may carry messages of others. */
export function readMessage<Message extends FromWorker | ToWorker>(message: unknown): Message | undefined {
  return isObject(message) && typeof message['perigee'] === 'string'
    ? (message as unknown as Message) // Nobody else says it in this way.
    : undefined
}
