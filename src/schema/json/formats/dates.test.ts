import { expect, it } from 'vitest'
import { isDate, isDateTime, isDuration, isTime } from './dates.ts'

const CASES = [
  [
    isDate,
    ['2024-02-29', '2000-02-29', '2026-12-31'],
    ['2023-02-29', '1900-02-29', '2026-04-31', '2026-13-01'],
  ],
  [isDate, [], ['2026-00-10', '2026-01-00', '26-01-01', '2026-1-1', ' 2026-01-01']],
  [isTime, ['23:59:59Z', '00:00:00.5z', '12:00:00+14:00'], ['24:00:00Z', '12:60:00Z', '12:00:00', '12:00Z']],
  [isTime, ['23:59:60Z', '15:59:60-08:00', '00:29:60+00:30'], ['22:59:60Z', '23:59:61Z', '12:00:00+24:00']],
  [
    isDateTime,
    ['2026-11-17T07:25:00Z', '2026-11-17t07:25:00z'],
    ['2026-11-17 07:25:00Z', '2026-02-30T07:25:00Z'],
  ],
  [isDuration, ['P1Y2M3DT4H5M6S', 'P3W', 'PT36H', 'P1D'], ['P', 'PT', 'P1W2D', 'P1H', 'P1YT', '1D']],
] as const

it.each(CASES)('%o takes %j and not %j', (is, right, wrong) => {
  expect(right.filter((text) => !is(text))).toEqual([])
  expect(wrong.filter(is)).toEqual([])
})
