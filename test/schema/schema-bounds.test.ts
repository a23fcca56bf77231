import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { describe, expect, it } from 'vitest'
import { compile, stepsTaken } from '../../src/schema/json/index.ts'
import { arrays } from '../../src/schema/json/keywords/arrays.ts'
import { dependencies } from '../../src/schema/json/keywords/dependencies.ts'
import { logic } from '../../src/schema/json/keywords/logic.ts'
import { numbers } from '../../src/schema/json/keywords/numbers.ts'
import { objects } from '../../src/schema/json/keywords/objects.ts'
import { references } from '../../src/schema/json/keywords/references.ts'
import { strings } from '../../src/schema/json/keywords/strings.ts'
import { types } from '../../src/schema/json/keywords/types.ts'

const OPTIONS = { known: new Map(), formats: 'asserted', maxParts: 3000, maxSteps: 1_000_000 } as const

const check = (schema: unknown, value: unknown) => compile(schema, OPTIONS).check(value)

const stepsFor = (schema: unknown, value: unknown) => {
  expect(check(schema, value)).toBe(undefined)
  return stepsTaken()
}

const LESS_WORK = [
  { path: '', message: 'expected a value that takes less work to check (--max-check-steps)' },
]

/** `depth` of something inside each other, made without going that deep. */
function nest(depth: number, wrap: (inner: unknown) => unknown, innermost: unknown): unknown {
  let value = innermost
  for (let level = 0; level < depth; level++) value = wrap(value)
  return value
}

const many = (count: number) => Array.from({ length: count }, (_, index) => index)

const named = (count: number, value: unknown = {}) =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`p${index}`, value]))

describe('a schema is refused that', () => {
  it.each([
    [
      'has 160,000 properties',
      { properties: named(160_000) },
      'at most 3000 parts, and here are more (--max-schema-parts)',
    ],
    [
      'lists a million values',
      { enum: Array.from({ length: 1_000_000 }, (_, index) => index) },
      'at most 3000 parts',
    ],
    ['has a value with a million parts', { const: new Array(1_000_000).fill(0) }, 'at most 3000 parts'],
    ['needs a million names', { required: new Array(1_000_000).fill('a') }, 'at most 3000 parts'],
    ['has a million parts that say yes', { allOf: new Array(1_000_000).fill(true) }, 'at most 3000 parts'],
    ['has 160,000 that say so by name', { properties: named(160_000, true) }, 'at most 3000 parts'],
    ['has 160,000 needs', { dependentRequired: named(160_000, []) }, 'at most 3000 parts'],
    [
      'needs a million names when one is there',
      { dependentRequired: { a: new Array(1_000_000).fill('b') } },
      'at most 3000 parts',
    ],
    ['has a pattern of a million letters', { pattern: 'a'.repeat(1_000_000) }, 'at most 3000 parts'],
    ['names a thousand sets of letters', { pattern: '\\p{L}'.repeat(1000) }, 'at most 3000 parts'],
    ['names a type again and again', { type: new Array(1000).fill('string') }, 'expected each type once'],
    ['is 100,000 deep', nest(100_000, (items) => ({ items }), {}), 'at most 128 schemas inside each other'],
    [
      'has a value that deep',
      { const: nest(100_000, (inner) => [inner], 0) },
      'at most 128 values inside each other',
    ],
  ])('%s', (_name, schema, message) => {
    expect(() => compile(schema, OPTIONS)).toThrow(message)
  })

  it('contains itself', () => {
    const schema: { properties: { [name: string]: unknown } } = { properties: {} }
    schema.properties['a'] = { properties: { b: schema } }
    expect(() => compile(schema, OPTIONS)).toThrow('at most 128 schemas inside each other')
  })

  it('has the same part in more and more places', () => {
    const schema = nest(40, (inner) => ({ properties: { a: inner, b: inner } }), {})
    expect(() => compile(schema, OPTIONS)).toThrow('at most 3000 parts')
  })

  it('is larger than what it was handed in may be', () => {
    const known = new Map([['urn:large', { properties: named(20_000) }]])
    expect(() => compile({ $ref: 'urn:large' }, { ...OPTIONS, known })).toThrow('at most 3000 parts')
  })
})

