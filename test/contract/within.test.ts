import fc from 'fast-check'
import { expect, it } from 'vitest'
import { compareSchemas } from '../../src/contract/schemas/covers.ts'
import type { JsonObject } from '../../src/kernel/index.ts'
import { compile } from '../../src/schema/json/index.ts'
import { schemasOf, value } from '../schema/any-schema.ts'
import { onlyNamed } from './named-values.ts'

const LIMITS = { known: new Map(), formats: 'noted', maxParts: 3000, maxSteps: 1_000_000 } as const
const schema = schemasOf('2020-12') as fc.Arbitrary<JsonObject>

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

it('whatever is said to be within another schema has no value of what it names that the other refuses', () => {
  let within = 0
  let tried = 0
  fc.assert(
    fc.property(pair, fc.array(value, { minLength: 20, maxLength: 20 }), ([narrow, wide], values) => {
      fc.pre(compiles(narrow) && compiles(wide))
      if (compareSchemas(narrow, wide, 'welcome').length > 0) return
      const named = onlyNamed(narrow, narrow)
      fc.pre(named !== false && compiles(named as JsonObject))
      within++
      const counts = (one: unknown) => read(named as JsonObject, one) && read(narrow, one)
      for (const one of values.filter(counts)) {
        tried++
        expect(read(wide, one), `${JSON.stringify(one)} of ${JSON.stringify([narrow, wide])}`).toBe(true)
      }
    }),
    { numRuns: 300 },
  )
  expect(within).toBeGreaterThan(20)
  expect(tried).toBeGreaterThan(50)
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

it('a schema that requires what it does not name is within itself, whatever else refers to something', () => {
  const one = { required: ['a'], else: { $ref: '#/definitions/a' }, definitions: { a: true } }
  expect(compareSchemas(one, structuredClone(one), 'lost')).toEqual([])
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
