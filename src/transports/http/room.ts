import type { Refusal } from './exchange.ts'
import { refusal } from './refuse.ts'
import type { Session } from './session.ts'
import type { Site } from './site.ts'

/** Whether there is room for a further call; what calls may wait for is not asked this. */
export function checkCalls({ calls, listening, settings }: Site): Refusal | undefined {
  return calls - listening < settings.maxCalls
    ? undefined
    : refusal(503, 'Service unavailable: too many calls under way', { 'retry-after': '1' })
}

/** Sessions of either kind count. */
export function checkSessions({ sessions, pairs, settings }: Site): Refusal | undefined {
  return sessions.size + pairs.size < settings.maxSessions
    ? undefined
    : refusal(503, 'Service unavailable: too many sessions', { 'retry-after': '10' })
}

export function checkStreams({ sinks, settings }: Site): Refusal | undefined {
  return sinks.size < settings.maxStreams
    ? undefined
    : refusal(503, 'Service unavailable: too many open streams', { 'retry-after': '10' })
}

export function checkOwnStreams({ openStreams, site }: Session): Refusal | undefined {
  return openStreams < site.settings.maxStreamsPerSession
    ? checkStreams(site)
    : refusal(429, 'Too many requests: too many open streams in this session', { 'retry-after': '1' })
}
