import { expect, it } from 'vitest'
import { depthOf, endOfString } from './depth-of.ts'

it.each([
  ['1', 0],
  ['[[1],{"a":[]}]', 3],
  ['["[[[", "\\"[["]', 1],
  ['["never closed [[', 1],
])('%s is so deep: %i', (text, depth) => {
  expect(depthOf(text)).toBe(depth)
})

it('finds where a string ends, or the text', () => {
  expect(endOfString('"a\\"b" c', 0)).toBe(5)
  expect(endOfString('"a', 0)).toBe(2)
})
