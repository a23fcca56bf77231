import { expect, it } from 'vitest'
import { findDeltaT } from '../../src/modules/moon/earth-rotation.ts'
import { findInstant } from '../../src/modules/moon/phases.ts'
import { openSky } from '../../src/modules/moon/sky.ts'

const SECOND = 1000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
const RADIAN = Math.PI / 180

const sky = await openSky()
const { DeltaT_EspenakMeeus: estimateDeltaT } = await import('astronomy-engine')

/** Julian dates count from noon. */
const toInstant = (julianDate: number) => (julianDate - 2_440_587.5) * DAY

/** UT for an instant of uniform time. */
function toClock(uniform: number): number {
  const days = (uniform - Date.UTC(2000, 0, 1, 12)) / DAY
  return uniform - (findDeltaT(2000 + days / 365.25) ?? estimateDeltaT(days)) * SECOND
}

/** New moon number k since 2000 in uniform time, by another theory than the engine's: Meeus, Astronomical Algorithms, chapter 49, from ELP-2000/82. */
function meeusNewMoon(k: number): number {
  const t = k / 1236.85
  const e = 1 - 0.002516 * t - 0.0000074 * t ** 2
  const sun = (2.5534 + 29.1053567 * k - 0.0000014 * t ** 2) * RADIAN
  const moon = (201.5643 + 385.81693528 * k + 0.0107582 * t ** 2 + 0.00001238 * t ** 3) * RADIAN
  const node = (160.7108 + 390.67050284 * k - 0.0016118 * t ** 2 - 0.00000227 * t ** 3) * RADIAN
  const terms: readonly (readonly [number, number])[] = [
    [-0.4072, moon],
    [0.17241 * e, sun],
    [0.01608, 2 * moon],
    [0.01039, 2 * node],
    [0.00739 * e, moon - sun],
    [-0.00514 * e, moon + sun],
    [0.00208 * e * e, 2 * sun],
    [-0.00111, moon - 2 * node],
    [-0.00057, moon + 2 * node],
    [0.00056 * e, 2 * moon + sun],
    [-0.00042, 3 * moon],
    [0.00042 * e, sun + 2 * node],
    [0.00038 * e, sun - 2 * node],
    [-0.00024 * e, 2 * moon - sun],
  ]
  const mean =
    2_451_550.09766 + 29.530588861 * k + 0.00015437 * t ** 2 - 0.00000015 * t ** 3 + 0.00000000073 * t ** 4
  return toInstant(terms.reduce((sum, [size, angle]) => sum + size * Math.sin(angle), mean))
}

it.each([
  ['1700 to 2100', 1700, 2100, 2 * MINUTE],
  ['0 to 3000', 0, 3000, 3 * MINUTE],
  ['-1000 to 3000', -1000, 3000, 10 * MINUTE],
  ['-2000 to 4000', -2000, 4000, 30 * MINUTE],
  ['-4000 to 9999', -4000, 9999, 3 * HOUR],
])('agrees with another theory of the Moon in the years %s', (_name, first, last, tolerance) => {
  for (let place = 0; place <= 100; place++) {
    const year = first + ((last - first) * place) / 100
    const published = toClock(meeusNewMoon(Math.round((year - 2000) * 12.3685)))
    const error = Math.abs(findInstant(sky, 0, published) - published)
    expect([Math.floor(year), error < tolerance]).toEqual([Math.floor(year), true])
  }
})

/**
 * Espenak and Meeus, Five Millennium Canon of Solar Eclipses: greatest eclipse in uniform time, by the Julian calendar.
 * The Sun is eclipsed at new moon, and most so within some minutes of it.
 */
it.each([
  ['-1999 June 12', 991_085.5, '03:14:51'],
  ['-584 May 28, which Thales is said to have foretold', 1_507_899.5, '19:28:50'],
])('has a new moon at the eclipse of %s', (_name, midnight, time) => {
  const greatest = toClock(toInstant(midnight) + Date.parse(`1970-01-01T${time}Z`))
  expect(Math.abs(findInstant(sky, 0, greatest) - greatest)).toBeLessThan(30 * MINUTE)
})
