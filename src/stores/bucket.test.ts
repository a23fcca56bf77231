import { expect, it } from 'vitest'
import { intervalOf, waitFor } from './bucket.ts'
import { keptName } from './kept-name.ts'
import { parseKept } from './parse-kept.ts'

const rate = { perSecond: 4, burst: 3 }

it('gets one more at an interval', () => {
  expect(intervalOf(rate)).toBe(250)
})

it.each([
  [0, 0, 'a full one'],
  [1500, 0, 'one with one left'],
  [1500.009, 0, 'one that lacks less than a hair'],
  [1500.02, 1, 'one that lacks a little'],
  [1501, 1, 'one that lacks a millisecond'],
  [1750, 250, 'an empty one'],
])('full again at %d, one waits %d ms for %s', (fullAt, wait) => {
  expect(waitFor(fullAt, rate, 1000)).toBe(wait)
})

it('lacks something from a hair on', () => {
  const alone = { perSecond: 4, burst: 1 }
  expect([waitFor(0.0099, alone, 0), waitFor(0.01, alone, 0)]).toEqual([0, 1])
})

it('is kept by its name where any database can hold that, and by its hash elsewhere', () => {
  const long = 'x'.repeat(600)
  expect(keptName(long)).toBe(long)
  expect(keptName(`${long}x`)).toMatch(/^sha256:[\da-f]{64}$/)
  expect(keptName('a\0b')).toMatch(/^sha256:[\da-f]{64}$/)
  expect(keptName('a\0b')).not.toBe(keptName('a\0c'))
})

it('is nothing where it is no JSON', () => {
  expect([parseKept('{"a":1}'), parseKept('{"a"')]).toEqual([{ a: 1 }, null])
})
