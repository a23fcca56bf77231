import { expect, it } from 'vitest'
import { parseDueWords } from './due-words.ts'
import { checkZone, instantOf, localTime } from './zone.ts'

/** A Tuesday, late in the evening in Berlin, still afternoon in Los Angeles, Wednesday in Auckland. */
const now = new Date('2026-11-17T22:30:00Z')

it.each([
  ['today', '2026-11-17'],
  ['Tomorrow', '2026-11-18'],
  ['the  day after tomorrow', '2026-11-19'],
  ['friday', '2026-11-20'],
  ['on Fri', '2026-11-20'],
  ['tuesday', '2026-11-24'],
  ['this sunday', '2026-11-22'],
  ['next friday', '2026-11-27'],
  ['next monday', '2026-11-23'],
  ['next sunday', '2026-11-29'],
  ['next week', '2026-11-24'],
  ['in 3 days', '2026-11-20'],
  ['in a week', '2026-11-24'],
  ['two weeks from now', '2026-12-01'],
  ['in a month', '2026-12-17'],
  ['next year', '2027-11-17'],
  ['end of the month', '2026-11-30'],
  ['end of week', '2026-11-22'],
  ['end of year', '2026-12-31'],
  ['tomorrow at 9', '2026-11-18T09:00:00+01:00'],
  ['friday 15:00', '2026-11-20T15:00:00+01:00'],
  ['friday, 3:30 pm', '2026-11-20T15:30:00+01:00'],
  ['today 12am', '2026-11-17T00:00:00+01:00'],
  ['2027-07-01 at 8:15', '2027-07-01T08:15:00+02:00'],
  ['in 2 hours', '2026-11-18T01:30:00+01:00'],
])('%j is %s in Berlin', (words, due) => {
  expect(parseDueWords(words, { now, zone: 'Europe/Berlin' })).toBe(due)
})

it.each([
  '',
  'soon',
  'never',
  'next',
  'frid ay',
  'friday 25:00',
  'tomorrow 13pm',
  'in weeks',
  'constructor',
  '2026-02-30 at 9',
])('does not take %j for a date', (words) => {
  expect(parseDueWords(words, { now })).toBeUndefined()
})

it('knows what day it is where somebody lives', () => {
  const inZone = (zone: string) => parseDueWords('tomorrow', { now, zone })
  expect([inZone('America/Los_Angeles'), inZone('UTC'), inZone('Pacific/Auckland')]).toEqual([
    '2026-11-18',
    '2026-11-18',
    '2026-11-19',
  ])
})

it('finds the instant of a time also where clocks are changed', () => {
  const berlin = (date: string, time: string) => instantOf({ date, time }, 'Europe/Berlin').toISOString()
  expect(berlin('2026-10-25', '02:30:00')).toBe('2026-10-25T00:30:00.000Z')
  expect(berlin('2026-03-29', '02:30:00')).toBe('2026-03-29T01:30:00.000Z')
  expect(berlin('2026-03-29', '00:00:00')).toBe('2026-03-28T23:00:00.000Z')
  expect(localTime(new Date('2026-03-29T01:30:00Z'), 'Europe/Berlin').time).toBe('03:30:00')
})

it('refuses a zone that is none', () => {
  expect(checkZone('Europe/Berlin')).toBe('Europe/Berlin')
  expect(() => checkZone('Mars/Olympus')).toThrow('zone: expected a time zone such as Europe/Berlin or UTC')
})

it('keeps to the end of a shorter month', () => {
  expect(parseDueWords('in a month', { now: new Date('2027-01-31T12:00:00Z'), zone: 'UTC' })).toBe(
    '2027-02-28',
  )
})
