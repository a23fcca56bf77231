import type { EventFrom } from '../definitions/event.ts'
import type { Link } from './link.ts'

/** What happens beside the calls, with the link that it happened on. */
export type KernelEvent = EventFrom<Link>

/** Hears of what happens in a server. */
export type KernelObserver = (event: KernelEvent) => void

/**
 * Whoever was told has failed, so it is no use telling them.
 * @example const isTheirs = (error: unknown) => error instanceof ObserverError
 */
export class ObserverError extends Error {
  constructor(cause: unknown) {
    super(`An observer failed: ${cause instanceof Error ? cause.message : String(cause)}`, { cause })
  }
}
