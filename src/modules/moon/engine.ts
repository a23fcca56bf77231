import { AstroTime, DeltaT_EspenakMeeus, SetDeltaTFunction } from 'astronomy-engine'
import { findDeltaT, findTidalLag } from './earth-rotation.ts'

const DAY = 86_400_000
const J2000 = Date.UTC(2000, 0, 1, 12)

/** The engine's own TT − UT1 follows a polynomial that has left the measured values since 2005. */
SetDeltaTFunction((days) => {
  const year = 2000 + (days + 0.5) / 365.25
  return (findDeltaT(year) ?? DeltaT_EspenakMeeus(days)) - findTidalLag(year)
})

/** An instant, in milliseconds since 1970, as the engine has it. */
export function timeOf(instant: number): AstroTime {
  return new AstroTime((instant - J2000) / DAY)
}

/** And back. */
export function instantOf({ ut }: AstroTime): number {
  return J2000 + ut * DAY
}

/** What is used of the engine, by name, so that the rest of it is not published. */
export {
  Body,
  EclipticGeoMoon,
  Equator,
  Horizon,
  Illumination,
  NextGlobalSolarEclipse,
  NextLunarApsis,
  NextLunarEclipse,
  Observer,
  SearchGlobalSolarEclipse,
  SearchLocalSolarEclipse,
  SearchLunarApsis,
  SearchLunarEclipse,
  SearchRiseSet,
  SunPosition,
} from 'astronomy-engine'
