import fc from 'fast-check'
import { expect, it } from 'vitest'
import { findError } from './find-error.ts'

it.each([
  ['{ "jsonrpc": }', 13],
  ['', 0],
  ['   ', 3],
  ['nonsense', 0],
  ['{"a":1,}', 7],
  ['[1,]', 3],
  ['[1 2]', 3],
  ['{"a" 1}', 5],
  ['{a: 1}', 1],
  ['{"a":1', 6],
  ['[', 1],
  ['{"a":"\u0001"}', 5],
  ['{"a":"\\x"}', 5],
  ['01', 1],
  ['1 1', 2],
  [']', 0],
  ['[}', 1],
  ['{"a":[1}', 7],
  ['{"a":1]', 6],
  ['"a', 0],
  [',', 0],
  ['1,', 1],
])('finds where %j stops being JSON', (text, at) => {
  expect(findError(text)).toBe(at)
})

it('finds nothing before the end of what is JSON', () => {
  fc.assert(
    fc.property(fc.json(), (text) => {
      expect(findError(text)).toBe(text.length)
    }),
  )
})

it('finds no error behind one, and none where there is none', () => {
  fc.assert(
    fc.property(
      fc.json(),
      fc.nat(),
      fc.constantFrom('}', ']', ',', ':', '"', 'x', '1', ' '),
      (json, place, more) => {
        const at = place % (json.length + 1)
        const text = `${json.slice(0, at)}${more}${json.slice(at)}`
        expect(findError(text) === text.length || !isJson(text)).toBe(true)
      },
    ),
  )
})

it('looks at a long text once', () => {
  expect(findError(`["${'x'.repeat(4_000_000)}", ${'1,'.repeat(100_000)}]`)).toBe(4_200_005)
})

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
