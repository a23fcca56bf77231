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

/** Long ones are not looked at letter by letter. */
it.each(['x', 'x\\\\', '\\\\', '\\"', 'x\\"', `${'x'.repeat(50)}\\"`, `${'x'.repeat(31)}\\\\`])(
  'finds where a string ends that is made of %s, however often',
  (part) => {
    for (let times = 0; times < 100; times++) {
      const string = `"${part.repeat(times)}"`
      expect(endOfString(`${string}"`, 0)).toBe(string.length - 1)
      expect(endOfString(string.slice(0, -1), 0)).toBe(string.length - 1)
    }
  },
)
