import { expect, it } from 'vitest'
import { createValidator } from './index.ts'

const validator = createValidator()

/** As libraries were before they could say what they are in JSON Schema. */
const standard = (vendor: string) => ({
  '~standard': { version: 1, vendor, validate: (value: unknown) => ({ value }) },
})

it.each([
  [
    'zod 4.0',
    standard('zod'),
    'zod can from 4.2 on (npm install zod@4); with an older one give z.toJSONSchema',
  ],
  ['zod 3', { _def: {}, safeParse: () => ({}) }, 'zodToJsonSchema(schema) of zod-to-json-schema (3)'],
  ['arktype', standard('arktype'), 'arktype can from 2.1.28 on (npm install arktype@2)'],
  ['another', standard('odd'), 'it lacks Standard JSON Schema; give its JSON Schema instead'],
])('a schema of %s is refused with the remedy', (_what, schema, remedy) => {
  expect(() => validator.shape(schema, 'input')).toThrow('schema cannot be written as JSON Schema')
  expect(() => validator.shape(schema, 'input')).toThrow(remedy)
})

it.each([
  ['zod 4', { a: standard('zod') }],
  ['zod 3', { a: { safeParse: () => ({}) } }],
])('an object of schemas of %s is none itself', (_what, shape) => {
  expect(() => validator.shape(shape, 'input')).toThrow(
    'got an object of schemas: wrap it in one, with zod z.object({ a: … })',
  )
})
