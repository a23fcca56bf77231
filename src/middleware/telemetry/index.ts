import { flag, listOf, type Middleware, membersOf, type Observer, object, oneOf } from '../../kernel/index.ts'
import { gather } from './audience.ts'
import { createObserver } from './observer.ts'
import { Passage } from './passage.ts'
import type { Clock, Setting } from './setting.ts'
import type { Sink } from './sink.ts'

export { type JsonLinesOptions, jsonLines } from './json-lines.ts'
export { openTelemetry } from './open-telemetry.ts'
export { prometheus } from './prometheus.ts'
export type { TelemetryRecord } from './records.ts'
export type { Sink } from './sink.ts'

/** Who is told of what a server does, and how much. */
export interface TelemetryOptions {
  readonly sinks: readonly Sink[]
  /** Tells what tools were given and what they answered, as far as it is not named like a secret. */
  readonly recordArguments?: boolean
  /** Whether the messages of internal errors are told: they may quote what a client has sent. They are, unless said. */
  readonly errorMessages?: 'told' | 'withheld'
  readonly clock?: Clock
}

/** To be listed first among a server's modules: what comes before it is not seen. */
export interface Telemetry {
  readonly name: 'telemetry'
  readonly middleware: readonly Middleware[]
  readonly observe: Observer
  readonly reports: boolean
  /** Fulfilled once every sink hears everything; a server may start before. */
  readonly ready: Promise<void>
}

const checkOptions = membersOf(
  { sinks: listOf(object), recordArguments: flag, errorMessages: oneOf('told', 'withheld'), clock: object },
  { needed: ['sinks'] },
)

const CLOCK: Clock = { now: Date.now, ticks: () => performance.now() }

/** Tells every sink what a server does. */
export function telemetry(options: TelemetryOptions): Telemetry {
  checkOptions(options, 'telemetry')
  const { sinks, recordArguments = false, errorMessages = 'told', clock = CLOCK } = options
  if (sinks.length === 0) throw new TypeError('telemetry: expected at least one sink')
  const audience = gather(sinks)
  const setting: Setting = { audience, recordArguments, errorMessages, clock }
  return {
    name: 'telemetry',
    middleware: [(call, next) => new Passage(call, setting).run(next)],
    observe: createObserver(setting),
    reports: sinks.some((sink) => sink.reports === true),
    ready: audience.ready,
  }
}