describe('a schema may', () => {
  it('be a chain of references, though not one without end', () => {
    const $defs = Object.fromEntries(
      Array.from({ length: 200 }, (_, index) => [`d${index}`, { $ref: `#/$defs/d${index + 1}` }]),
    )
    const schema = { $ref: '#/$defs/d0', $defs: { ...$defs, d200: { type: 'string' } } }
    expect(check(schema, 'x')).toBe(undefined)
    expect(check(schema, 1)).toHaveLength(1)
    const long = Object.fromEntries(
      Array.from({ length: 2_500 }, (_, index) => [`d${index}`, { $ref: `#/$defs/d${index + 1}` }]),
    )
    expect(check({ $ref: '#/$defs/d0', $defs: { ...long, d2500: {} } }, 'x')).toEqual([
      { path: '', message: 'expected at most 256 levels' },
    ])
  })
})

it('a dynamic reference without an anchor leads to what it names, like any other', () => {
  const schema = {
    $id: 'https://example.org/root',
    $dynamicAnchor: 'node',
    type: 'object',
    properties: { child: { $dynamicRef: 'node' } },
    $defs: { node: { $id: 'node', $dynamicAnchor: 'node', type: 'string' } },
  }
  expect(check(schema, { child: 'x' })).toBe(undefined)
})

it('a schema may have many resources that refer to each other by a dynamic anchor', () => {
  const $defs = Object.fromEntries(
    Array.from({ length: 500 }, (_, index) => [
      `d${index}`,
      { $id: `d${index}`, $dynamicAnchor: 'node', $dynamicRef: '#node' },
    ]),
  )
  expect(check({ $dynamicAnchor: 'node', $defs }, 1)).toBe(undefined)
})

describe('a value is refused that', () => {
  const tree = { type: 'array', items: { $ref: '#' } }

  it('is deeper than references lead', () => {
    expect(
      check(
        tree,
        nest(100, (inner) => [inner], []),
      ),
    ).toBe(undefined)
    expect(
      check(
        tree,
        nest(100_000, (inner) => [inner], []),
      ),
    ).toEqual([{ path: '', message: 'expected at most 256 levels' }])
  })

  it('would be checked again and again for ever by a dynamic reference', () => {
    expect(check({ $dynamicAnchor: 'a', $dynamicRef: '#a' }, 1)).toEqual([
      { path: '', message: 'expected at most 256 levels' },
    ])
  })

  it.each(['anyOf', 'oneOf', 'allOf'])(
    'would be held against the same thing again and again by %s',
    (keyword) => {
      const $defs = Object.fromEntries(
        Array.from({ length: 40 }, (_, index) => {
          const $ref = `#/$defs/d${index + 1}`
          return [`d${index}`, { [keyword]: [{ $ref }, { $ref }] }]
        }),
      )
      const last = keyword === 'allOf' ? {} : { type: 'string' }
      expect(check({ $ref: '#/$defs/d0', $defs: { ...$defs, d40: last } }, 1)).toEqual(LESS_WORK)
    },
  )

  it('has unevaluated members at every level', () => {
    const schema = nest(
      120,
      (inner) => ({ allOf: [inner], unevaluatedProperties: true, unevaluatedItems: true }),
      {},
    )
    const choices = nest(120, (inner) => ({ anyOf: [inner], unevaluatedProperties: true }), {})
    expect(check(schema, { a: 1 })).toBe(undefined)
    expect([undefined, LESS_WORK]).toContainEqual(check(choices, { a: 1 }))
  })

  it.each([
    [
      'items that are like each other',
      { uniqueItems: true },
      Array.from({ length: 500_000 }, (_, index) => index),
    ],
    [
      'deep ones',
      { uniqueItems: true },
      [nest(100_000, (inner) => [inner], 0), nest(100_000, (inner) => [inner], 1)],
    ],
    [
      'many members for many patterns',
      { allOf: new Array(100).fill(0).map((_, index) => ({ patternProperties: { [`x${index}`]: {} } })) },
      named(50_000),
    ],
    ['so many members that listing them is all one could do', { additionalProperties: {} }, named(160_000)],
    [
      'texts that are held against an expression in many ways',
      { items: { pattern: 'a*a*b' } },
      new Array(20_000).fill('a'.repeat(80)),
    ],
    ['a choice of many for each letter', { pattern: choice }, 'a'.repeat(100_000)],
    [
      'expressions that take long to read',
      { items: { format: 'regex' } },
      Array.from({ length: 20 }, (_, index) => `${'[\\p{L}\\p{N}]'.repeat(200)}${index}`),
    ],
  ])('takes too much: %s', (_name, schema, value) => {
    expect(check(schema, value)).toEqual(LESS_WORK)
  })
})

