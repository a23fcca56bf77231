import {
  type Call,
  type Handler,
  LOG_LEVELS,
  type LogLevel,
  ObserverError,
  type Result,
} from '../../kernel/index.ts'
import { levelOf, type Subject, type TelemetryRecord } from './records.ts'
import type { Sink, Source } from './sink.ts'

export type Around = (call: Call, next: Handler, subject: Subject) => Result | Promise<Result>

/** All sinks together. */
export interface Audience {
  /** Whether anybody wants to hear of something of this level; asked before it is put into words. */
  wants(level: LogLevel): boolean
  tell(record: TelemetryRecord, source?: Source): void
  /** Goes on with a call inside what each sink keeps round it. */
  readonly around: Around | undefined
  readonly ready: Promise<void>
}

const RANK = Object.fromEntries(LOG_LEVELS.map((level, rank) => [level, rank])) as Record<LogLevel, number> // One entry each.

export function gather(sinks: readonly Sink[]): Audience {
  const seats = sinks.map((sink) => ({ sink, from: RANK[sink.level ?? 'debug'] }))
  const lowest = Math.min(...seats.map(({ from }) => from))
  return {
    wants: (level) => RANK[level] >= lowest,
    tell(record, source) {
      const rank = RANK[levelOf(record)]
      for (const { sink, from } of seats) if (rank >= from) give(sink, record, source)
    },
    around: surround(sinks),
    ready: Promise.all(sinks.flatMap((sink) => sink.ready ?? [])).then(() => {}),
  }
}

/** A sink that fails does so on its own, and the call it was told of goes its way. */
function give(sink: Sink, record: TelemetryRecord, source: Source | undefined): void {
  try {
    sink.take(record, source)
  } catch (error) {
    queueMicrotask(() => {
      throw new ObserverError(error)
    })
  }
}

function surround(sinks: readonly Sink[]): Around | undefined {
  const layers = sinks.flatMap((sink): Around[] =>
    sink.around === undefined ? [] : [sink.around.bind(sink)],
  )
  if (layers.length === 0) return undefined
  return layers.reduceRight((inner, layer) => (call, next, subject) => {
    return layer(call, (same) => inner(same, next, subject), subject)
  })
}
