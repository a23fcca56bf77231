import { expect, it } from 'vitest'
import { findInstant, findMoon, NAMED_FOR, PHASES } from './phases.ts'
import { openSky } from './sky.ts'

const sky = await openSky()
const HOUR = 3_600_000
const DAY = 24 * HOUR
const MINUTE = 60_000

/** Full moon of 2020 May 7 at 10:45 (USNO). */
const FULL = Date.UTC(2020, 4, 7, 10, 45)

it('goes through the eight names in order in one lunation', () => {
  const start = findMoon(sky, FULL).lastNewMoon
  const names = Array.from({ length: 60 }, (_, half) => findMoon(sky, start + half * 12 * HOUR + HOUR).phase)
  const distinct = names.filter((name, place) => name !== names[place - 1])
  expect(distinct).toEqual([...PHASES, 'new moon'])
})

it.each([0, 90, 180, 270])(
  'names the principal phase at %d° for twelve hours on both sides',
  (elongation) => {
    const instant = findInstant(sky, elongation, FULL + ((elongation - 180) / 12.2) * DAY)
    const name = PHASES[elongation / 45]
    const [before, after] = [PHASES[(elongation / 45 + 7) % 8], PHASES[elongation / 45 + 1]]
    expect(findMoon(sky, instant - NAMED_FOR + MINUTE).phase).toBe(name)
    expect(findMoon(sky, instant + NAMED_FOR - MINUTE).phase).toBe(name)
    expect(findMoon(sky, instant - NAMED_FOR - MINUTE).phase).toBe(before)
    expect(findMoon(sky, instant + NAMED_FOR + MINUTE).phase).toBe(after)
  },
)

it('waxes from new to full and wanes from full to new', () => {
  expect(findMoon(sky, FULL - HOUR).waxing).toBe(true)
  expect(findMoon(sky, FULL + HOUR).waxing).toBe(false)
})

it('has the new moon behind it the moment it is over', () => {
  const { nextNewMoon } = findMoon(sky, FULL)
  const before = findMoon(sky, nextNewMoon - 1000)
  const after = findMoon(sky, nextNewMoon + 1000)
  expect(Math.abs(before.nextNewMoon - nextNewMoon)).toBeLessThan(500)
  expect(Math.abs(after.lastNewMoon - nextNewMoon)).toBeLessThan(500)
  expect(after.nextNewMoon - nextNewMoon).toBeGreaterThan(29 * DAY)
})

it.each([
  [1900, 2100, 97.3],
  [-4000, 9999, 3797.3],
])('keeps every instant in its place, from %d to %d', (first, last, step) => {
  for (
    let instant = new Date(0).setUTCFullYear(first);
    instant < Date.UTC(last, 11, 31);
    instant += step * DAY
  ) {
    const moon = findMoon(sky, instant)
    expect(moon.lastNewMoon).toBeLessThanOrEqual(instant)
    expect(moon.nextNewMoon).toBeGreaterThan(instant)
    expect(moon.nextFullMoon).toBeGreaterThan(instant)
    const lunation = (moon.nextNewMoon - moon.lastNewMoon) / DAY
    expect(lunation).toBeGreaterThan(29.2)
    expect(lunation).toBeLessThan(29.9)
    expect(moon.nextFullMoon - instant).toBeLessThan(30 * DAY)
  }
})
