import { expect, it } from 'vitest'
import { diffLines } from './line-diff.ts'

it.each([
  ['a\nb\nc', 'a\nb\nc', [' a', ' b', ' c']],
  ['a\nb\nc', 'a\nx\nc', [' a', '-b', '+x', ' c']],
  ['a\nc', 'a\nb\nc', [' a', '+b', ' c']],
  ['a\nb\nc', 'a\nc', [' a', '-b', ' c']],
  ['x\na\nb\ny', 'a\nq\nb', ['-x', ' a', '+q', ' b', '-y']],
])('%j became %j', (before, after, lines) => {
  expect(diffLines(before, after)).toEqual(lines)
})

it('tells the middle of two long texts as a whole, between what they have in common', () => {
  const lines = (letter: string) => Array.from({ length: 1001 }, (_, at) => `${letter}${at}`)
  const told = diffLines(['same', ...lines('a')].join('\n'), ['same', ...lines('b')].join('\n'))
  expect(told.slice(0, 3)).toEqual([' same', '-a0', '-a1'])
  expect(told.slice(-2)).toEqual(['+b999', '+b1000'])
  expect(told).toHaveLength(2003)
})