describe('a value is refused that is small, and held against much', () => {
  const byName = (count: number, schema: unknown) =>
    Object.fromEntries(many(count).map((index) => [`p${index}`, schema]))
  const empty = new Array(20_000).fill({})

  it.each([
    ['members', { allOf: many(45).map(() => ({ properties: byName(60, true) })) }],
    ['choices', { anyOf: [...many(1400).map((index) => ({ const: index })), {}] }],
    ['choices of which one is right', { oneOf: [...many(1400).map((index) => ({ const: index })), {}] }],
    ['demands', { allOf: many(1400).map(() => ({ minProperties: 0 })) }],
    // biome-ignore lint/suspicious/noThenProperty: JSON Schema has a keyword of this name.
    ['conditions', { allOf: many(500).map((index) => ({ if: { const: index }, then: false })) }],
    ['exclusions', { allOf: many(900).map((index) => ({ not: { const: index } })) }],
    ['dependencies', { dependentRequired: byName(1400, []) }],
    ['dependent schemas', { dependentSchemas: byName(1400, true) }],
  ])('%s', (_name, items) => {
    expect(check({ items }, empty)).toEqual(LESS_WORK)
  })

  it('demands of names, of which there are many', () => {
    expect(check({ allOf: new Array(100).fill({ propertyNames: true }) }, named(50_000))).toEqual(LESS_WORK)
  })

  it.each([
    ['demands of how many there are', { minProperties: 1, maxProperties: 50_000 }],
    ['closed doors', { anyOf: [{ additionalProperties: false }, {}] }],
    ['objects that it is not', { not: { const: {} } }],
  ])('but not %s: its many members are listed once', (_name, schema) => {
    const once = stepsFor(schema, named(50_000))
    const often = stepsFor({ allOf: new Array(400).fill(schema) }, named(50_000))
    expect(often - once).toBeLessThan(400 * 20)
  })

  it.each([
    ['names', { properties: byName(2900, { type: 'string' }) }],
    ['names, and a look for others', { properties: byName(1400, true), patternProperties: { x: true } }],
    ['names that were looked at', { properties: byName(2900, true), unevaluatedProperties: false }],
  ])('but not %s that it does not have: it is gone through by its own', (_name, items) => {
    expect(stepsFor({ items }, new Array(1000).fill({ p1: 'x' }))).toBeLessThan(40_000)
    expect(check({ items }, empty)).toBe(undefined)
  })

  it('but not a name that is none of many, nor what is wrong with one that is', () => {
    const closed = {
      properties: byName(100, { type: 'string' }),
      required: ['p1'],
      additionalProperties: false,
    }
    expect(check(closed, { p1: 'x', p99: 'y' })).toBe(undefined)
    expect(check(closed, { p99: 'y' })?.[0]?.path).toBe('p1')
    expect(check(closed, { p1: 'x', p99: 1 })?.[0]?.path).toBe('p99')
    expect(check(closed, { p1: 'x', q: 1 })?.[0]?.message).toMatch(/^unexpected "q"/)
  })

  it('fractions', () => {
    expect(check({ items: { multipleOf: 0.01 } }, new Array(100_000).fill(1e300))).toEqual(LESS_WORK)
    expect(check({ items: { multipleOf: 0.1 } }, new Array(10_000).fill(1e300))).toEqual(LESS_WORK)
  })

  it.each([
    ['date-time', '2026-01-01T00:00:00Z', 40_000],
    ['ipv6', '1:2:3:4:5:6:7::', 20_000],
    ['uri', 'a://[1:2:3:4:5:6:7::]', 20_000],
  ])('texts of the format %s', (format, text, count) => {
    expect(check({ items: { format } }, new Array(1000).fill(text))).toBe(undefined)
    expect(check({ items: { format } }, new Array(count).fill(text))).toEqual(LESS_WORK)
  })

  it('items that are kept for what they are', () => {
    const schema = { contains: { type: 'string' }, unevaluatedItems: false }
    expect(check(schema, new Array(200_000).fill('x'))).toEqual(LESS_WORK)
  })
})

