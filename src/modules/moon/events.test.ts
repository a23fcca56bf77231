import { describe, expect, it } from 'vitest'
import { findEvents, MAX_EVENTS, type MoonEvent } from './events.ts'

const MINUTE = 60_000

const rowsOf = (table: string) =>
  table
    .trim()
    .split('\n')
    .map((row) => row.split('|').map((cell) => cell.trim()))
const parse = (text = '') => Date.parse(`${text.replace(' ', 'T')}Z`)

/** The event nearest to an instant. */
async function nearest(at: number, kind: 'apsides' | 'eclipses', name: RegExp): Promise<MoonEvent> {
  const { events } = await findEvents({ from: at - 5 * 86_400_000, to: at + 5 * 86_400_000, kinds: [kind] })
  const [found] = events.filter(({ event }) => name.test(event))
  if (found === undefined) throw new Error(`nothing found near ${new Date(at).toISOString()}`)
  return found
}

/** Perigees and apogees in Universal Time, with distances in km, by way of generate/apsides/moon.txt in github.com/cosinekitty/astronomy. */
const APSIDES = `
2026-01-01 21:43 | perigee | 360348
2026-01-13 20:48 | apogee | 405437
2026-01-29 21:53 | perigee | 365878
2026-02-10 16:52 | apogee | 404577
2026-02-24 23:18 | perigee | 370132
2026-03-10 13:43 | apogee | 404385
2026-03-22 11:40 | perigee | 366858
2026-04-07 08:32 | apogee | 404974
2026-04-19 06:57 | perigee | 361631
2026-05-04 22:30 | apogee | 405843
2026-05-17 13:48 | perigee | 358074
2026-06-01 04:32 | apogee | 406369
2026-06-14 23:18 | perigee | 357196
2026-06-28 07:11 | apogee | 406267
2026-07-13 07:50 | perigee | 359111
2026-07-25 16:45 | apogee | 405549
2026-08-10 11:18 | perigee | 363288
2026-08-22 08:20 | apogee | 404644
2026-09-06 20:26 | perigee | 368255
2026-09-19 03:00 | apogee | 404217
2026-10-01 20:41 | perigee | 369338
2026-10-16 22:56 | apogee | 404639
2026-10-28 18:01 | perigee | 364411
2026-11-13 17:50 | apogee | 405619
2026-11-25 20:58 | perigee | 359348
2026-12-11 06:46 | apogee | 406421
2026-12-24 08:30 | perigee | 356650
2040-01-13 10:03 | perigee | 357769
2040-01-25 22:42 | apogee | 405896
2040-02-10 18:42 | perigee | 361749
2040-02-22 15:18 | apogee | 404988
2040-03-09 12:23 | perigee | 367227
2040-03-21 11:22 | apogee | 404287
2040-04-03 20:39 | perigee | 369913
2040-04-18 07:16 | apogee | 404364
2040-04-30 04:22 | perigee | 365739
2040-05-16 01:01 | apogee | 405171
2040-05-28 02:22 | perigee | 360810
2040-06-12 14:18 | apogee | 406115
2040-06-25 09:33 | perigee | 357652
2040-07-09 20:13 | apogee | 406581
2040-07-23 19:15 | perigee | 357113
2040-08-05 23:43 | apogee | 406353
2040-08-21 03:58 | perigee | 359359
2040-09-02 10:15 | apogee | 405547
2040-09-18 06:43 | perigee | 363882
2040-09-30 02:50 | apogee | 404658
2040-10-15 11:20 | perigee | 368986
2040-10-27 22:34 | apogee | 404342
2040-11-09 06:17 | perigee | 368784
2040-11-24 19:12 | apogee | 404851
2040-12-06 13:20 | perigee | 363352
2040-12-22 13:29 | apogee | 405778
2061-01-03 14:50 | perigee | 364234
2061-01-15 08:29 | apogee | 404636
2061-01-30 14:53 | perigee | 369564
2061-02-12 05:47 | apogee | 404249
2061-02-24 09:19 | perigee | 368440
2061-03-12 02:00 | apogee | 404673
2061-03-23 21:11 | perigee | 363081
2061-04-08 18:12 | apogee | 405543
2061-04-21 03:02 | perigee | 358852
2061-05-06 02:42 | apogee | 406209
2061-05-19 12:47 | perigee | 357187
2061-06-02 04:48 | apogee | 406301
2061-06-16 22:16 | perigee | 358371
2061-06-29 12:19 | apogee | 405739
2061-07-15 03:23 | perigee | 362013
2061-07-27 02:41 | apogee | 404826
2061-08-11 19:47 | perigee | 366956
2061-08-23 20:28 | apogee | 404229
2061-09-06 10:37 | perigee | 369805
2061-09-20 15:48 | apogee | 404443
2061-10-02 13:00 | perigee | 365993
2061-10-18 11:00 | apogee | 405366
2061-10-30 10:28 | perigee | 360686
2061-11-15 02:30 | apogee | 406329
2061-11-27 19:57 | perigee | 357101
2061-12-12 07:27 | apogee | 406709
2061-12-26 08:56 | perigee | 356616
`

