import {
  type AuthorMiddleware,
  type Connection,
  complainOnce,
  LOG_LEVELS,
  type LogLevel,
  type Request,
} from '../../kernel/index.ts'
import { LEVEL_OF, type TelemetryRecord } from './records.ts'

/** What a record is about: a call or an event, which is the same object each time. */
export interface RecordSource {
  readonly link: Connection
  readonly request?: Request
}

/** Somewhere to tell what happens. */
export interface Sink {
  /** What is less urgent is not told, nor even put into words; without a level everything is told. */
  readonly level?: LogLevel
  /** Whether a person reads it, so that nobody else need tell them what goes wrong. */
  readonly reports?: boolean
  /** Wraps every call, after the sink was told that it was received and before it is told how it came out. */
  readonly middleware?: AuthorMiddleware
  take(record: TelemetryRecord, level: LogLevel, source: RecordSource | undefined): void
}

const RANK = Object.fromEntries(LOG_LEVELS.map((level, rank) => [level, rank])) as Record<LogLevel, number> // One entry each.

/** All sinks together. */
export class Sinks {
  readonly #each: readonly {
    readonly sink: Sink
    readonly from: number
    readonly complain: (error: unknown) => void
  }[]
  readonly #lowest: number

  constructor(sinks: readonly Sink[]) {
    this.#each = sinks.map((sink) => ({ sink, from: RANK[sink.level ?? 'debug'], complain: complainOnce() }))
    this.#lowest = Math.min(...this.#each.map(({ from }) => from))
  }

  /** Whether anybody wants to hear of something of this level; asked before it is put into words. */
  wants(level: LogLevel): boolean {
    return RANK[level] >= this.#lowest
  }

  /** A sink that fails does so on its own, and the call it was told of goes its way. */
  tell(records: readonly TelemetryRecord[], source: RecordSource | undefined): void {
    for (const record of records) {
      const level = LEVEL_OF[record.kind](record as never) // The entry of its own kind.
      for (const { sink, from, complain } of this.#each) {
        try {
          const taken: unknown = RANK[level] >= from ? sink.take(record, level, source) : undefined
          if (taken instanceof Promise) taken.catch(complain)
        } catch (error) {
          complain(error)
        }
      }
    }
  }
}
