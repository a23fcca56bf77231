import type { Notification } from '../../client/index.ts'
import { isAtLeast, type Link, LOG_LEVELS, type LogLevel, type Peer } from '../../kernel/index.ts'

/** Whether what an upstream tells is for a client: a log notice that it wants, or that what it was sent to is done. */
export function isHeard(
  { method, params }: Notification,
  { revision }: Peer,
  hears: (level: LogLevel) => boolean,
): boolean {
  if (method === 'notifications/elicitation/complete') return revision.elicitationId
  if (method !== 'notifications/message') return false
  const level = LOG_LEVELS.find((one) => one === params['level'])
  return level !== undefined && hears(level)
}

/** What an upstream tells between calls is told to the client that it is connected for, where its revision has that. */
export function tellBetween(notification: Notification, link: Link): void {
  const { peer, logLevel } = link
  if (peer === undefined) return
  const hears = (level: LogLevel) => logLevel !== undefined && isAtLeast(level, logLevel)
  if (isHeard(notification, peer, hears)) link.notify(notification.method, notification.params)
}