const choice = Array.from({ length: 1000 }, (_, index) => `(?:x${index})*y`).join('|')

describe('a value is answered for that', () => {
  it.each([
    ['has 100,000 members', { additionalProperties: { type: 'object' } }, named(100_000), 0],
    ['has as many too many', { additionalProperties: false }, named(100_000), 1],
    ['is a million letters of any language', { pattern: '^[\\p{L}\\p{N}]+$' }, 'é'.repeat(1_000_000), 0],
    [
      'has an item larger than any number, and one that is none',
      { uniqueItems: true },
      [JSON.parse('[1e400]'), [null]],
      0,
    ],
    [
      'has 20,000 rows of one of ten kinds',
      {
        items: {
          oneOf: many(10).map((kind) => ({
            type: 'object',
            properties: { kind: { const: kind }, a: { type: 'number' }, b: { type: 'number' } },
            required: ['kind', 'a'],
            additionalProperties: false,
          })),
        },
      },
      many(20_000).map((index) => ({ kind: index % 10, a: index })),
      0,
    ],
    ['has half a million items', { items: { type: 'number' } }, new Array(500_000).fill(1), 0],
    [
      'is a megabyte of text',
      { type: 'string', minLength: 1, maxLength: 2_000_000 },
      'x'.repeat(1_000_000),
      0,
    ],
    ['is a megabyte of text that is too long', { maxLength: 600_000 }, '😀'.repeat(500_000), 0],
    ['has half characters', { maxLength: 3, pattern: '^...$' }, '\ud83da\ude00', 0],
    ['is larger than any number', { type: 'number' }, JSON.parse('1e400'), 1],
    ['is larger than any number, without a type', { multipleOf: 2 }, JSON.parse('1e400'), 1],
    ['is large', { type: 'integer', multipleOf: 0.5 }, 1e308, 0],
    ['is a sum of tenths', { multipleOf: 0.1 }, 0.3, 0],
    [
      'has many prices',
      { items: { multipleOf: 0.01 } },
      Array.from({ length: 100_000 }, (_, index) => index / 100),
      0,
    ],
    [
      'has many texts with a number somewhere',
      { items: { pattern: '\\d+' } },
      Array.from({ length: 20_000 }, (_, index) => `item number ${index}`),
      0,
    ],
    ['has a price that is none', { items: { multipleOf: 0.01 } }, [0.29, 0.295, 1e-7], 2],
    ['is held against more than V8 takes', { pattern: '(?:(?:a{9}){999}b{999}){999}' }, 'aaa', 1],
  ])('%s', (_name, schema, value, problems) => {
    expect(check(schema, value) ?? []).toHaveLength(problems)
  })
})

