import {
  callable,
  expecting,
  flag,
  LOG_LEVELS,
  type LogLevel,
  type Members,
  membersOf,
  oneOf,
} from '../../../kernel/index.ts'
import type { TelemetryRecord } from '../records.ts'
import type { Sink } from '../sink.ts'
import { escapeUnseen } from './escape-unseen.ts'
import { createFloodLimit } from './flood-limit.ts'
import { printLevel, printWords } from './pretty.ts'

/** Where lines go, which of them, and what they look like. */
export interface JsonLinesOptions {
  /** Takes a line with its end. */
  readonly write: (line: string) => void
  /** The least urgent level that is written; `info` unless said otherwise. */
  readonly level?: LogLevel
  /** JSON for machines, or a line for people. */
  readonly format?: 'json' | 'pretty'
  /** Whether pretty lines have colours. */
  readonly colour?: boolean
  /** The name that stands in every line of JSON, or what gives it when a line is written. */
  readonly logger?: string | (() => string)
}

const checkOptions = membersOf(
  {
    write: callable,
    level: oneOf(...LOG_LEVELS),
    format: oneOf('json', 'pretty'),
    colour: flag,
    logger: expecting('a string', (value) => typeof value === 'string' || typeof value === 'function'),
  } satisfies Members<JsonLinesOptions>,
  { needed: ['write'], meant: { color: 'colour' } },
)

/**
 * Writes a line for everything that happens.
 * @example telemetry({ sinks: [jsonLines({ write: console.error, level: 'warning' })] })
 */
export function jsonLines(options: JsonLinesOptions): Sink {
  checkOptions(options, 'jsonLines')
  const { write, level = 'info', format = 'json', colour = false, logger } = options
  const name = (named: string) => `,"logger":${JSON.stringify(named)}`
  const fixed = typeof logger === 'string' ? name(logger) : ''
  const limitFlood = createFloodLimit()
  const printTime = createTimePrinter()
  return {
    level,
    reports: true,
    take(record, urgency) {
      if (record.kind === 'stored') return // There are so many that a log would tell of little else.
      const said = limitFlood(record)
      if (said === undefined) return
      const time = printTime(said.time)
      if (format === 'pretty') return write(`${time} ${printLevel(urgency, colour)} ${printWords(said)}\n`)
      const field = typeof logger === 'function' ? name(logger()) : fixed
      write(printJson(said, `{"time":"${time}","level":"${urgency}"${field},"event":"${said.kind}"`))
    },
  }
}

/** Prints moments; several lines in a row are often of the same one. */
function createTimePrinter(): (time: number) => string {
  let last = Number.NaN
  let printed = ''
  return (time) => {
    if (time !== last) {
      last = time
      printed = new Date(time).toISOString()
    }
    return printed
  }
}

function printJson(record: TelemetryRecord, begin: string): string {
  const words = wordsOf(record)
  const fields: LineFields = words === undefined ? record : { ...record, message: words }
  let line = begin
  for (const name of FIELDS) {
    const value = fields[name]
    if (value !== undefined) line += `,"${name}":${JSON.stringify(value)}`
  }
  return escapeUnseen(`${line}}\n`)
}

/** What happens in every conversation is said in words, too, for those who search the log for them. */
function wordsOf(record: TelemetryRecord): string | undefined {
  if (record.kind === 'opened') return 'Server initialized'
  return record.kind === 'received' && record.tool !== undefined ? `Calling tool: ${record.tool}` : undefined
}

type Field = Exclude<
  TelemetryRecord extends infer One ? (One extends One ? keyof One : never) : never,
  Unwritten
>

/** What is said at the beginning of a line, and what matters only to those that count. */
type Unwritten = 'kind' | 'time' | 'level' | 'unknown' | 'refused' | 'denied'

type LineFields = { readonly [Name in Field]?: unknown }

/** In the order in which they are written; picking them is several times as fast as taking the others out. */
const FIELDS = Object.keys({
  method: true,
  id: true,
  tool: true,
  prompt: true,
  uri: true,
  durationMs: true,
  outcome: true,
  code: true,
  error: true,
  operation: true,
  store: true,
  status: true,
  message: true,
  flag: true,
  verb: true,
  path: true,
  from: true,
  unsaid: true,
  stack: true,
  protocol: true,
  client: true,
  arguments: true,
  result: true,
} satisfies Record<Field, true>) as Field[] // Object.keys does not say so itself.
