import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { findFirst, placesOf, splitBy } from './find-text.ts'

const STEPS = { overlapping: () => 1, apart: (part: string) => part.length }

/** What is to be found, said by `indexOf`. */
function foundByIndexOf(text: string, part: string, overlap: keyof typeof STEPS): readonly number[] {
  const step = STEPS[overlap](part)
  const places: number[] = []
  for (let at = text.indexOf(part); at >= 0; at = text.indexOf(part, at + step)) places.push(at)
  return places
}

describe.each(['overlapping', 'apart'] as const)('pieces that are %s', (overlap) => {
  const expectSame = (text: string, part: string): void => {
    expect(placesOf(text, part, overlap)).toEqual(foundByIndexOf(text, part, overlap))
  }

  /** Few letters, so that parts of all lengths stand again and again, and nearly stand. */
  const letters = (minLength: number, maxLength: number) =>
    fc.string({ unit: fc.constantFrom('a', 'b'), minLength, maxLength })

  it('are found where indexOf finds them, whatever the text', () => {
    const piece = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 150 })
    const around = fc.array(fc.string({ unit: 'grapheme', maxLength: 20 }), { minLength: 1, maxLength: 5 })
    fc.assert(fc.property(piece, around, (part, between) => expectSame(between.join(part), part)))
  })

  it('are found in what repeats itself with a flaw here and there', () => {
    const repeated = fc.tuple(letters(1, 5), fc.integer({ min: 12, max: 80 }), letters(0, 3))
    fc.assert(
      fc.property(repeated, fc.array(fc.nat(200), { maxLength: 6 }), ([unit, times, end], cuts) => {
        const part = unit.repeat(times) + end
        const text = [part, ...cuts.map((cut) => part.slice(cut % part.length) + part)].join('')
        expectSame(text, part)
        expectSame(text, part.slice(1))
      }),
      { numRuns: 300 },
    )
  })

  it.each([63, 64, 65, 66, 128])(
    'are found if they are %i letters long, which is where the way changes',
    (length) => {
      const part = `${'a'.repeat(length - 1)}b`
      expectSame(`${part}${part}a${part}${part.slice(0, -1)}`, part)
      expectSame('a'.repeat(3 * length), 'a'.repeat(length))
      expectSame('ab'.repeat(2 * length), 'ab'.repeat(length).slice(0, length))
    },
  )

  it.each([1, 100])(
    'are found if they are all of the text, its start and its end: %i times as long',
    (times) => {
      const part = 'moon '.repeat(times)
      expect(placesOf(part, part, overlap)).toEqual([0])
      expect(placesOf(`${part}| ${part}`, part, overlap)).toEqual([0, part.length + 2])
    },
  )

  it.each([1, 100])('are not found in less than they are, nor in nothing: %i times as long', (times) => {
    const part = 'moon '.repeat(times)
    expect(placesOf(part.slice(1), part, overlap)).toEqual([])
    expect(placesOf(part.slice(0, -1), part, overlap)).toEqual([])
    expect(placesOf('', part, overlap)).toEqual([])
  })

  it('are not found if there is nothing to look for', () => {
    expect(placesOf('moon', '', overlap)).toEqual([])
    expect(placesOf('', '', overlap)).toEqual([])
  })

  it.each([1, 40])('are found by code units, in any script: %i times as long', (times) => {
    const part = '🌒é\u0301月\0'.repeat(times)
    const text = `🌒${part}🌓${part.slice(1)}${part}`
    expect(placesOf(text, part, overlap)[0]).toBe(2)
    expectSame(text, part)
    expectSame(text, part.slice(1))
  })
})

it.each([3, 70])('what overlaps is counted each time, or once: %i letters', (length) => {
  const part = 'a'.repeat(length)
  const text = 'a'.repeat(2 * length + 1)
  expect(placesOf(text, part, 'overlapping')).toEqual(Array.from({ length: length + 2 }, (_, at) => at))
  expect(placesOf(text, part, 'apart')).toEqual([0, length])
})

it('the first place is the one of indexOf, and what is between places is what split has', () => {
  const letters = fc.string({ unit: fc.constantFrom('a', 'b'), minLength: 1, maxLength: 4 })
  fc.assert(
    fc.property(letters, fc.integer({ min: 1, max: 80 }), fc.array(letters), (unit, times, around) => {
      const part = unit.repeat(times)
      const find = findFirst(part)
      for (const text of [around.join(part), around.join(part.slice(1)), `${part}${part}`]) {
        expect(find(text)).toBe(text.indexOf(part))
        expect(splitBy(text, part)).toEqual(text.split(part))
      }
    }),
  )
})
