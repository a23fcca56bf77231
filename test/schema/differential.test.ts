import { Ajv, type Options } from 'ajv'
import { Ajv2020 } from 'ajv/dist/2020.js'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { compile } from '../../src/schema/json/index.ts'
import { name, schemasOf, value } from './any-schema.ts'

const LIMITS = { known: new Map(), formats: 'noted', maxParts: 3000, maxSteps: 1_000_000 } as const

const OPTIONS: Options = {
  strict: false,
  validateFormats: false,
  ownProperties: true,
  logger: false,
  allErrors: true, // Without it ajv leaves out `contains` where a list is shorter than `prefixItems`.
}

const JUDGES = {
  '2020-12': { ajv: new Ajv2020(OPTIONS), $schema: 'https://json-schema.org/draft/2020-12/schema' },
  'draft-07': {
    ajv: new Ajv({ ...OPTIONS, ignoreKeywordsWithRef: true }),
    $schema: 'http://json-schema.org/draft-07/schema#',
  },
}

function orNothing<Value>(make: () => Value): Value | undefined {
  try {
    return make()
  } catch {
    return undefined
  }
}

describe.each(['2020-12', 'draft-07'] as const)('in %s', (draft) => {
  const { ajv, $schema } = JUDGES[draft]

  it('whatever ajv says of a value by a schema is said here as well', () => {
    let judged = 0
    fc.assert(
      fc.property(schemasOf(draft), fc.array(value, { minLength: 1, maxLength: 8 }), (part, values) => {
        const schema = { $schema, ...part }
        const compiled = orNothing(() => compile(schema, LIMITS))
        const judge = orNothing(() => ajv.compile(schema))
        ajv.removeSchema(schema)
        if (compiled === undefined || judge === undefined) return // A circle without end, which both refuse.
        for (const one of values) {
          const verdict = orNothing(() => judge(one))
          if (verdict === undefined) continue
          judged += 1
          expect({ schema, one, fits: compiled.check(one) === undefined }).toEqual({
            schema,
            one,
            fits: verdict,
          })
        }
      }),
      { numRuns: 400 },
    )
    expect(judged).toBeGreaterThan(400)
  })

  it('what does not fit has between one and eight problems, and a place for each', () => {
    fc.assert(
      fc.property(schemasOf(draft), fc.array(value, { minLength: 1, maxLength: 8 }), (part, values) => {
        const compiled = orNothing(() => compile({ $schema, ...part }, LIMITS))
        for (const one of values) {
          const problems = compiled?.check(one)
          if (problems === undefined) continue
          expect(problems.length).toBeGreaterThan(0)
          expect(problems.length).toBeLessThanOrEqual(8)
          for (const { path, message } of problems) expect(message.length + path.length).toBeLessThan(2000)
        }
      }),
      { numRuns: 400 },
    )
  })
})

/** Anything at all as a schema: it is compiled, or refused with a sentence. */
it('no schema does anything but be compiled or refused', () => {
  const odd = fc.dictionary(
    fc.oneof(
      name,
      fc.constantFrom(
        '$ref',
        '$id',
        '$anchor',
        'type',
        'items',
        'properties',
        'enum',
        'pattern',
        '$defs',
        'not',
        '$schema',
      ),
    ),
    fc.jsonValue({ maxDepth: 3 }),
  )
  fc.assert(
    fc.property(odd, fc.jsonValue(), (schema, one) => {
      try {
        compile(schema, LIMITS).check(one)
      } catch (error) {
        expect(error).toBeInstanceOf(TypeError)
        expect(String(error)).toMatch(/expected|leads nowhere|remote|supported|already|no end/)
      }
    }),
    { numRuns: 2000 },
  )
})
