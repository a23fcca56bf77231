import { type LogLevel, tame } from '../../../kernel/index.ts'
import type { CallEnding, CrashedRecord, TelemetryRecord, TurnedAwayRecord } from '../records.ts'
import type { Subject } from '../subject.ts'

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

export function printLevel(level: LogLevel, colour: boolean): string {
  const label = level.padEnd(7)
  return colour ? `\u001b[${COLOURS[level]}m${label}\u001b[39m` : label
}

/** A record in words for people. */
export function printWords(record: TelemetryRecord): string {
  const { stack = [] } = record as { readonly stack?: readonly string[] } // Some kinds have one.
  return [say(record), ...stack].map(tame).join('\n    ')
}

function say(record: TelemetryRecord): string {
  switch (record.kind) {
    case 'received':
      return `→ ${sayRequest(record)}`
    case 'invoked':
      return `  tool ${record.tool} ${sayEnding(record)} in ${record.durationMs} ms${sayContent(record)}`
    case 'completed':
      return `← ${sayRequest(record)} ${sayEnding(record)} in ${record.durationMs} ms${sayUnsaid(record)}`
    case 'unreadable':
      return `unreadable ${record.code} ${record.message}${sayUnsaid(record)}`
    case 'turned-away':
      return `${[record.verb, record.path].join(' ').trim() || 'a connection'} turned away ${record.status} ${record.message}${sayFrom(record)}${sayUnsaid(record)}`
    case 'crashed':
      return `${sayTarget(record)} crashed: ${record.message ?? record.error}${sayUnsaid(record)}`
    case 'stored':
      return `store ${record.operation} ${record.outcome} in ${record.durationMs} ms`
    case 'noted':
      return record.message
    case 'opened':
      return `session opened: ${record.client ?? 'somebody'} (${record.protocol ?? 'no protocol'})`
    case 'closed':
      return `session closed after ${record.durationMs} ms`
  }
}

function sayFrom({ from }: TurnedAwayRecord): string {
  return from === undefined ? '' : ` (from ${from})`
}

function sayUnsaid({ unsaid = 0 }: { readonly unsaid?: number }): string {
  return unsaid === 0 ? '' : ` (and ${unsaid} more before)`
}

function sayRequest(subject: Subject): string {
  return `${sayTarget(subject)} #${subject.id}`
}

function sayTarget({ method, tool, prompt, uri }: Pick<CrashedRecord, 'method' | 'tool' | 'prompt' | 'uri'>) {
  const target = tool ?? prompt ?? uri
  return target === undefined ? method : `${method} ${target}`
}

function sayEnding(ending: CallEnding): string {
  const said = ending.outcome === 'error' ? `error ${ending.code} ${ending.message}` : ending.outcome
  const flag = 'flag' in ending ? ending.flag : undefined
  return flag === undefined || said.includes(flag) ? said : `${said} (${flag})`
}

function sayContent(content: {
  readonly arguments: string | undefined
  readonly result: string | undefined
}): string {
  const said = [content.arguments, content.result].filter((one) => one !== undefined)
  return said.length === 0 ? '' : ` ${said.join(' → ')}`
}