describe('names are names', () => {
  const odd = ['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'valueOf', 'isPrototypeOf']
  const own = (name: string, value: unknown) =>
    JSON.parse(`{${JSON.stringify(name)}:${JSON.stringify(value)}}`)

  it.each(odd)('%s is checked when it is there, and only then', (name) => {
    const schema = { properties: own(name, { type: 'string' }), additionalProperties: false }
    expect(check(schema, {})).toBe(undefined)
    expect(check(schema, own(name, 'x'))).toBe(undefined)
    expect(check(schema, own(name, 1))).toEqual([
      { path: name, message: 'expected a string, got the number 1' },
    ])
    expect(check({ required: [name] }, {})).toHaveLength(1)
    expect(check({ dependentRequired: own(name, ['b']) }, {})).toBe(undefined)
    expect(check({ dependentRequired: own(name, ['b']) }, own(name, 1))).toHaveLength(1)
    expect(check({ unevaluatedProperties: false }, own(name, 1))).toHaveLength(1)
    expect(check({ const: own(name, 1) }, {})).toHaveLength(1)
    expect(check({ const: {} }, own(name, 1))).toHaveLength(1)
    expect(check({ uniqueItems: true }, [{}, own(name, 1)])).toBe(undefined)
    expect(check({ propertyNames: { maxLength: 3 } }, own(name, 1))).toHaveLength(1)
  })

  it('what a prototype has is not there', () => {
    const value = Object.create({ a: 1, b: 2 }, { c: { value: 3, enumerable: true } })
    expect(check({ required: ['a'] }, value)).toHaveLength(1)
    expect(check({ properties: { a: { type: 'string' }, c: {} }, additionalProperties: false }, value)).toBe(
      undefined,
    )
    expect(check({ maxProperties: 1 }, value)).toBe(undefined)
    expect(check({ patternProperties: { '^.$': { const: 3 } } }, value)).toBe(undefined)
  })
})

it('what is undefined is not there, as it will not be in JSON', () => {
  const closed = { properties: { a: { type: 'string' } }, additionalProperties: false }
  expect(check(closed, { a: undefined, b: undefined })).toBe(undefined)
  expect(check({ ...closed, required: ['a'] }, { a: undefined })).toHaveLength(1)
  expect(check({ properties: { a: {} }, required: ['a'] }, { a: undefined })).toHaveLength(1)
  expect(check({ patternProperties: { a: { type: 'string' } } }, { a: undefined })).toBe(undefined)
  expect(check({ unevaluatedProperties: false }, { a: undefined })).toBe(undefined)
  expect(check({ propertyNames: false }, { a: undefined })).toBe(undefined)
  expect(check({ maxProperties: 0 }, { a: undefined })).toBe(undefined)
  expect(check({ minProperties: 1 }, { a: undefined })).toHaveLength(1)
  expect(check({ dependentRequired: { a: ['b'] } }, { a: undefined })).toBe(undefined)
  expect(check({ dependentRequired: { a: ['b'] } }, { a: 1, b: undefined })).toHaveLength(1)
  expect(check({ const: { a: 1 } }, { a: 1, b: undefined })).toBe(undefined)
  expect(check({ uniqueItems: true }, [{}, { a: undefined }])).toHaveLength(1)
})

it.each([
  ...[arrays, dependencies, logic, numbers, objects, references, strings, types].flatMap(Object.keys),
  'unevaluatedItems',
  'unevaluatedProperties',
])('%s that is undefined is not there either', (keyword) => {
  for (const value of [undefined, null, 0, 'a', [1, 1], { a: 1 }])
    expect(check({ [keyword]: undefined }, value)).toBe(undefined)
})

it('says no more of a name or an expression than is worth reading', () => {
  const long = 'k'.repeat(100_000)
  const strings = { additionalProperties: { additionalProperties: { type: 'string' } } }
  expect(check(strings, { [long]: { [long]: 1 } })?.[0]?.path).toHaveLength(201)
  expect(check({ additionalProperties: false }, { [long]: 1 })?.[0]?.message.length).toBeLessThan(300)
  expect(check({ pattern: 'x'.repeat(10_000) }, '')?.[0]?.message.length).toBeLessThan(300)
})

it('says at most eight things', () => {
  const schema = {
    properties: named(20),
    additionalProperties: { type: 'string' },
    required: Object.keys(named(20)),
  }
  expect(check(schema, {})).toHaveLength(8)
  expect(check({ items: { type: 'string' } }, new Array(100).fill(1))).toHaveLength(8)
})

it('forgets a schema as soon as nobody has it', async () => {
  setFlagsFromString('--expose-gc')
  const gc: () => void = runInNewContext('gc')
  const schema = { properties: { a: { $ref: '#/$defs/b' } }, $defs: { b: { pattern: 'x' } } }
  const compiled = Array.from({ length: 10 }, () => new WeakRef(compile(schema, OPTIONS)))
  for (const one of compiled) expect(one.deref()?.check({ a: 'y' })).toHaveLength(1)
  await new Promise((resolve) => setTimeout(resolve, 0)) // A WeakRef holds on to what it gave until then.
  gc()
  expect(compiled.filter((one) => one.deref() !== undefined)).toEqual([])
})
