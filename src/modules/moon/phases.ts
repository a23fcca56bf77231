import type { Sky } from './sky.ts'

/** The eight names, in the order in which the Moon goes through them. */
export const PHASES = [
  'new moon',
  'waxing crescent',
  'first quarter',
  'waxing gibbous',
  'full moon',
  'waning gibbous',
  'last quarter',
  'waning crescent',
] as const

export type Phase = (typeof PHASES)[number]

/** How the Moon looks at an instant; all instants are milliseconds since 1970. */
export interface LitMoon {
  readonly instant: number
  readonly phase: Phase
  readonly waxing: boolean
  /** The lit part of the disc, 0 to 1. */
  readonly illumination: number
}

/** And between which instants of its course that is. */
export interface Moon extends LitMoon {
  readonly lastNewMoon: number
  readonly nextNewMoon: number
  readonly nextFullMoon: number
}

/** Degrees of elongation. */
const NEW_MOON = 0
const FULL_MOON = 180

/** A principal phase has its name for half a day before and after its instant. */
export const NAMED_FOR = 12 * 3_600_000

/** Milliseconds the elongation takes for a degree, on average. */
export const PACE = (29.530588853 * 86_400_000) / 360

export function findPhase(sky: Sky, instant: number): LitMoon {
  const elongation = sky.elongation(instant)
  return {
    instant,
    phase: namePhase(sky, instant, elongation),
    waxing: elongation < FULL_MOON,
    illumination: sky.illumination(instant),
  }
}

export function findMoon(sky: Sky, instant: number): Moon {
  const elongation = sky.elongation(instant)
  return {
    ...findPhase(sky, instant),
    lastNewMoon: findInstant(sky, NEW_MOON, instant - ahead(NEW_MOON, elongation) * PACE),
    nextNewMoon: findInstant(sky, NEW_MOON, instant + ahead(elongation, NEW_MOON) * PACE),
    nextFullMoon: findInstant(sky, FULL_MOON, instant + ahead(elongation, FULL_MOON) * PACE),
  }
}

/** The instant nearest to a guess at which the Moon has an elongation. */
export function findInstant(sky: Sky, elongation: number, guess: number): number {
  let instant = guess
  // Its pace is within a quarter of the mean, so each round leaves at most a quarter of the error.
  for (let round = 0; round < 16; round++) {
    const step = apart(sky.elongation(instant), elongation) * PACE
    instant += step
    if (Math.abs(step) < 50) break
  }
  return instant
}

function namePhase(sky: Sky, instant: number, elongation: number): Phase {
  const nearest = Math.round(elongation / 90) * 90
  const principal = findInstant(sky, nearest % 360, instant)
  const eighth = Math.abs(instant - principal) <= NAMED_FOR ? nearest / 45 : between(elongation, nearest)
  return PHASES[eighth % 8] ?? PHASES[0]
}

/** The eighth before a principal phase that is still to come, or after one that is past. */
function between(elongation: number, nearest: number): number {
  return nearest / 45 + (elongation < nearest ? -1 : 1)
}

/** Degrees from one elongation forward to another, 0 to 360. */
function ahead(from: number, to: number): number {
  return (to - from + 360) % 360
}

/** Degrees from one elongation to another the short way, −180 to 180. */
function apart(from: number, to: number): number {
  return ahead(from, to + 180) - 180
}
