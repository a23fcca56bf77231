import { describe, expect, it } from 'vitest'
import { type MoonPlace, seeMoon } from './seen.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE

/**
 * U.S. Naval Observatory, "Table of Moonrise/Moonset for an Entire Year" (aa.usno.navy.mil/data/RS_OneYear), Universal
 * Time to the minute, by way of generate/riseset/riseset.txt in github.com/cosinekitty/astronomy.
 */
const TABLES: readonly { readonly place: MoonPlace; readonly year: number; readonly table: string }[] = [
  {
    place: { latitude: 29, longitude: -81 },
    year: 2019,
    table: `
    rises
    03-01 08:36 | 03-02 09:23 | 03-03 10:06 | 03-04 10:46 | 03-05 11:23 | 03-06 11:57 | 03-07 12:30 | 03-08 13:02
    03-09 13:34 | 03-10 14:07 | 03-11 14:43 | 03-12 15:22 | 03-13 16:06 | 03-14 16:55 | 03-15 17:51 | 03-16 18:53
    03-17 19:59 | 03-18 21:07 | 03-19 22:16 | 03-20 23:24 | 03-22 00:31 | 03-23 01:36 | 03-24 02:39 | 03-25 03:41
    03-26 04:41 | 03-27 05:37 | 03-28 06:30 | 03-29 07:20 | 03-30 08:04 | 03-31 08:45
    sets
    03-01 19:14 | 03-02 20:06 | 03-03 20:58 | 03-04 21:51 | 03-05 22:44 | 03-06 23:36 | 03-08 00:29 | 03-09 01:22
    03-10 02:16 | 03-11 03:11 | 03-12 04:08 | 03-13 05:07 | 03-14 06:06 | 03-15 07:07 | 03-16 08:05 | 03-17 09:01
    03-18 09:52 | 03-19 10:39 | 03-20 11:23 | 03-21 12:04 | 03-22 12:44 | 03-23 13:24 | 03-24 14:04 | 03-25 14:47
    03-26 15:31 | 03-27 16:19 | 03-28 17:08 | 03-29 17:59 | 03-30 18:52 | 03-31 19:45
    `,
  },
  {
    place: { latitude: -45, longitude: 150 },
    year: 2050,
    table: `
    rises
    06-01 03:48 | 06-02 04:18 | 06-03 04:54 | 06-04 05:36 | 06-05 06:25 | 06-06 07:23 | 06-07 08:29 | 06-08 09:39
    06-09 10:52 | 06-10 12:05 | 06-11 13:18 | 06-12 14:31 | 06-13 15:42 | 06-14 16:53 | 06-15 18:03 | 06-16 19:09
    06-17 20:11 | 06-18 21:06 | 06-19 21:54 | 06-20 22:36 | 06-21 23:11 | 06-22 23:42 | 06-24 00:09 | 06-25 00:34
    06-26 00:59 | 06-27 01:23 | 06-28 01:49 | 06-29 02:17 | 06-30 02:50
    sets
    06-01 17:45 | 06-02 18:48 | 06-03 19:53 | 06-04 20:55 | 06-05 21:54 | 06-06 22:47 | 06-07 23:34 | 06-09 00:14
    06-10 00:49 | 06-11 01:21 | 06-12 01:51 | 06-13 02:22 | 06-14 02:53 | 06-15 03:27 | 06-16 04:04 | 06-17 04:48
    06-18 05:36 | 06-19 06:30 | 06-20 07:28 | 06-21 08:28 | 06-22 09:29 | 06-23 10:30 | 06-24 11:29 | 06-25 12:29
    06-26 13:28 | 06-27 14:28 | 06-28 15:29 | 06-29 16:31 | 06-30 17:35
    `,
  },
  {
    place: { latitude: -61, longitude: 103 },
    year: 1944,
    table: `
    rises
    01-01 02:49 | 01-02 04:19 | 01-03 05:47 | 01-04 07:13 | 01-05 08:37 | 01-06 09:59 | 01-07 11:16 | 01-08 12:26
    01-09 13:25 | 01-10 14:12 | 01-11 14:46 | 01-12 15:11 | 01-13 15:30 | 01-14 15:45 | 01-15 15:57 | 01-16 16:08
    01-17 16:18 | 01-18 16:30 | 01-19 16:43 | 01-20 16:59 | 01-21 17:21 | 01-22 17:53 | 01-23 18:40 | 01-24 19:46
    01-25 21:09 | 01-26 22:43 | 01-28 00:19 | 01-29 01:55 | 01-30 03:27 | 01-31 04:57
    sets
    01-01 16:55 | 01-02 17:08 | 01-03 17:21 | 01-04 17:34 | 01-05 17:50 | 01-06 18:09 | 01-07 18:34 | 01-08 19:08
    01-09 19:53 | 01-10 20:49 | 01-11 21:54 | 01-12 23:05 | 01-14 00:18 | 01-15 01:33 | 01-16 02:47 | 01-17 04:02
    01-18 05:19 | 01-19 06:37 | 01-20 07:59 | 01-21 09:22 | 01-22 10:44 | 01-23 12:00 | 01-24 13:02 | 01-25 13:49
    01-26 14:21 | 01-27 14:44 | 01-28 15:01 | 01-29 15:16 | 01-30 15:29 | 01-31 15:43
    `,
  },
  {
    place: { latitude: 80, longitude: 130 },
    year: 2034,
    table: `
    rises
    01-08 08:43 | 01-09 11:36 | 01-10 14:01 | 01-11 16:24 | 01-12 19:11 | 01-23 02:31 | 01-24 01:31 | 01-25 00:41
    01-25 23:45 | 01-26 21:59 | 02-05 08:34 | 02-06 11:07 | 02-07 13:29 | 02-08 15:59 | 02-19 01:25 | 02-20 00:08
    02-20 23:15 | 02-21 22:23 | 02-22 21:09
    sets
    01-08 04:14 | 01-09 02:59 | 01-10 02:10 | 01-11 01:27 | 01-12 00:39 | 01-12 23:23 | 01-23 09:48 | 01-24 12:42
    01-25 15:34 | 01-26 19:14 | 02-05 01:42 | 02-06 00:47 | 02-07 00:02 | 02-07 23:18 | 02-08 22:21 | 02-19 06:29
    02-20 09:43 | 02-21 12:38 | 02-22 15:50
    `,
  },
]

