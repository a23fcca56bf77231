import type { LogLevel } from '../../kernel/index.ts'
import { tame } from './discretion.ts'
import { printTime } from './print-time.ts'
import {
  type CrashedRecord,
  type Ending,
  levelOf,
  type Subject,
  type TelemetryRecord,
  type TurnedAwayRecord,
} from './records.ts'

const COLOURS: Record<LogLevel, number> = {
  debug: 90,
  info: 32,
  notice: 36,
  warning: 33,
  error: 31,
  critical: 35,
  alert: 35,
  emergency: 35,
}

/** A record as a line for people. */
export function printPretty(record: TelemetryRecord, colour: boolean): string {
  const level = levelOf(record)
  const label = level.padEnd(7)
  const shown = colour ? `\u001b[${COLOURS[level]}m${label}\u001b[39m` : label
  const frames = record.kind === 'crashed' ? record.stack : []
  return [`${printTime(record.time)} ${shown} ${tame(say(record))}`, ...frames.map(tame)].join('\n    ')
}

function say(record: TelemetryRecord): string {
  switch (record.kind) {
    case 'received':
      return `→ ${sayRequest(record)}`
    case 'invoked':
      return `  tool ${record.tool} ${sayEnding(record)} in ${record.durationMs} ms${sayContent(record)}`
    case 'completed':
      return `← ${sayRequest(record)} ${sayEnding(record)} in ${record.durationMs} ms`
    case 'unreadable':
      return `unreadable ${record.code} ${record.message}`
    case 'turned-away':
      return `${[record.verb, record.path].join(' ').trim() || 'a connection'} turned away ${record.status} ${record.message}${sayFrom(record)}`
    case 'crashed':
      return `${sayTarget(record)} crashed: ${record.message ?? record.error}`
    case 'noted':
      return record.message
    case 'opened':
      return `session opened: ${record.client ?? 'somebody'} (${record.protocol ?? 'no protocol'})`
    case 'closed':
      return `session closed after ${record.durationMs} ms`
  }
}

function sayFrom({ from, unsaid = 0 }: TurnedAwayRecord): string {
  return `${from === undefined ? '' : ` (from ${from})`}${unsaid === 0 ? '' : ` (and ${unsaid} more before)`}`
}

function sayRequest(subject: Subject): string {
  return `${sayTarget(subject)} #${subject.id}`
}

function sayTarget({ method, tool, prompt, uri }: Pick<CrashedRecord, 'method' | 'tool' | 'prompt' | 'uri'>) {
  const target = tool ?? prompt ?? uri
  return target === undefined ? method : `${method} ${target}`
}

function sayEnding(ending: Ending): string {
  return ending.outcome === 'error' ? `error ${ending.code} ${ending.message}` : ending.outcome
}

function sayContent(content: {
  readonly arguments: string | undefined
  readonly result: string | undefined
}): string {
  const said = [content.arguments, content.result].filter((one) => one !== undefined)
  return said.length === 0 ? '' : ` ${said.join(' → ')}`
}
