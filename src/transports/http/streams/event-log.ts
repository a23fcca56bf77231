import type { Platform, Store } from '../../../kernel/index.ts'
import type { StreamLog } from './stream-log.ts'

export interface EventLogOptions {
  /** How many events of one stream are kept, how long, and how much of them. */
  readonly keep: number
  readonly ttlMs: number
  readonly streamBytes: number
  readonly now: () => number
  readonly after: Platform['after']
  /** Told when the store fails. */
  readonly failed: (error: unknown) => void
  /** How much may be kept of a session, and in all. */
  readonly sessionBytes: number
  readonly bytes: number
}

/** What was sent on the streams of sessions, so that a client that lost its connection can have the rest. */
export class EventLog {
  readonly options: EventLogOptions
  readonly store: Store
  #bytes = 0
  /** In the order of their last events, the oldest first. */
  readonly #logs = new Set<StreamLog>()
  readonly #sessions = new Map<string, SessionLogs>()
  /** Whose calls are under way, in the order in which that was last written down. */
  readonly #underWay = new Set<StreamLog>()

  constructor(store: Store, options: EventLogOptions) {
    this.store = store
    this.options = options
  }

  get bytes(): number {
    return this.#bytes
  }

  /** What is kept of the session of which most is. */
  get largestSession(): number {
    let most = 0
    for (const { bytes } of this.#sessions.values()) most = Math.max(most, bytes)
    return most
  }

  /** The most that is kept of any stream. */
  get largestStream(): { readonly bytes: number; readonly events: number } {
    const most = { bytes: 0, events: 0 }
    for (const { bytes, events } of this.#logs) {
      most.bytes = Math.max(most.bytes, bytes)
      most.events = Math.max(most.events, events)
    }
    return most
  }

  /** Whoever had a stream before has it no longer. */
  release({ session, stream }: StreamLog): void {
    const before = [...(this.#sessions.get(session)?.streams ?? [])]
    for (const one of before) if (one.stream === stream) one.release()
  }

  /** Forgets all that is kept of a session. */
  drop(session: string): void {
    for (const log of [...(this.#sessions.get(session)?.streams ?? [])]) log.drop()
  }

  /** Counts what is kept of a stream; where it is too much, what has been kept longest goes. */
  count(log: StreamLog, change: number): void {
    const logs = this.#sessions.get(log.session) ?? { bytes: 0, streams: new Set() }
    this.#sessions.set(log.session, logs)
    this.#bytes += change
    logs.bytes += change
    for (const set of [this.#logs, logs.streams]) {
      set.delete(log)
      if (log.bytes > 0) set.add(log)
    }
    if (logs.streams.size === 0) this.#sessions.delete(log.session)
    if (logs.bytes > this.options.sessionBytes || this.#bytes > this.options.bytes) this.#makeRoom(log, logs)
  }

  /** What somebody on another node is about to read has nowhere else to be. */
  #makeRoom(log: StreamLog, logs: SessionLogs): void {
    const free = log.followed ? (one: StreamLog) => one !== log : () => true
    for (const oldest of logs.streams)
      if (logs.bytes > this.options.sessionBytes && free(oldest)) oldest.lose()
    for (const oldest of this.#logs) if (this.#bytes > this.options.bytes && free(oldest)) oldest.lose()
  }

  /** The store has just been told which calls of a stream are under way, or that they are no more. */
  note(log: StreamLog, underWay: boolean): void {
    this.#underWay.delete(log)
    if (underWay) this.#underWay.add(log)
  }

  /** Forgets what has expired, as the store has by itself, and has it remember what has not. */
  sweep(): void {
    const { now, ttlMs } = this.options
    for (const oldest of this.#logs) {
      if (now() - oldest.lastAt <= ttlMs) break
      oldest.lose()
    }
    for (const oldest of this.#underWay) {
      if (now() - oldest.toldAt <= ttlMs / 4) break
      oldest.tellCalls()
    }
  }
}

interface SessionLogs {
  bytes: number
  readonly streams: Set<StreamLog>
}
