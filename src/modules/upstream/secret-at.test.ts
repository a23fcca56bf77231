import { expect, it } from 'vitest'
import { endOfBase64, endOfWord, isLikely, knownTo } from './secret-at.ts'

const form = { head: 'abcd', rest: 'efgh', isWord: false, edges: [0, 0] } as const

it.each([
  ['as it is', 'abcdefgh!', 8],
  ['over lines', 'abcdef\ngh', 9],
  ['over lines as JSON has them', 'abcdef\\r\\ngh', 12],
])('a whole secret is known to its end: %s', (_how, text, end) => {
  expect(isLikely(form, text, 0)).toBe(true)
  expect(knownTo(form, text, 0)).toEqual({ end, isWhole: true })
})

it('a secret is known as far as it is there, and not at all by less than its head', () => {
  expect(knownTo(form, 'abcdefx', 0)).toEqual({ end: 6, isWhole: false })
  expect(knownTo(form, 'abcx', 0)).toBeUndefined()
  expect(isLikely(form, 'abcx', 0)).toBe(false)
})

it('a short secret is known as a word of its own alone', () => {
  const word = { ...form, rest: '', isWord: true }
  expect(knownTo(word, 'abcde', 0)).toBeUndefined()
  expect(knownTo(word, 'xabcd', 1)).toBeUndefined()
  expect(knownTo(word, '%2fabcd.', 3)).toEqual({ end: 7, isWhole: true })
})

it('what has been begun ends with its word, or after as much as it may have become', () => {
  expect(endOfWord('abc def', 0, 10)).toBe(3)
  expect(endOfWord('a'.repeat(20), 0, 2)).toBe(12)
})

it('what holds a part of it in base64 belongs to it, with what fills it up', () => {
  expect(endOfBase64('abcd', 3, 0)).toBe(3)
  expect(endOfBase64('abcQ==x', 3, 1)).toBe(6)
  expect(endOfBase64('abc\nQ===', 3, 1)).toBe(7)
})
