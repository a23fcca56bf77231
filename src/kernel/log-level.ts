/**
 * RFC 5424, least urgent first.
 * @example const least = LOG_LEVELS[0]
 */
export const LOG_LEVELS = [
  'debug',
  'info',
  'notice',
  'warning',
  'error',
  'critical',
  'alert',
  'emergency',
] as const

/** How urgent a log notice is, in the words of syslog. */
export type LogLevel = (typeof LOG_LEVELS)[number]

export function isLogLevel(value: unknown): value is LogLevel {
  return LOG_LEVELS.some((level) => level === value)
}

/**
 * Whether a level is as urgent as another.
 * @example isAtLeast('error', 'warning')
 */
export function isAtLeast(level: LogLevel, threshold: LogLevel): boolean {
  return LOG_LEVELS.indexOf(level) >= LOG_LEVELS.indexOf(threshold)
}
