import { LOG_LEVELS, type LogLevel } from '../kernel/index.ts'
import { jsonLines } from '../middleware/telemetry/index.ts'
import type { NotedRecord } from '../middleware/telemetry/records.ts'
import { tellText } from '../middleware/telemetry/redact.ts'
import { type Sink, Sinks } from '../middleware/telemetry/sink.ts'
import { hasColours } from '../process/has-colours.ts'
import { type Config, readOneOf } from './config.ts'

/** Tells whoever runs a command something; what follows the first line is its place in a file. */
export type Note = (level: LogLevel, text: string) => void

/** The one log of a command, as `--log-level` and `--log-format` want it. */
export interface Log {
  /** Takes what a server has to tell; undefined where nobody wants to hear it. */
  readonly sink: Sink | undefined
  readonly note: Note
}

/** A server in a file has its name only once it is loaded. */
export function openLog(logger: () => string, { settings }: Config): Log {
  const least = readOneOf('log-level', settings['log-level'], [...LOG_LEVELS, 'off'])
  // Lines are for people on a terminal, and for machines elsewhere, unless the operator says otherwise.
  const wanted = settings['log-format'] ?? (process.stderr.isTTY ? 'pretty' : 'json')
  const format = readOneOf('log-format', wanted, ['json', 'pretty'])
  if (least === 'off') return { sink: undefined, note: () => {} }
  const sink = jsonLines({ level: least, format, colour: hasColours(), logger, write: writeLine })
  const sinks = new Sinks([sink])
  return { sink, note: (level, text) => sinks.tell([notedOf(level, text)], undefined) }
}

/** What comes of something, after why, where that is known; the place in a file stays behind both. */
export function because(reason: string | undefined, outcome: string): string {
  if (reason === undefined) return outcome
  const [why, ...place] = reason.split('\n')
  return [`${why}; ${outcome}`, ...place].join('\n')
}

const writeLine = (line: string) => process.stderr.write(line)

const MAX_PLACE = 10

function notedOf(level: LogLevel, text: string): NotedRecord {
  const [message = '', ...place] = text.split('\n')
  const stack = place.slice(0, MAX_PLACE).map((line) => tellText(line.trim()))
  return {
    kind: 'noted',
    time: Date.now(),
    level,
    message: tellText(message),
    ...(stack.length > 0 && { stack }),
  }
}
