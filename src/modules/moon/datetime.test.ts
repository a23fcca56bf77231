import { expect, it } from 'vitest'
import { parseDatetime } from './datetime.ts'

it.each([
  ['2026-11-15', '2026-11-15T00:00:00.000Z'],
  ['2026-11-15T22:30:00Z', '2026-11-15T22:30:00.000Z'],
  ['2026-11-15t22:30z', '2026-11-15T22:30:00.000Z'],
  ['2026-11-15T22:30', '2026-11-15T22:30:00.000Z'],
  ['2026-11-15 22:30:15', '2026-11-15T22:30:15.000Z'],
  ['2026-11-15T22:30:15.250Z', '2026-11-15T22:30:15.250Z'],
  ['2026-11-15T22:30:15,5Z', '2026-11-15T22:30:15.500Z'],
  ['2026-11-15T22:30:00+01:00', '2026-11-15T21:30:00.000Z'],
  ['2026-11-15T22:30:00-0530', '2026-11-16T04:00:00.000Z'],
  ['2026-11-15T22:30:00+09', '2026-11-15T13:30:00.000Z'],
  ['  2026-11-15  ', '2026-11-15T00:00:00.000Z'],
  ['2024-02-29', '2024-02-29T00:00:00.000Z'],
  ['2000-02-29', '2000-02-29T00:00:00.000Z'],
  ['20240125', '2024-01-25T00:00:00.000Z'],
  ['20240125T223015Z', '2024-01-25T22:30:15.000Z'],
  ['20240125T2230+0100', '2024-01-25T21:30:00.000Z'],
  ['2026-11-15T22Z', '2026-11-15T22:00:00.000Z'],
  ['2026-11-15T24:00:00Z', '2026-11-16T00:00:00.000Z'],
  ['2026-12-31T24:00', '2027-01-01T00:00:00.000Z'],
  ['2016-12-31T23:59:60Z', '2017-01-01T00:00:00.000Z'],
  ['2017-01-01T00:59:60+01:00', '2017-01-01T00:00:00.000Z'],
  ['2016-12-31T23:59:60.5Z', '2017-01-01T00:00:00.500Z'],
  ['0001-01-01', '0001-01-01T00:00:00.000Z'],
  ['0099-12-31', '0099-12-31T00:00:00.000Z'],
  ['0000-02-29', '0000-02-29T00:00:00.000Z'],
  ['9999-12-31T23:59:59Z', '9999-12-31T23:59:59.000Z'],
  ['-000584-05-22', '-000584-05-22T00:00:00.000Z'],
  ['-004000-01-01', '-004000-01-01T00:00:00.000Z'],
  ['+002026-11-15', '2026-11-15T00:00:00.000Z'],
])('reads %s as %s', (text, instant) => {
  expect(new Date(parseDatetime(text)).toISOString()).toBe(instant)
})

it.each([
  'tomorrow',
  'November 15, 2026',
  '15.11.2026',
  '2026',
  '2026-11',
  '2026-1-5',
  '1700000000',
  '2026-1115',
  '202611-15',
  '-2026-11-15',
  '2026-11-15T',
  '2026-11-15T22:30:00 Z',
  '2026-11-15T22:30:00Z and more',
  '２０２６-11-15',
])('refuses %s and says what it expected', (text) => {
  expect(() => parseDatetime(text)).toThrow(
    `datetime: expected an ISO 8601 date such as 2026-11-15 or 2026-11-15T22:30:00Z, got "${text}"`,
  )
})

it.each([
  '2026-02-30',
  '2025-02-29',
  '1900-02-29',
  '2100-02-29',
  '2026-04-31',
  '2026-13-01',
  '2026-00-10',
  '2026-01-00',
])('refuses %s, a day that does not exist', (text) => {
  expect(() => parseDatetime(text)).toThrow(`got "${text}": there is no day`)
})

it.each([
  '2026-11-15T24:00:01Z',
  '2026-11-15T24:01Z',
  '2026-11-15T25:00Z',
  '2026-11-15T12:60Z',
  '2026-11-15T12:00:61Z',
])('refuses %s, a time that does not exist', (text) => {
  expect(() => parseDatetime(text)).toThrow('a time of day runs from 00:00:00 to 24:00:00')
})

it.each(['2026-11-15T12:00:60Z', '2026-11-15T23:59:60+01:00', '2026-11-15T23:58:60Z'])(
  'refuses %s, a leap second where there can be none',
  (text) => {
    expect(() => parseDatetime(text)).toThrow('only the last minute of a day, in UTC, may have a second 60')
  },
)

it.each(['2026-11-15T12:00+24:00', '2026-11-15T12:00-01:60'])('refuses %s for its offset', (text) => {
  expect(() => parseDatetime(text)).toThrow('an offset from UTC is at most 23:59')
})

it.each(['+010000-01-01', '-004001-12-31', '9999-12-31T23:00:00-02:00', '+275760-09-13', '+999999-01-01'])(
  'refuses %s, outside the years it knows',
  (text) => {
    expect(() => parseDatetime(text)).toThrow(
      `datetime: expected a year from -4000 to 9999 (in UTC), got "${text}"`,
    )
  },
)

it('quotes no more of a long text than it needs', () => {
  expect(() => parseDatetime('x'.repeat(10_000))).toThrow(`got "${'x'.repeat(60)}…"`)
})

it.each(['-0584-05-28', '+2026-11-15', '-58-05-28'])('says how a year with a sign is written: %s', (text) => {
  expect(() => parseDatetime(text)).toThrow('a year with a sign has six digits: -000584-05-28')
})
