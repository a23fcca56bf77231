import type { Fault } from '../faults.ts'
import type { Call } from './call.ts'

const TOLD = new WeakSet<Call>()

/**
 * Has a transport turn a call away that nobody worked on, where it has words of its own for that.
 * @example throw turnAway(call, new Fault('rateLimited', 'Too many requests: try again in 5 s'))
 */
export function turnAway(call: Call, fault: Fault): Fault {
  if (call.outlet.refused?.(call.request, fault) === true) TOLD.add(call)
  return fault
}

/**
 * Whether its transport tells of a call that it was turned away, so that nobody else has to.
 * @example const level = (call: Call) => (isTurnedAway(call) ? 'info' : 'warning')
 */
export function isTurnedAway(call: Call): boolean {
  return TOLD.has(call)
}