interface Crossing {
  readonly place: MoonPlace
  readonly at: number
  readonly kind: 'nextRise' | 'nextSet'
}

function crossingsOf({ place, year, table }: (typeof TABLES)[number]): readonly Crossing[] {
  const [rises = '', sets = ''] = table.replace('rises', '').split('sets')
  const read = (text: string, kind: Crossing['kind']) =>
    [...text.matchAll(/(\d\d-\d\d) (\d\d:\d\d)/g)].map(([, day, time]) => ({
      place,
      kind,
      at: Date.parse(`${year}-${day}T${time}Z`),
    }))
  return [...read(rises, 'nextRise'), ...read(sets, 'nextSet')]
}

describe.each(TABLES)('the horizon at $place.latitude° N, $place.longitude° E in $year', (table) => {
  const crossings = crossingsOf(table)
  const errors = crossings.map(({ place, at, kind }) => (seeMoon(at - 2 * HOUR, place)[kind] ?? 0) - at)

  it('is crossed by the Moon within a minute of the almanac', () => {
    expect(crossings.length).toBeGreaterThan(30)
    expect(Math.max(...errors.map(Math.abs))).toBeLessThan(MINUTE)
  })

  it('is crossed on average no further from it than its rounding', () => {
    const mean = errors.reduce((sum, error) => sum + Math.abs(error), 0) / errors.length
    expect(mean).toBeLessThan(30_000)
  })
})

