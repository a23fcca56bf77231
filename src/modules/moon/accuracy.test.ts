import { expect, it } from 'vitest'
import { accuracyOfEvents, accuracyOfPhases, accuracyOfPlace } from './accuracy.ts'

const year = (number: number) => new Date(0).setUTCFullYear(number, 6, 1)

it.each([
  [1700, 'two minutes'],
  [2100, 'two minutes'],
  [2101, 'an hour'],
  [-1000, 'an hour'],
  [3001, 'a day'],
])('in %i instants are good to %s', (number, words) => {
  expect(accuracyOfPhases(year(number))).toContain(`good to ${words},`)
})

it('is as good as the worst of the years, for perigee as well', () => {
  expect(accuracyOfEvents(year(2000), year(2001))).toMatch(
    /good to two minutes; perigee and apogee to 40 minutes/,
  )
  expect(accuracyOfEvents(year(2000), year(2200))).toMatch(/good to an hour; perigee and apogee to two hours/)
  expect(accuracyOfEvents(year(-2000), year(2200))).toMatch(/good to a day; perigee and apogee to a day/)
})

it('is worse near the poles, and where nobody knows how far the Earth has turned', () => {
  expect(accuracyOfPlace(year(2000), -65)).toContain('good to two minutes,')
  expect(accuracyOfPlace(year(2000), 66)).toContain('good to ten minutes,')
  expect(accuracyOfPlace(year(2500), 0)).toContain('nobody knows how far the Earth has turned')
})
