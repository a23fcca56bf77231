import fc from 'fast-check'
import { expect, it } from 'vitest'
import { changedPart } from './changed-part.ts'

it.each([
  ['a\nb\nc\n', 'a\nB\nc\n', { start: 2, oldEnd: 4, newEnd: 4 }],
  ['a\nc\n', 'a\nb\nc\n', { start: 2, oldEnd: 2, newEnd: 4 }],
  ['a\nb\nc\n', 'a\nc\n', { start: 2, oldEnd: 4, newEnd: 2 }],
  ['ab\n', 'ac\n', { start: 0, oldEnd: 3, newEnd: 3 }],
  ['xb\na\n', 'b\na\n', { start: 0, oldEnd: 3, newEnd: 2 }],
  ['a\na\n', 'a\na\na\n', { start: 4, oldEnd: 4, newEnd: 6 }],
  ['a', 'a\n', { start: 0, oldEnd: 1, newEnd: 2 }],
  ['', 'a', { start: 0, oldEnd: 0, newEnd: 1 }],
  ['a\nb', 'a\nb', { start: 2, oldEnd: 2, newEnd: 2 }],
])('%j becomes %j in whole lines', (before, after, expected) => {
  const { start, oldEnd, newEnd } = changedPart(before, after)
  expect({ start, oldEnd, newEnd }).toEqual(expected)
})

it('is the same before and after it, and begins and ends with a line', () => {
  const text = fc.array(fc.constantFrom('a', 'b', '\n')).map((letters) => letters.join(''))
  fc.assert(
    fc.property(text, text, (before, after) => {
      const { start, oldEnd, newEnd } = changedPart(before, after)
      expect(after.slice(0, start)).toBe(before.slice(0, start))
      expect(after.slice(newEnd)).toBe(before.slice(oldEnd))
      for (const [whole, place] of [
        [before, start],
        [before, oldEnd],
        [after, newEnd],
      ] as const) {
        const isEdge = place === 0 || place === whole.length || whole[place - 1] === '\n'
        expect(isEdge, `${place} of ${JSON.stringify(whole)}`).toBe(true)
      }
    }),
  )
})
