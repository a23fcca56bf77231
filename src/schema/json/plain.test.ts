import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { jsonSchemaShape } from '../json-schema.ts'
import { compile } from './index.ts'
import { countPlain } from './plain.ts'

const OPTIONS = { known: new Map(), formats: 'noted', maxParts: 3000, maxSteps: 1_000_000 } as const

const WEATHER = {
  type: 'object',
  properties: {
    city: { type: 'string', minLength: 1, maxLength: 100, description: 'Where' },
    days: { type: ['integer', 'null'], minimum: 1, maximum: 14 },
    units: { enum: ['metric', 'imperial'] },
    tags: { type: 'array', items: { type: 'string' }, maxItems: 5 },
    more: { type: 'object', properties: { a: true }, additionalProperties: false },
  },
  required: ['city', 'days'],
  additionalProperties: false,
}

const odd = fc.constantFrom<unknown>(null, -1, 1.5, '', 'string', [], {}, [1], ['a', 'a'], true, Number.NaN, [
  {},
])

/** Schemas of plain keywords, some of whose values are of the wrong kind. */
const { schema } = fc.letrec<{ schema: object }>((tie) => {
  const part = tie('schema')
  const or = (right: fc.Arbitrary<unknown>) =>
    fc.oneof({ weight: 8, arbitrary: right }, { weight: 1, arbitrary: odd })
  const parts = fc.dictionary(fc.constantFrom('a', 'b', 'enum', '__proto__'), or(part), { maxKeys: 3 })
  return {
    schema: fc.record(
      {
        type: or(
          fc.constantFrom('string', 'number', 'object', ['array', 'null'], new Array(8).fill('string')),
        ),
        properties: or(parts),
        required: or(fc.constant(['a', 'b'])),
        additionalProperties: or(fc.oneof({ maxDepth: 2 }, fc.boolean(), part)),
        items: or(fc.oneof({ maxDepth: 2 }, fc.boolean(), part)),
        enum: or(fc.constant(['a', 1, null])),
        const: odd,
        minimum: or(fc.integer()),
        exclusiveMaximum: or(fc.integer()),
        minLength: or(fc.nat()),
        maxItems: or(fc.nat()),
        format: or(fc.constant('date')),
        $schema: or(fc.constant('https://json-schema.org/draft/2020-12/schema')),
        title: odd,
        pattern: fc.constantFrom('a', '('),
      },
      { requiredKeys: [], noNullPrototype: true },
    ),
  }
})

describe('a plain schema', () => {
  it('can be compiled, and has as many parts as it is said to have', () => {
    fc.assert(
      fc.property(schema, (schema) => {
        const parts = countPlain(schema)
        if (parts !== undefined) expect(compile(schema, OPTIONS).parts).toBe(parts)
      }),
      { numRuns: 2000 },
    )
  })

  it('is what tools usually have', () => {
    expect(countPlain(WEATHER)).toBe(compile(WEATHER, OPTIONS).parts)
  })

  it.each([
    ['a reference', { $ref: '#' }],
    ['an expression', { pattern: 'a' }],
    ['schemas put together', { anyOf: [{}] }],
    ['a name of its own', { $id: 'urn:a' }],
    ['a draft nobody knows', { $schema: 'urn:draft' }],
    ['a keyword nobody knows', { unknown: {} }],
    ['no schema', []],
    ['a schema that contains itself', cyclic()],
  ])('is not one with %s', (_name, schema) => {
    expect(countPlain(schema)).toBeUndefined()
  })
})

function cyclic(): object {
  const schema: { properties: { [name: string]: unknown } } = { properties: {} }
  for (let at = 0; at < 100; at++) schema.properties[`p${at}`] = schema
  return schema
}

describe('a schema that is defined', () => {
  const most = { schemaParts: 0, checkSteps: 0 }

  it('has each of its parts looked at once, and is compiled when it is first used', () => {
    const looks = new Map<unknown, number>()
    const watched = watch(WEATHER, looks)
    const shape = jsonSchemaShape(watched, { ...OPTIONS, most })
    expect(Math.max(...looks.values())).toBe(1)
    expect(shape.read({ city: 'Lisbon', days: 3 })).toEqual({ value: { city: 'Lisbon', days: 3 } })
    expect(shape.read({ city: 'Lisbon' })).toHaveProperty('problems')
  })

  it('may not be larger than the server allows, however plain', () => {
    expect(() => jsonSchemaShape(WEATHER, { ...OPTIONS, maxParts: 5, most })).toThrow('at most 5 parts')
  })
})

/** The same, and how often its parts are asked what they have. */
function watch<Value>(value: Value, looks: Map<unknown, number>): Value {
  if (typeof value !== 'object' || value === null) return value
  const inside = Object.entries(value).map(([name, one]) => [name, watch(one, looks)])
  const copy = Array.isArray(value) ? inside.map(([, one]) => one) : Object.fromEntries(inside)
  return new Proxy(copy, {
    ownKeys(target) {
      looks.set(target, (looks.get(target) ?? 0) + 1)
      return Reflect.ownKeys(target)
    },
  })
}
