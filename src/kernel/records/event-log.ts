import type { Json, Outgoing } from '../jsonrpc/message.ts'
import type { Store } from '../store.ts'

export interface LoggedEvent {
  readonly number: number
  readonly message: Json
}

export interface EventLogOptions {
  /** How many events of one stream are kept. */
  readonly keep: number
  readonly ttlMs: number
}

/** What was sent on the streams of a session, so that a client that lost its connection can have the rest. */
export interface EventLog {
  /** Gives the event's number, which counts from 1 on each stream. */
  append(session: string, stream: string, message: Outgoing): Promise<number>
  /** The events of one stream after a number, and of that stream only. */
  read(session: string, stream: string, after: number): Promise<readonly LoggedEvent[]>
  drop(session: string, stream: string): Promise<void>
}

export function createEventLog(store: Store, { keep, ttlMs }: EventLogOptions): EventLog {
  const name = (session: string, stream: string) => `events/${session}/${stream}`
  return {
    append: (session, stream, message) =>
      store.append(name(session, stream), message as unknown as Json, { keep, ttlMs }), // Messages are JSON.
    read: async (session, stream, after) => {
      const items = await store.read(name(session, stream), after, keep)
      return items.map(({ number, value }) => ({ number, message: value }))
    },
    drop: (session, stream) => store.delete(name(session, stream)),
  }
}
