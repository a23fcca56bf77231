import type { EventFrom } from '../definitions/event.ts'
import { legible } from '../faults.ts'
import type { Link } from './link.ts'

/** What happens beside the calls, with the link that it happened on. */
export type KernelEvent = EventFrom<Link>

/** Hears of what happens in a server. */
export type KernelObserver = (event: KernelEvent) => void

/** Whoever was told has failed, so it is no use telling them. */
class ObserverError extends Error {
  constructor(thrown: unknown) {
    const cause = legible(thrown)
    super(`An observer failed: ${cause instanceof Error ? cause.message : String(cause)}`, { cause })
  }
}

/** So many different failures are enough to mend whoever fails. */
const MAX_TOLD = 10

/**
 * Says on the console that whoever was told has failed, each failure once: they may fail at everything they are told.
 * @example const complain = complainOnce()
 */
export function complainOnce(): (error: unknown) => void {
  const told = new Set<string>()
  return (thrown) => {
    const error = new ObserverError(thrown)
    if (told.size === MAX_TOLD || told.has(error.message)) return
    told.add(error.message)
    console.error(legible(error))
  }
}

/**
 * An observer that fails, at once or later, does so on its own, and what it was told of goes its way.
 * @example const observe = shield((event) => console.error(event.kind))
 */
export function shield(observe: KernelObserver): KernelObserver {
  const complain = complainOnce()
  return (event) => {
    try {
      const done: unknown = observe(event)
      if (done instanceof Promise) done.catch(complain)
    } catch (error) {
      complain(error)
    }
  }
}
