import { expect, it } from 'vitest'
import { cut, describe, repeat } from './describe.ts'

it.each([
  [undefined, 'nothing'],
  [null, 'null'],
  [[], 'an array'],
  [{}, 'an object'],
  [() => {}, 'a function'],
  ['abc', 'the string "abc"'],
  [5, 'the number 5'],
  [true, 'the boolean true'],
])('%j is %s', (value, words) => {
  expect(describe(value)).toBe(words)
})

it('repeats what is short, and says what is long', () => {
  expect(repeat({ a: 1 })).toEqual({ a: 1 })
  expect(repeat(undefined)).toBeUndefined()
  expect(repeat(['x'.repeat(1000)])).toBe('an array, 1004 characters of JSON')
  expect(describe('x'.repeat(61))).toBe(`the string "${'x'.repeat(60)}…"`)
  expect([cut('abc', 3), cut('abcd', 3)]).toEqual(['abc', 'abc…'])
})

it('repeats what has a thousand characters of JSON, and no more', () => {
  const longest = 'x'.repeat(998)
  expect([repeat(longest), repeat([longest])]).toEqual([longest, 'an array, 1002 characters of JSON'])
})
