import { expect, it } from 'vitest'
import { cutToWidth, widthOf } from './columns.ts'

it.each([
  ['plain', 5],
  ['日本語', 6],
  ['한국어', 6],
  ['a😀b', 4],
  ['e\u0301clair', 6],
  ['…○●', 3],
])('knows how many columns %s takes', (text, columns) => {
  expect(widthOf(text)).toBe(columns)
})

it.each([
  ['plain', 5, 'plain'],
  ['plain', 4, 'pla…'],
  ['日本語', 6, '日本語'],
  ['日本語', 5, '日本…'],
  ['日本語', 4, '日…'],
])('cuts %s to %i columns', (text, columns, shown) => {
  expect(cutToWidth(text, columns)).toBe(shown)
  expect(widthOf(shown)).toBeLessThanOrEqual(columns)
})
