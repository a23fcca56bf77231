import { expect, it } from 'vitest'
import { eolOf, indentAt, lineEnd, lineStart, splice, stepOf, UnreadableText } from './format.ts'

const TEXT = 'a:\r\n    b: 1\r\n    c: 2'

it('finds how a text is laid out', () => {
  expect([eolOf(TEXT), eolOf('a\nb'), eolOf('a')]).toEqual(['\r\n', '\n', '\n'])
  expect([stepOf(TEXT), stepOf('a:\n\t\tb: 1'), stepOf('a')]).toEqual(['    ', '\t', '  '])
})

it('finds the line of a place', () => {
  const at = TEXT.indexOf('b')
  expect(TEXT.slice(lineStart(TEXT, at), lineEnd(TEXT, at))).toBe('    b: 1')
  expect(indentAt(TEXT, at)).toBe('    ')
  expect(lineEnd(TEXT, TEXT.length - 1)).toBe(TEXT.length)
  expect(splice(TEXT, [at, at + 1], 'x')).toBe('a:\r\n    x: 1\r\n    c: 2')
})

it('says in which line a text cannot be read', () => {
  expect(new UnreadableText('no', TEXT, TEXT.indexOf('b'))).toMatchObject({ line: 2, shown: '    b: 1' })
})
