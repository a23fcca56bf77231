import type { Rate } from '../kernel/index.ts'

/** Sums of fractions come out a little beside a whole; a hundredth of a millisecond is nobody's loss. */
export const HAIR_MS = 0.01

/** How long a bucket takes to get one more. */
export function intervalOf({ perSecond }: Rate): number {
  return 1000 / perSecond
}

/** The moment when a bucket will be full again says how much it holds; 0, or how long to wait for one to take. */
export function waitFor(fullAt: number, rate: Rate, now: number): number {
  const wait = Math.max(fullAt, now) - now - (rate.burst - 1) * intervalOf(rate)
  return wait < HAIR_MS ? 0 : Math.ceil(wait)
}
