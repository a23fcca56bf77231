import type { Notification, Progress } from '../../client/index.ts'
import { LOG_LEVELS, type LogLevel } from '../../kernel/index.ts'
import type { CommandOutput } from './output.ts'
import { oneLine } from './printable.ts'
import type { Where } from './where.ts'

const WIDTH = 24

/** How far a request has come, on a terminal. */
export function showProgress({ progress, total, message }: Progress, output: CommandOutput): void {
  output.showStatus([printProgress(progress, total), message ?? ''].join(' '))
}

function printProgress(progress: number, total: number | undefined): string {
  if (total === undefined || !(total > 0)) return `… ${progress}`
  const share = Math.min(1, Math.max(0, progress / total))
  const filled = Math.round(share * WIDTH)
  return `[${'#'.repeat(filled)}${'-'.repeat(WIDTH - filled)}] ${Math.round(share * 100)} %`
}

/** What the server logs, if it was asked for. */
export function showLog({ method, params }: Notification, { logLevel }: Where, output: CommandOutput): void {
  if (method !== 'notifications/message' || logLevel === undefined) return
  const level = LOG_LEVELS.indexOf(params['level'] as LogLevel) // Anything else is at no place.
  if (level >= LOG_LEVELS.indexOf(logLevel)) output.note(printLog(params))
}

export function printLog({ level, logger, data }: Notification['params']): string {
  const from = typeof logger === 'string' ? ` ${oneLine(logger, 100)}:` : ''
  return `${oneLine(String(level), 20)}:${from} ${typeof data === 'string' ? data : JSON.stringify(data)}`
}
