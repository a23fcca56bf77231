import {
  type Check,
  callable,
  flag,
  LOG_LEVELS,
  listOf,
  membersOf,
  object,
  oneOf,
} from '../../kernel/index.ts'
import { type Sink, Sinks } from './sink.ts'

/** Who is told of what a server does, and how much. */
export interface TelemetryOptions {
  readonly sinks: readonly Sink[]
  /** Tells what tools were given and what they answered, as far as it is not named like a secret. */
  readonly recordArguments?: boolean
  /** Whether the messages of internal errors are told: they may quote what a client has sent. They are, unless said. */
  readonly errorMessages?: 'told' | 'withheld'
  readonly clock?: TelemetryClock
}

/** Where telemetry has the time from. */
export interface TelemetryClock {
  /** Milliseconds since 1970. */
  now(): number
  /** Milliseconds since some moment; they never go back. */
  ticks(): number
}

/** The same, with nothing left open. */
export interface Recording extends Required<Omit<TelemetryOptions, 'sinks'>> {
  readonly sinks: Sinks
}

/** Node loads its own when somebody asks, and a server without telemetry does not. */
const createClock = (): TelemetryClock => ({ now: Date.now, ticks: performance.now.bind(performance) })

/** It may be of somebody's class, with whatever else that has. */
const sink: Check = (value, where) => {
  object(value, where)
  const { take, level, middleware } = value as Partial<Sink>
  callable(take, `${where}.take`)
  if (level !== undefined) levels(level, `${where}.level`)
  if (middleware !== undefined) callable(middleware, `${where}.middleware`)
}

const levels = oneOf(...LOG_LEVELS)

const clock: Check = (value, where) => {
  object(value, where)
  const { now, ticks } = value as Partial<TelemetryClock>
  callable(now, `${where}.now`)
  callable(ticks, `${where}.ticks`)
}

const checkOptions = membersOf(
  {
    sinks: listOf(sink),
    recordArguments: flag,
    errorMessages: oneOf('told', 'withheld'),
    clock,
  },
  { needed: ['sinks'] },
)

export function readOptions(options: TelemetryOptions): Recording {
  checkOptions(options, 'telemetry')
  const { sinks, recordArguments = false, errorMessages = 'told', clock = createClock() } = options
  if (sinks.length === 0) throw new TypeError('telemetry: expected at least one sink')
  return { sinks: new Sinks(sinks), recordArguments, errorMessages, clock }
}
