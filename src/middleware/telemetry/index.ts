import type { AuthorMiddleware, AuthorObserver } from '../../kernel/index.ts'
import { readOptions, type TelemetryOptions } from './options.ts'
import { recordCalls } from './record-calls.ts'
import { recordEvents } from './record-events.ts'

export type { TelemetryOptions } from './options.ts'
export type { TelemetryRecord } from './records.ts'
export type { Sink } from './sink.ts'
export { type JsonLinesOptions, jsonLines } from './sinks/json-lines.ts'
export { openTelemetry } from './sinks/open-telemetry.ts'
export { prometheus } from './sinks/prometheus.ts'

/** A module that sees every call, wherever it is listed. */
export interface Telemetry {
  readonly name: 'telemetry'
  readonly wraps: 'outermost'
  readonly middleware: readonly AuthorMiddleware[]
  readonly observe: AuthorObserver
  readonly reports: boolean
}

/**
 * Tells every sink what a server does.
 * @example
 * const watched = telemetry({ sinks: [jsonLines({ write: console.error })] })
 * defineServer({ name: 'sums', version: '1.0.0', modules: [watched] })
 */
export function telemetry(options: TelemetryOptions): Telemetry {
  const recording = readOptions(options)
  const { sinks } = options
  return {
    name: 'telemetry',
    wraps: 'outermost',
    middleware: [recordCalls(recording), ...sinks.flatMap((sink) => sink.middleware ?? [])],
    observe: recordEvents(recording),
    reports: sinks.some((sink) => sink.reports === true),
  }
}
