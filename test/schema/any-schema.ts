import fc from 'fast-check'

export const name = fc.constantFrom('a', 'b', 'c', 'aa', 'constructor', 'x-1')
const number = fc.oneof(fc.integer({ min: -3, max: 8 }), fc.constantFrom(0.5, 1.5, -0.5, 1e3))
const text = fc.string({ unit: fc.constantFrom('a', 'b', '1', '-', '😀'), maxLength: 5 })

/** Any value, small. */
export const value: fc.Arbitrary<unknown> = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    fc.oneof(number, text, fc.boolean(), fc.constant(null)),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(name, tie('value'), { maxKeys: 4, noNullPrototype: true }),
  ),
})).value

const count = fc.integer({ min: 0, max: 4 })
const type = fc.constantFrom('array', 'boolean', 'integer', 'null', 'number', 'object', 'string')
const pattern = fc.constantFrom('^a', 'b$', '^[a-c]+$', '\\d', '^.{2}$', '(a|b)*1')

export type Draft = 'draft-07' | '2020-12'

/** Schemas of a draft with every keyword that ajv is a judge of: of `unevaluated…` and `$dynamicRef` it is none. */
export function schemasOf(draft: Draft): fc.Arbitrary<object> {
  const { root } = fc.letrec<{ part: unknown; object: object; root: object }>((tie) => {
    const part = tie('part')
    const list = fc.array(part, { minLength: 1, maxLength: 3 })
    const map = (key: fc.Arbitrary<string>) => fc.dictionary(key, part, { maxKeys: 3, noNullPrototype: true })
    const names = fc.uniqueArray(name, { maxLength: 3 })
    const needs = fc.dictionary(name, names, { maxKeys: 2, noNullPrototype: true })
    const both = {
      type: fc.oneof(type, fc.uniqueArray(type, { minLength: 1, maxLength: 3 })),
      enum: fc.uniqueArray(value, { minLength: 1, maxLength: 4, selector: (one) => JSON.stringify(one) }),
      const: value,
      minimum: number,
      maximum: number,
      exclusiveMinimum: number,
      exclusiveMaximum: number,
      multipleOf: fc.constantFrom(1, 2, 3, 0.5),
      minLength: count,
      maxLength: count,
      pattern,
      minItems: count,
      maxItems: count,
      uniqueItems: fc.boolean(),
      contains: part,
      properties: map(name),
      patternProperties: map(pattern),
      additionalProperties: part,
      required: names,
      minProperties: count,
      maxProperties: count,
      propertyNames: part,
      allOf: list,
      anyOf: list,
      oneOf: list,
      not: part,
      if: part,
      // biome-ignore lint/suspicious/noThenProperty: JSON Schema has a keyword of this name.
      then: part,
      else: part,
      $ref: fc.constantFrom('#/definitions/a', '#/definitions/b', '#'),
    }
    const own = {
      'draft-07': {
        items: fc.oneof(part, list),
        additionalItems: part,
        dependencies: fc.oneof(needs, map(name)),
      },
      '2020-12': {
        items: part,
        prefixItems: list,
        minContains: count,
        maxContains: count,
        dependentRequired: needs,
        dependentSchemas: map(name),
      },
    }
    const keywords: { readonly [keyword: string]: fc.Arbitrary<unknown> } = { ...both, ...own[draft] }
    const object = fc
      .uniqueArray(fc.constantFrom(...Object.keys(keywords)), { minLength: 1, maxLength: 4 })
      // In draft-07 what stands beside a $ref counts for nothing, and ajv looks at `type` all the same.
      .map((chosen) => (draft === 'draft-07' && chosen.includes('$ref') ? ['$ref'] : chosen))
      .chain((chosen) =>
        fc.record(Object.fromEntries(chosen.map((key) => [key, keywords[key] ?? fc.constant(true)])), {
          noNullPrototype: true,
        }),
      )
      // Where one schema is for several values, ajv forgets that an empty array contains nothing.
      .map((schema) =>
        'contains' in schema ? { ...schema, minItems: Number(schema['minItems'] ?? 0) || 1 } : schema,
      )
    return {
      object,
      part: fc.oneof({ maxDepth: 3 }, fc.boolean(), tie('object'), tie('object'), tie('object')),
      root: fc.tuple(object, part, part).map(([schema, a, b]) => ({ ...schema, definitions: { a, b } })),
    }
  })
  return root
}
