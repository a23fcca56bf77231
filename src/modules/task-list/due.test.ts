import { expect, it } from 'vitest'
import { boundsOf, checkDate, checkDue, endOf, readDue } from './due.ts'

it.each([
  ['2026-11-20', '2026-11-20'],
  [' 2028-02-29 ', '2028-02-29'],
  ['2026-11-20T15:00Z', '2026-11-20T15:00Z'],
  ['2026-11-20t15:00:00.123z', '2026-11-20T15:00:00.123Z'],
  ['2026-11-20T15:00:00+05:30', '2026-11-20T15:00:00+05:30'],
])('takes %j', (text, due) => {
  expect(checkDue('due', text)).toBe(due)
})

it.each([
  '',
  '2026',
  '2026-11',
  '2026-1-1',
  '20261120',
  '2026-13-01',
  '2026-02-29',
  '1026-01-01',
  '2026-11-20T24:00Z',
  '2026-11-20T15:60Z',
  '2026-11-20T15:00',
  '2026-11-20 15:00Z',
  '2026-11-20T15:00+25:00',
  '2026-11-20Z',
  '+002026-11-20',
  'tomorrow',
])('refuses %j', (text) => {
  expect(() => checkDue('due', text)).toThrow(/^due: expected a date such as .*, got "/)
})

it.each([
  ['2027-02-29', 'got "2027-02-29": there is no day 2027-02-29'],
  ['2026-13-01T15:00Z', ': there is no day 2026-13-01'],
  ['9999-12-31', ': years are from 1900 to 2999'],
  ['2026-11-20T15:00', ': how far is that from UTC?'],
])('says of %j why it is refused', (text, reason) => {
  expect(() => checkDue('due', text)).toThrow(reason)
})

it('wants nothing but a date where a day is meant', () => {
  expect(checkDate('date', '2026-11-20')).toBe('2026-11-20')
  expect(() => checkDate('date', '2026-11-20T15:00Z')).toThrow(
    'date: expected a date such as 2026-11-20, got',
  )
})

it('knows when something is late', () => {
  expect(endOf('2026-11-20')).toBe('2026-11-20T23:59:59.999Z')
  expect(endOf('2026-11-20T01:00+02:00')).toBe('2026-11-19T23:00:00.000Z')
})

it('knows what is due before a day or a time, where somebody lives', () => {
  expect(boundsOf('2026-11-20', 'Europe/Berlin')).toEqual({
    dueBefore: '2026-11-19T23:00:00.000Z',
    datesBefore: '2026-11-20T00:00:00.000Z',
  })
  expect(boundsOf('2026-11-20T01:00+02:00', 'UTC')).toEqual({
    dueBefore: '2026-11-19T23:00:00.000Z',
    datesBefore: '2026-11-19T23:00:00.000Z',
  })
})

it('takes words, and says what it takes', () => {
  const speaker = { now: new Date('2026-11-17T12:00:00Z'), zone: 'UTC' }
  expect(readDue('due', 'next friday', speaker)).toBe('2026-11-27')
  expect(readDue('due', '2026-11-20', speaker)).toBe('2026-11-20')
  expect(() => readDue('due', 'some day', speaker)).toThrow(
    'due: expected a date such as 2026-11-20, tomorrow or next friday, or a time with its offset',
  )
})

it.each(['in 9999 years', 'in 1000 years', '0001-01-01 at 10:00'])(
  'refuses %j, as no such date can be kept',
  (text) => {
    expect(() => readDue('due', text, { now: new Date('2026-11-17T12:00:00Z'), zone: 'UTC' })).toThrow(
      `due: expected a date such as 2026-11-20, tomorrow or next friday`,
    )
  },
)
