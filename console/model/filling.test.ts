import { describe, expect, it } from 'vitest'
import { toField } from './field.ts'
import { complaintsOf, initialOf, variantFor, withMember } from './filling.ts'

const schema = {
  type: 'object',
  properties: {
    name: { type: 'string', minLength: 2 },
    count: { type: 'integer', minimum: 0, maximum: 9, default: 3 },
    place: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
    list: { type: 'array', items: { type: 'number' }, minItems: 1 },
  },
  required: ['name', 'list'],
}

describe('what a form begins with', () => {
  it('is its defaults, and what must be there', () => {
    expect(initialOf(toField(schema))).toEqual({ count: 3, list: [undefined] })
  })

  it('is a few of what must be there many times', () => {
    const items = { type: 'array', minItems: 1e9, items: { type: 'string' } }
    const list = { ...items, items }
    const begun = initialOf(toField({ type: 'object', properties: { list }, required: ['list'] }))
    expect(begun).toEqual({ list: Array(4).fill(Array(4).fill(undefined)) })
    expect(complaintsOf(toField(items), ['a'])).toEqual([{ path: '', text: 'at least 1000000000' }])
  })

  it('is nothing for what need not be given', () => {
    expect(
      initialOf(toField({ type: 'object', properties: { a: { type: 'boolean' }, b: { type: 'string' } } })),
    ).toEqual({})
  })
})

it('knows what an object has of its own from what every object has', () => {
  const properties = JSON.parse('{"__proto__":{"type":"string"},"constructor":{"type":"string"}}')
  const field = toField({ type: 'object', properties })
  expect(complaintsOf(field, {})).toEqual([])
  expect(complaintsOf(field, withMember({}, '__proto__', 1))).toEqual([
    { path: '__proto__', text: 'expected text' },
  ])
})

describe('what is complained of', () => {
  it.each([
    [{ name: 'ab', list: [1] }, []],
    [{ list: [1] }, [{ path: 'name', text: 'must be filled in' }]],
    [{ name: 'a', list: [1] }, [{ path: 'name', text: 'at least 2 characters' }]],
    [{ name: 'ab', list: [] }, [{ path: 'list', text: 'at least 1' }]],
    [{ name: 'ab', list: ['x'] }, [{ path: 'list.0', text: 'expected a number' }]],
    [{ name: 'ab', list: [1], count: 1.5 }, [{ path: 'count', text: 'expected a whole number' }]],
    [{ name: 'ab', list: [1], count: 10 }, [{ path: 'count', text: 'at most 9' }]],
    [{ name: 'ab', list: [1], place: {} }, [{ path: 'place.city', text: 'must be filled in' }]],
  ])('of %j', (value, complaints) => {
    expect(complaintsOf(toField(schema), value)).toEqual(complaints)
  })

  it('of a union is what its nearest variant complains of', () => {
    const field = toField({
      oneOf: [
        {
          type: 'object',
          properties: { kind: { const: 'a' }, r: { type: 'number' } },
          required: ['kind', 'r'],
        },
        {
          type: 'object',
          properties: { kind: { const: 'b' }, s: { type: 'number' } },
          required: ['kind', 's'],
        },
      ],
    })
    expect(complaintsOf(field, { kind: 'b' }, 'shape')).toEqual([
      { path: 'shape.s', text: 'must be filled in' },
    ])
    expect(complaintsOf(field, { kind: 'b', s: 1 })).toEqual([])
    expect(field.kind === 'union' && variantFor(field, { kind: 'b' })).toBe(1)
  })
})

it('sets a member in its place, and takes it away', () => {
  expect(Object.keys(withMember({ a: 1, b: 2 }, 'a', 3))).toEqual(['a', 'b'])
  expect(withMember({ a: 1, b: 2 }, 'a', undefined)).toEqual({ b: 2 })
  expect(withMember(undefined, 'a', 1)).toEqual({ a: 1 })
})
