import { findDeltaT, findTidalLag } from './earth-rotation.ts'

/** Where the Moon stands, for instants in milliseconds since 1970. */
export interface Sky {
  /** Apparent longitude of the Moon less that of the Sun, 0 to 360 degrees: what phases are defined by. */
  elongation(instant: number): number
  /** The lit part of the disc, 0 to 1. */
  illumination(instant: number): number
}

const DAY = 86_400_000
const J2000 = Date.UTC(2000, 0, 1, 12)

/** Light from the Moon is 1.3 seconds old. */
const MOON_LIGHT_DAYS = 1.28 / 86_400

/** Loads the ephemeris on first use: it takes about ten milliseconds that a start need not wait for. */
export async function openSky(): Promise<Sky> {
  const engine = await import('astronomy-engine')

  /** The engine's own TT − UT1 follows a polynomial that has left the measured values since 2005. */
  const timeOf = (instant: number) => {
    const days = (instant - J2000) / DAY
    const year = 2000 + (days + 0.5) / 365.25
    const deltaT = findDeltaT(year) ?? engine.DeltaT_EspenakMeeus(days)
    return engine.AstroTime.FromTerrestrialTime(days + (deltaT - findTidalLag(year)) / 86_400)
  }

  return {
    // Almanacs use apparent places. The engine's MoonPhase leaves out the aberration of the Sun, 20.5″,
    // which the Moon needs 40 seconds to run through.
    elongation: (instant) => {
      const time = timeOf(instant)
      const moon = engine.EclipticGeoMoon(time.AddDays(-MOON_LIGHT_DAYS)).lon
      return (moon - engine.SunPosition(time).elon + 360) % 360
    },
    illumination: (instant) => engine.Illumination(engine.Body.Moon, timeOf(instant)).phase_fraction,
  }
}