describe('perigee and apogee', () => {
  const rows = rowsOf(APSIDES)

  it('are found within the accuracy that is stated', async () => {
    for (const [at, name = '', distance] of rows) {
      const found = await nearest(parse(at), 'apsides', new RegExp(name))
      expect(Math.abs(found.at - parse(at))).toBeLessThan(40 * MINUTE)
      expect(Math.abs((found.facts?.distanceKm ?? 0) - Number(distance))).toBeLessThan(30)
    }
    expect(rows.length).toBeGreaterThan(75)
  })
})

/**
 * F. Espenak, NASA Goddard Space Flight Center, catalogue of lunar eclipses (sunearth.gsfc.nasa.gov/eclipse/LEcat):
 * greatest eclipse in Universal Time, kind, half of the partial and of the total phase in minutes.
 */
const LUNAR = `
1927-06-15 08:24 | total | 102 | 11
1927-12-08 17:35 | total | 103 | 40
1961-03-02 13:28 | partial | 97 | 0
1961-08-26 03:08 | partial | 93 | 0
1999-01-31 16:18 | penumbral | 0 | 0
1999-07-28 11:34 | partial | 72 | 0
2018-01-31 13:30 | total | 102 | 38
2018-07-27 20:22 | total | 118 | 52
2019-01-21 05:12 | total | 99 | 31
2019-07-16 21:31 | partial | 89 | 0
2020-01-10 19:10 | penumbral | 0 | 0
2020-06-05 19:25 | penumbral | 0 | 0
2020-07-05 04:30 | penumbral | 0 | 0
2020-11-30 09:43 | penumbral | 0 | 0
2021-05-26 11:19 | total | 94 | 9
2021-11-19 09:03 | partial | 105 | 0
2022-05-16 04:11 | total | 104 | 43
2022-11-08 10:59 | total | 110 | 43
2023-05-05 17:23 | penumbral | 0 | 0
2023-10-28 20:14 | partial | 40 | 0
2024-03-25 07:13 | penumbral | 0 | 0
2024-09-18 02:44 | partial | 32 | 0
2025-03-14 06:59 | total | 109 | 33
2025-09-07 18:12 | total | 105 | 41
2026-03-03 11:33 | total | 104 | 30
2026-08-28 04:13 | partial | 99 | 0
2027-02-20 23:13 | penumbral | 0 | 0
2027-07-18 16:03 | penumbral | 0 | 0
2027-08-17 07:14 | penumbral | 0 | 0
2028-01-12 04:13 | partial | 29 | 0
2028-07-06 18:19 | partial | 71 | 0
2028-12-31 16:52 | total | 105 | 36
2029-06-26 03:22 | total | 110 | 51
2029-12-20 22:42 | total | 107 | 27
2030-06-15 18:33 | partial | 73 | 0
2030-12-09 22:27 | penumbral | 0 | 0
`

