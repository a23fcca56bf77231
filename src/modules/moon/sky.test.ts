import { expect, it } from 'vitest'
import { findDeltaT } from './earth-rotation.ts'
import { findMoon } from './phases.ts'
import { openSky } from './sky.ts'

/** NASA's Scientific Visualization Studio, "Moon Phase and Libration", hourly tables: percent lit, age in days. */
const PUBLISHED: readonly (readonly [instant: string, percent: number, age: number])[] = [
  ['2020-01-07T04:00Z', 85.17, 11.949],
  ['2020-02-22T03:00Z', 2.25, 28.221],
  ['2020-04-08T02:00Z', 99.82, 14.689],
  ['2020-05-24T01:00Z', 1.72, 1.306],
  ['2020-07-09T00:00Z', 84.83, 17.721],
  ['2020-08-23T23:00Z', 30.14, 4.846],
  ['2020-10-08T22:00Z', 61.25, 21.458],
  ['2020-11-23T21:00Z', 66.25, 8.662],
  ['2021-01-08T17:00Z', 24.78, 25.03],
  ['2021-02-23T16:00Z', 84.56, 11.871],
  ['2021-04-10T15:00Z', 2.22, 28.194],
  ['2021-05-26T14:00Z', 99.98, 14.792],
  ['2021-07-11T13:00Z', 2.38, 1.488],
  ['2021-08-26T12:00Z', 83.39, 17.924],
  ['2021-10-11T11:00Z', 31.34, 4.996],
  ['2021-11-26T10:00Z', 61.21, 21.532],
  ['2022-01-10T06:00Z', 54.98, 7.477],
  ['2022-02-25T05:00Z', 35.81, 23.968],
  ['2022-04-12T04:00Z', 76.78, 10.9],
  ['2022-05-28T03:00Z', 5.17, 27.272],
  ['2022-07-13T02:00Z', 99.14, 13.964],
  ['2022-08-28T01:00Z', 0.64, 0.696],
  ['2022-10-13T00:00Z', 89.61, 17.087],
  ['2022-11-27T23:00Z', 21.42, 4.002],
]

const sky = await openSky()

it.each(PUBLISHED)('lights the Moon at %s as published, to a tenth of a point', (instant, percent) => {
  expect(Math.abs(sky.illumination(Date.parse(instant)) * 100 - percent)).toBeLessThan(0.1)
})

it.each(PUBLISHED)('dates the new moon before %s as published, to two minutes', (instant, _percent, age) => {
  const { instant: now, lastNewMoon } = findMoon(sky, Date.parse(instant))
  expect(Math.abs((now - lastNewMoon) / 86_400_000 - age)).toBeLessThan(2 / 1440)
})

it('agrees with the textbook', () => {
  // Meeus, Astronomical Algorithms, example 48.a: 1992 April 12 at 0h dynamical time, which is 59 s ahead.
  expect(sky.illumination(Date.UTC(1992, 3, 11, 23, 59, 1))).toBeCloseTo(0.6786, 3)
})

it.each([2005, 2026, 2100, 2500])(
  'goes on smoothly from one rotation of the Earth to the next, in %d',
  (year) => {
    const before = sky.elongation(Date.UTC(year, 0, 1) - 1000)
    const after = sky.elongation(Date.UTC(year, 0, 1))
    expect(after - before).toBeGreaterThan(0)
    expect(after - before).toBeLessThan(0.0005)
  },
)

it('knows how far the Earth is behind the clock', () => {
  expect(findDeltaT(2004.9)).toBeUndefined()
  expect(findDeltaT(2005)).toBe(64.69)
  expect(findDeltaT(2012.5)).toBeCloseTo(66.855)
  expect(findDeltaT(2026)).toBe(69.11)
  expect(findDeltaT(2063)).toBeCloseTo(94.555)
  expect(findDeltaT(2100)).toBe(120)
  expect(findDeltaT(2101)).toBeGreaterThan(120)
  expect(findDeltaT(2501)).toBeUndefined()
})
