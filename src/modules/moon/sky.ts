/** Where the Moon stands, for instants in milliseconds since 1970. */
export interface Sky {
  /** Apparent longitude of the Moon less that of the Sun, 0 to 360 degrees: what phases are defined by. */
  elongation(instant: number): number
  /** The lit part of the disc, 0 to 1. */
  illumination(instant: number): number
}

/** Light from the Moon is 1.3 seconds old. */
const MOON_LIGHT_DAYS = 1.28 / 86_400

/** Loads the ephemeris on first use: it takes about ten milliseconds that a start need not wait for. */
export async function openSky(): Promise<Sky> {
  const { Body, EclipticGeoMoon, Illumination, SunPosition, timeOf } = await import('./engine.ts')
  return {
    // Almanacs use apparent places. The engine's MoonPhase leaves out the aberration of the Sun, 20.5″,
    // which the Moon needs 40 seconds to run through.
    elongation: (instant) => {
      const time = timeOf(instant)
      const moon = EclipticGeoMoon(time.AddDays(-MOON_LIGHT_DAYS)).lon
      return (moon - SunPosition(time).elon + 360) % 360
    },
    illumination: (instant) => Illumination(Body.Moon, timeOf(instant)).phase_fraction,
  }
}