/**
 * F. Espenak, NASA Goddard Space Flight Center, catalogue of solar eclipses (sunearth.gsfc.nasa.gov/eclipse/SEcat):
 * greatest eclipse in terrestrial time, the seconds by which that is ahead, kind, latitude and longitude of the greatest.
 */
const SOLAR = `
1927-01-03 20:22:53 | 24 | annular | -52.8 | -124.8
1927-06-29 06:23:27 | 24 | total | 78.1 | 73.8
1927-12-24 03:59:41 | 24 | partial | -66.1 | -47.7
1961-02-15 08:19:48 | 34 | total | 47.4 | 40.0
1961-08-11 10:46:47 | 34 | annular | -45.8 | 4.0
1999-02-16 06:34:38 | 63 | annular | -39.8 | 93.9
1999-08-11 11:04:09 | 64 | total | 45.1 | 24.3
2018-02-15 20:52:33 | 71 | partial | -71.0 | 0.6
2018-07-13 03:02:16 | 71 | partial | -67.9 | 127.4
2018-08-11 09:47:28 | 71 | partial | 70.4 | 174.5
2019-01-06 01:42:38 | 71 | partial | 67.4 | 153.6
2019-07-02 19:24:08 | 71 | total | -17.4 | -109.0
2019-12-26 05:18:53 | 72 | annular | 1.0 | 102.3
2020-06-21 06:41:15 | 72 | annular | 30.5 | 79.7
2020-12-14 16:14:39 | 72 | total | -40.3 | -67.9
2021-06-10 10:43:07 | 72 | annular | 80.8 | -66.8
2021-12-04 07:34:38 | 73 | total | -76.8 | -46.2
2022-04-30 20:42:36 | 73 | partial | -62.1 | -71.5
2022-10-25 11:01:20 | 73 | partial | 61.6 | 77.4
2023-04-20 04:17:56 | 73 | total | -9.6 | 125.8
2023-10-14 18:00:41 | 74 | annular | 11.4 | -83.1
2024-04-08 18:18:29 | 74 | total | 25.3 | -104.1
2024-10-02 18:46:13 | 74 | annular | -22.0 | -114.5
2025-03-29 10:48:36 | 75 | partial | 61.1 | -77.1
2025-09-21 19:43:04 | 75 | partial | -60.9 | 153.5
2026-02-17 12:13:06 | 75 | annular | -64.7 | 86.8
2026-08-12 17:47:06 | 75 | total | 65.2 | -25.2
2027-02-06 16:00:48 | 76 | annular | -31.3 | -48.5
2027-08-02 10:07:50 | 76 | total | 25.5 | 33.2
2028-01-26 15:08:59 | 76 | annular | 3.0 | -51.5
2028-07-22 02:56:40 | 77 | total | -15.6 | 126.7
2029-01-14 17:13:48 | 77 | partial | 63.7 | -114.2
2029-06-12 04:06:13 | 77 | partial | 66.8 | -66.2
2029-07-11 15:37:19 | 77 | partial | -64.3 | -85.6
2029-12-05 15:03:58 | 77 | partial | -67.5 | 135.7
2030-06-01 06:29:13 | 78 | annular | 56.5 | 80.1
2030-11-25 06:51:37 | 78 | total | -43.6 | 71.2
`

