import type { Store } from '../store.ts'

export interface LoggedEvent {
  /** Counts from 1 on each stream. */
  readonly number: number
  /** The message as it was sent. */
  readonly text: string
}

export interface EventLogOptions {
  /** How many events of one stream are kept. */
  readonly keep: number
  readonly ttlMs: number
}

/** What was sent on the streams of a session, so that a client that lost its connection can have the rest. */
export interface EventLog {
  append(session: string, stream: string, event: LoggedEvent): Promise<void>
  /** The events of one stream after a number, and of that stream only. */
  read(session: string, stream: string, after: number): Promise<readonly LoggedEvent[]>
  drop(session: string, stream: string): Promise<void>
}

export function createEventLog(store: Store, { keep, ttlMs }: EventLogOptions): EventLog {
  const name = (session: string, stream: string) => `events/${session}/${stream}`
  return {
    append: async (session, stream, { number, text }) => {
      await store.append(name(session, stream), { number, text }, { keep, ttlMs })
    },
    // A store begins to count anew when a log has expired, so the numbers are our own.
    read: async (session, stream, after) => {
      const items = await store.read(name(session, stream), 0, keep)
      return items.map(({ value }) => value as unknown as LoggedEvent).filter(({ number }) => number > after) // As appended.
    },
    drop: (session, stream) => store.delete(name(session, stream)),
  }
}
