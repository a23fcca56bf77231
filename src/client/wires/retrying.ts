import { ClientError } from '../errors.ts'
import type { Sent } from '../wire.ts'
import type { StopSignal } from './stop.ts'

/** What can be asked twice and does nothing twice. */
const SAFE = new Set([
  'initialize',
  'server/discover',
  'ping',
  'tools/list',
  'resources/list',
  'resources/templates/list',
  'resources/read',
  'prompts/list',
  'prompts/get',
  'completion/complete',
  'tasks/get',
  'tasks/list',
])

const MAX_TRIES = 3
const FIRST_WAIT_MS = 100

/** A server that wants to be left alone for longer than this is left alone. */
const LONGEST_WAIT_MS = 10_000

/** Whether a server, or whoever stands before it, may well do by and by what it refuses now. */
export function isBusy(status: number | undefined): boolean {
  return status !== undefined && [429, 502, 503, 504].includes(status)
}

/** How long to wait before a message is sent again after this many tries; undefined when it must not be. */
export function waitBeforeRetry(error: unknown, { method = '' }: Sent, tries: number): number | undefined {
  if (tries >= MAX_TRIES || !(error instanceof ClientError)) return undefined
  const { status, unsent, retryAfterMs, forgotten } = error.details
  const busy = isBusy(status) && (status === 429 || SAFE.has(method))
  const broken = error.reason === 'lost' && forgotten !== true && SAFE.has(method) // Each try would open a session.
  if (!busy && !broken && unsent !== true) return undefined
  const waitMs = retryAfterMs ?? FIRST_WAIT_MS * 2 ** (tries - 1)
  return waitMs <= LONGEST_WAIT_MS ? waitMs : undefined
}

/** What opens a session cannot wait for one. */
export function isOpening({ method }: Sent): boolean {
  return method === 'initialize' || method === 'notifications/initialized'
}

/** Resolves after a while, or rejects with the signal's reason. */
export function pause(milliseconds: number, signal: StopSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    signal.throwIfAborted()
    const stop = () => {
      clearTimeout(timer)
      reject(signal.reason)
    }
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', stop)
      resolve()
    }, milliseconds)
    signal.addEventListener('abort', stop, { once: true })
  })
}