describe('eclipses', () => {
  it.each(rowsOf(LUNAR))('of the Moon on %s: %s', async (at, kind, partial, total) => {
    const found = await nearest(parse(at), 'eclipses', /lunar/)
    expect(found.event).toBe(`${kind} lunar eclipse`)
    expect(Math.abs(found.at - parse(at))).toBeLessThan(2 * MINUTE)
    expect(Math.abs((found.facts?.partialMinutes ?? 0) - 2 * Number(partial))).toBeLessThan(6)
    expect(Math.abs((found.facts?.totalMinutes ?? 0) - 2 * Number(total))).toBeLessThan(6)
  })

  it.each(rowsOf(SOLAR))('of the Sun on %s, %s s ahead: %s', async (at, ahead, kind, latitude, longitude) => {
    const found = await nearest(parse(at), 'eclipses', /solar/)
    expect(found.event).toBe(`${kind} solar eclipse`)
    expect(Math.abs(found.at + Number(ahead) * 1000 - parse(at))).toBeLessThan(2 * MINUTE)
    if (kind === 'partial') return
    expect(Math.abs((found.facts?.greatestAt?.latitude ?? 0) - Number(latitude))).toBeLessThan(1)
    const apart = Math.abs((found.facts?.greatestAt?.longitude ?? 0) - Number(longitude))
    expect(Math.min(apart, 360 - apart) * Math.cos((Number(latitude) * Math.PI) / 180)).toBeLessThan(1)
  })

  it('are all there are', async () => {
    const { events } = await findEvents({
      from: Date.UTC(2018, 0),
      to: Date.UTC(2031, 0),
      kinds: ['eclipses'],
    })
    const since = (table: string) => rowsOf(table).filter(([at = '']) => at >= '2018').length
    expect(events.filter(({ event }) => event.endsWith('lunar eclipse'))).toHaveLength(since(LUNAR))
    expect(events.filter(({ event }) => event.endsWith('solar eclipse'))).toHaveLength(since(SOLAR))
  })
})

/** F. Espenak, eclipsewise.com: total in Ohio, partial in Florida and on Bermuda on 2024 April 8. */
it.each([
  [41.0341, -83.6523, 'total', '17:55:52', '19:12:34', '20:26:37', 50.3],
  [29.0181, -80.9481, 'partial', '17:48:08', '19:04:48', '20:18:34', 58.3],
  [32.3066, -64.7503, 'partial', '18:26:16', '19:34:26', '20:37:34', 38.8],
])('an eclipse of the Sun at %d° N, %d° E is %s there', async (latitude, longitude, kind, ...rest) => {
  const [begins, greatest, ends, altitude] = rest
  const { events } = await findEvents({
    from: Date.UTC(2024, 3, 1),
    to: Date.UTC(2024, 4, 1),
    kinds: ['eclipses'],
    place: { latitude, longitude },
  })
  const here = events[0]?.facts?.here
  expect(here).toMatchObject({ visible: true, kind })
  for (const [time, expected] of [
    [here?.begins, begins],
    [here?.greatest, greatest],
    [here?.ends, ends],
  ])
    expect(Math.abs(Date.parse(time ?? '') - Date.parse(`2024-04-08T${expected}Z`))).toBeLessThan(MINUTE)
  expect(here?.altitude).toBeCloseTo(altitude, 0)
})

it('tells who sees nothing of an eclipse', async () => {
  const place = { latitude: 52.5, longitude: 13.4 }
  const span = { from: Date.UTC(2024, 2, 1), to: Date.UTC(2024, 4, 1), kinds: ['eclipses'] as const, place }
  const { events } = await findEvents(span)
  expect(events.map(({ event, facts }) => [event, facts?.here?.visible])).toEqual([
    ['penumbral lunar eclipse', false],
    ['total solar eclipse', false],
  ])
})

it('gives as many as one answer holds, and says where to go on', async () => {
  const span = { from: Date.UTC(1950, 0), to: Date.UTC(2000, 0), kinds: ['phases'] as const }
  const first = await findEvents(span)
  expect(first.events).toHaveLength(MAX_EVENTS)
  const second = await findEvents({ ...span, from: Date.parse(first.more ?? '') })
  expect(second.events[0]?.at).toBeGreaterThan(first.events.at(-1)?.at ?? 0)
  expect((second.events[0]?.at ?? 0) - (first.events.at(-1)?.at ?? 0)).toBeLessThan(9 * 86_400_000)
})

it('stops when nobody waits any more', async () => {
  const signal = AbortSignal.abort(new Error('gone'))
  const span = { from: Date.UTC(1950, 0), to: Date.UTC(2000, 0), kinds: ['eclipses'] as const, signal }
  await expect(findEvents(span)).rejects.toThrow('gone')
})
