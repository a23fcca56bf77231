import { expect, it } from 'vitest'
import { tokensIn } from './tokens.ts'

it.each([
  ['', 0],
  ['word', 2],
  ['Word', 2],
  ['two words', 3],
  ['1234567890', 4],
  ['日本語', 4],
  ['\n\n\n\n\n', 3],
])('%j is about %i tokens', (text, tokens) => {
  expect(tokensIn(text)).toBe(tokens)
})

it('counts numbers and signs dearer than prose of the same length', () => {
  const [prose, numbers, signs] = ['some words in a row', '1 93 4402 5 88 1 20', '{"a":[],"b":{"c":1}'].map(
    tokensIn,
  )
  expect(numbers).toBeGreaterThan(prose ?? 0)
  expect(signs).toBeGreaterThan(prose ?? 0)
})
