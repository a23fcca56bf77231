import { expect, it } from 'vitest'
import { weigh, weighText } from './weight.ts'

it.each([
  ['ab', 2],
  ['aÿ', 2],
  ['aĀ', 4],
  ['a\uffff', 4],
  [7, 0],
  [null, 0],
  [true, 0],
  [[], 48],
  [['ab', 1], 48 + 16 + 2 + 16],
  [{ key: 'ab' }, 48 + 16 + 3 + 2],
  [{ k: [{}] }, 48 + 16 + 1 + 48 + 16 + 48],
])('%j weighs %i', (value, weight) => {
  expect(weigh(value)).toBe(weight)
})

it('a text weighs what its letters take', () => {
  expect([weighText(''), weighText('abc'), weighText('ab€')]).toEqual([0, 3, 6])
})
