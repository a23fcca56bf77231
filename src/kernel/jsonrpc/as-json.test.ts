import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { asJson } from './as-json.ts'

const again = (value: unknown) => JSON.parse(JSON.stringify(value))

describe('a value as JSON', () => {
  it('is what writing and reading make of it', () => {
    const anything = fc.anything({
      withDate: true,
      withMap: true,
      withNullPrototype: true,
      withSparseArray: true,
    })
    fc.assert(
      fc.property(anything, (value) => {
        fc.pre(value !== undefined)
        expect(asJson({ value })).toStrictEqual(again({ value }))
      }),
    )
  })

  it.each([
    { what: 'a member of the name of the prototype', value: JSON.parse('{"__proto__": {"a": 1}}') },
    { what: 'what says itself how it is written', value: { a: { toJSON: () => 'b' } } },
    { what: 'a function', value: { a: () => 1, b: [() => 1] } },
    { what: 'nothing in a list', value: [undefined] },
    { what: 'a zero with a sign', value: [-0] },
    { what: 'half a character', value: ['\ud800'] },
    { what: 'what stands in many others', value: again(`${'['.repeat(200)}${']'.repeat(200)}`) },
  ])('is the same for $what', ({ value }) => {
    expect(asJson(value)).toStrictEqual(again(value))
  })

  it('is no longer what its author can change', () => {
    const given = { content: [{ text: 'a' }] }
    const kept = asJson(given)
    given.content.push({ text: 'b' })
    expect(kept).toEqual({ content: [{ text: 'a' }] })
  })

  it('is refused where it cannot be written', () => {
    const round: { self?: unknown } = {}
    round.self = round
    expect(() => asJson(round)).toThrow(TypeError)
    expect(() => asJson({ a: 1n })).toThrow(TypeError)
  })
})
