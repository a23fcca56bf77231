import type { Call, Handler, Link, LogLevel, Request, Result } from '../../kernel/index.ts'
import type { Subject, TelemetryRecord } from './records.ts'

/** What a record is about: a call, which is the same object each time, or an event. */
export interface Source {
  readonly link: Link
  readonly request?: Request
}

/** Somewhere to tell what happens. */
export interface Sink {
  /** What is less urgent is not told, nor even put into words; without a level everything is told. */
  readonly level?: LogLevel
  /** Whether a person reads it, so that nobody else need tell them what goes wrong. */
  readonly reports?: boolean
  take(record: TelemetryRecord, source: Source | undefined): void
  /** Goes on with a call inside what the sink keeps round it; it must not make a promise of a value. */
  around?(call: Call, next: Handler, subject: Subject): Result | Promise<Result>
  /** Fulfilled once the sink hears everything. */
  readonly ready?: Promise<void>
}
