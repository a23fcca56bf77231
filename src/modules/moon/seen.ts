import { Body, Equator, Horizon, instantOf, Observer, SearchRiseSet, timeOf } from './engine.ts'

/** Degrees: north and east are positive. */
export interface MoonPlace {
  readonly latitude: number
  readonly longitude: number
}

/** The Moon as it stands above a place; angles in degrees. */
export interface SeenMoon {
  /** Above the horizon, as it looks through the air; negative below it. */
  readonly altitude: number
  /** From north through east. */
  readonly azimuth: number
  /** Where the middle of the lit edge points: 0 up, 90 right, 180 down, 270 left. */
  readonly tilt: number
  /** Where the north of its face points, in the same way. */
  readonly north: number
  /** Instants; undefined where there is none in the next month. */
  readonly nextRise: number | undefined
  readonly nextSet: number | undefined
}

/** Near the poles the Moon stays up, or away, for up to two weeks. */
const MAX_DAYS = 31

/** The pole of the ecliptic, in hours and degrees: the Moon's axis points there within a degree and a half. */
const ECLIPTIC_POLE = { ra: 18, dec: 66.56 }

export function seeMoon(instant: number, { latitude, longitude }: MoonPlace): SeenMoon {
  const observer = new Observer(latitude, longitude, 0)
  const time = timeOf(instant)
  const moon = Equator(Body.Moon, time, observer, true, true)
  const sun = Equator(Body.Sun, time, observer, true, true)
  const stands = (at: { readonly ra: number; readonly dec: number }) => Horizon(time, observer, at.ra, at.dec) // Where it is, and not where the air lifts it to.
  const { altitude, azimuth } = Horizon(time, observer, moon.ra, moon.dec, 'normal')
  const next = (direction: 1 | -1) => {
    const found = SearchRiseSet(Body.Moon, observer, direction, time, MAX_DAYS)
    return found === null ? undefined : instantOf(found)
  }
  return {
    altitude,
    azimuth,
    tilt: bearing(stands(moon), stands(sun)),
    north: bearing(stands(moon), stands(ECLIPTIC_POLE)),
    nextRise: next(1),
    nextSet: next(-1),
  }
}

/** Above the horizon of a place, in degrees. */
export function moonAltitude(instant: number, { latitude, longitude }: MoonPlace): number {
  const observer = new Observer(latitude, longitude, 0)
  const time = timeOf(instant)
  const { ra, dec } = Equator(Body.Moon, time, observer, true, true)
  return Horizon(time, observer, ra, dec, 'normal').altitude
}

interface SkyDirection {
  readonly altitude: number
  readonly azimuth: number
}

/** In which direction one point of the sky lies from another, for somebody who looks at that one: from up, clockwise. */
function bearing(from: SkyDirection, to: SkyDirection): number {
  const apart = radians(to.azimuth - from.azimuth)
  const [low, high] = [radians(from.altitude), radians(to.altitude)]
  const right = Math.cos(high) * Math.sin(apart)
  const up = Math.sin(high) * Math.cos(low) - Math.cos(high) * Math.sin(low) * Math.cos(apart)
  return ((Math.atan2(right, up) * 180) / Math.PI + 360) % 360
}

function radians(degrees: number): number {
  return (degrees * Math.PI) / 180
}
