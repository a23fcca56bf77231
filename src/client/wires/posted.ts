import { ClientError } from '../errors.ts'
import type { Clearance, HeaderMap, Sent } from '../wire.ts'
import { isOpening } from './retrying.ts'
import type { StopSignal } from './stop.ts'

/** How often something is waited for before a message is sent; whoever loses each new session would be waited for without end. */
const MAX_WAITS = 8

/** A message on its way to a server that keeps a session. */
export interface PostedMessage {
  readonly message: Sent
  readonly headers: HeaderMap
  readonly cleared: Clearance | undefined
  readonly signal: StopSignal
  waits: number
  /** Whether it was refused in a session before this one. */
  isRepeated: boolean
}

/** What a message has to wait for; undefined where there is a session by now, and it may be sent in that one. */
export function waitFor(
  posted: PostedMessage,
  ready: () => Promise<void> | undefined,
): Promise<void> | undefined {
  const { message, cleared } = posted
  if (isOpening(message)) return undefined
  if (++posted.waits > MAX_WAITS)
    throw new ClientError('lost', 'The server forgets each session before anything can be said in it', {
      forgotten: true,
    })
  return ready() ?? (message.method === undefined ? undefined : cleared?.(message.method))
}