/** JPL Horizons (ssd.jpl.nasa.gov/horizons), apparent azimuth and elevation with refraction, by way of generate/horizons/ in github.com/cosinekitty/astronomy. */
const STANDS: readonly (readonly [
  latitude: number,
  longitude: number,
  at: string,
  azimuth: number,
  altitude: number,
])[] = [
  [29, -81, '2018-12-02T10:00Z', 110.7031, 32.0767],
  [29, -81, '2018-12-02T15:00Z', 217.3006, 53.581],
  [29, -81, '2018-12-03T11:00Z', 117.6287, 31.351],
  [29, -81, '2018-12-03T16:00Z', 217.0202, 47.6622],
  [15, 75, '2018-12-02T00:00Z', 103.5091, 47.0534],
  [15, 75, '2018-12-02T05:00Z', 249.1735, 55.3204],
  [15, 75, '2018-12-03T01:00Z', 112.2968, 47.683],
  [15, 75, '2018-12-03T06:00Z', 243.8063, 50.296],
  [-30, 150, '2018-12-02T00:00Z', 308.6575, 43.4962],
  [-30, 150, '2018-12-02T20:00Z', 57.0073, 45.3903],
  [-30, 150, '2018-12-03T01:00Z', 300.6018, 45.0871],
  [-30, 150, '2018-12-03T21:00Z', 59.6045, 51.0142],
]

it.each(STANDS)(
  'stands above %d° N, %d° E at %s where JPL has it',
  (latitude, longitude, at, azimuth, altitude) => {
    const seen = seeMoon(Date.parse(at), { latitude, longitude })
    expect(Math.abs(seen.altitude - altitude)).toBeLessThan(0.05)
    expect(Math.abs(seen.azimuth - azimuth)).toBeLessThan(0.05)
  },
)

/** Meeus, Astronomical Algorithms, example 48.a: 1992 April 12 at 0h; the bright limb lies at 285.0°, and the parallactic angle is that of chapter 14. */
const EXAMPLE = {
  at: Date.UTC(1992, 3, 11, 23, 59, 1),
  limb: 285,
  ra: 134.6885,
  dec: 13.7684,
  sidereal: 200.2,
}

it.each([
  [52.5, 13.4],
  [-33.9, 18.4],
  [0, -60],
  [64.1, -21.9],
])('tilts the crescent at %d° N, %d° E as the textbook has it', (latitude, longitude) => {
  const radians = Math.PI / 180
  const hour = (EXAMPLE.sidereal + longitude - EXAMPLE.ra) * radians
  const [phi, dec] = [latitude * radians, EXAMPLE.dec * radians]
  const parallactic =
    Math.atan2(Math.sin(hour), Math.tan(phi) * Math.cos(dec) - Math.sin(dec) * Math.cos(hour)) / radians
  const expected = (parallactic - EXAMPLE.limb + 720) % 360
  const { tilt } = seeMoon(EXAMPLE.at, { latitude, longitude })
  expect(Math.abs(((tilt - expected + 540) % 360) - 180)).toBeLessThan(2)
})

it('lies on its back in the tropics, and stands upside down in the south', () => {
  // Two days after the new moon of 2026 November 9, in the evening: the lit edge points down to the Sun.
  const evening = (longitude: number) => Date.UTC(2026, 10, 11, 18, 30) - (longitude / 15) * HOUR
  expect(Math.abs(seeMoon(evening(0), { latitude: 0, longitude: 0 }).tilt - 180)).toBeLessThan(30)
  expect(seeMoon(evening(0), { latitude: 55, longitude: 0 }).north).toSatisfy(
    (north: number) => north < 60 || north > 300,
  )
  expect(seeMoon(evening(0), { latitude: -55, longitude: 0 }).north).toSatisfy(
    (north: number) => north > 120 && north < 240,
  )
})

it('says when there is no rising for a month, which only the poles have', () => {
  const pole = seeMoon(Date.UTC(2026, 10, 1), { latitude: 90, longitude: 0 })
  expect(pole.nextRise ?? Number.POSITIVE_INFINITY).toBeGreaterThan(Date.UTC(2026, 10, 2))
  expect(seeMoon(Date.UTC(2026, 10, 1), { latitude: 50, longitude: 0 }).nextSet).toBeGreaterThan(0)
})
