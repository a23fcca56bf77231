import { expect, it } from 'vitest'
import { type BodyParts, joinParts, PART, SeriesParts, sizeOf, TextParts } from './parts.ts'

const LONG = `${'a'.repeat(PART - 1)}😀${'é'.repeat(PART - 1)}😀${'z'.repeat(100)}`

/** All of it, and how long each of its parts was. */
function drain(parts: BodyParts): { readonly text: string; readonly sizes: readonly number[] } {
  const all: string[] = []
  while (parts.left > 0) all.push(parts.next())
  return { text: all.join(''), sizes: all.map(({ length }) => length) }
}

it('gives a text in parts that never cut a letter in two', () => {
  const parts = new TextParts(LONG)
  const { text, sizes } = drain(parts)
  expect(text).toBe(LONG)
  expect(sizes).toEqual([PART - 1, PART, 103])
})

it.each(['\u{10000}', '\u{10fc00}', '\u{10ffff}'])(
  'cuts %s neither, and nothing that is a letter by itself',
  (letter) => {
    expect(drain(new TextParts(`${'a'.repeat(PART - 1)}${letter}`)).sizes).toEqual([PART - 1, 2])
    expect(drain(new TextParts(`${'a'.repeat(PART - 2)}${letter}z`)).sizes).toEqual([PART, 1])
    for (const whole of ['\ud7ff', '\ue000', letter.slice(1)])
      expect(drain(new TextParts(`${'a'.repeat(PART - 1)}${whole}z`)).sizes).toEqual([PART, 1])
  },
)

it('is one part where it is no longer than that, also where it ends in half a letter', () => {
  expect(drain(new TextParts(`${'a'.repeat(PART - 1)}\ud800`)).sizes).toEqual([PART])
})

it('takes as much room as all of it until the last part has left', () => {
  const parts = new TextParts('x'.repeat(PART + 10))
  expect([parts.left, parts.held, sizeOf(parts)]).toEqual([PART + 10, PART + 10, PART + 10])
  parts.next()
  expect([parts.left, parts.held]).toEqual([10, PART + 10])
  expect(parts.next()).toBe('x'.repeat(10))
  expect([parts.left, parts.held]).toEqual([0, 0])
  expect(new TextParts('ж'.repeat(PART + 10)).held).toBe(2 * (PART + 10))
})

it('can be joined, as what is no parts is', () => {
  expect(joinParts(new TextParts(LONG, { print: (part) => part.toUpperCase() }))).toBe(LONG.toUpperCase())
  expect(joinParts(new TextParts('x'.repeat(PART + 1)))).toBe('x'.repeat(PART + 1))
  expect(joinParts('text')).toBe('text')
  expect(joinParts(undefined)).toBe(undefined)
})

it('gives the texts of a list without putting them together, several in a part where they are short', () => {
  const texts = [
    JSON.stringify(LONG),
    '1',
    ...Array.from({ length: 10 }, () => '"short"'),
    JSON.stringify(LONG),
  ]
  const list = { open: '[', between: ',', close: ']' }
  const parts = new SeriesParts(
    texts.map((text) => new TextParts(text)),
    list,
  )
  const length = texts.join('').length
  expect([parts.left, parts.held]).toEqual([length, length + 2 * JSON.stringify(LONG).length])
  const { text, sizes } = drain(parts)
  expect(text).toBe(`[${texts.join(',')}]`)
  expect(Math.max(...sizes)).toBeLessThan(2 * PART + 2)
  expect(parts.held).toBe(0)
})

it('ends a part of a list where it is as long as one', () => {
  const texts = ['a'.repeat(PART), 'b', 'c']
  expect(drain(new SeriesParts(texts.map((text) => new TextParts(text)))).sizes).toEqual([PART, 2])
})
