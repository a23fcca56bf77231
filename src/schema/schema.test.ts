import { toStandardJsonSchema } from '@valibot/to-json-schema'
import { type } from 'arktype'
import * as v from 'valibot'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { printProblems } from '../kernel/ports/validator.ts'
import { createValidator } from './index.ts'

const validator = createValidator()

/** What is said to be wrong with a value, in the words a caller reads. */
function wrong(schema: unknown, value: unknown): string {
  const reading = validator.shape(schema, 'input').read(value)
  if (reading instanceof Promise) throw new Error('read later')
  return 'problems' in reading ? printProblems(reading.problems) : ''
}

const object = (properties: object, more: object = {}) => ({ type: 'object', properties, ...more })

describe('a problem', () => {
  it.each([
    ['a wrong type', object({ a: { type: 'string' } }), { a: 5 }, 'a: expected a string, got the number 5'],
    ['null', object({ a: { type: 'integer' } }), { a: null }, 'a: expected an integer, got null'],
    [
      'a fraction',
      object({ a: { type: 'integer' } }),
      { a: 1.5 },
      'a: expected an integer, got the number 1.5',
    ],
    ['an array', object({ a: { type: 'object' } }), { a: [] }, 'a: expected an object, got an array'],
    [
      'several types',
      object({ a: { type: ['string', 'null'] } }),
      { a: true },
      'a: expected a string or null, got the boolean true',
    ],
    ['the root', object({}), 5, 'expected an object, got the number 5'],
    [
      'several things missing',
      object({ a: { type: 'string' }, b: { type: 'integer' }, c: {} }, { required: ['a', 'b', 'c'] }),
      { b: 1 },
      'a: expected a string, got nothing (it is required); c: expected a value, got nothing (it is required)',
    ],
    [
      'an enum',
      object({ a: { enum: ['x', 'y', 1] } }),
      { a: 'z' },
      'a: expected one of "x","y",1, got the string "z"',
    ],
    ['a const', object({ a: { const: 'x' } }), { a: 'y' }, 'a: expected "x", got the string "y"'],
    [
      'an unknown name',
      object({ a: {}, b: {} }, { additionalProperties: false }),
      { c: 1 },
      'unexpected "c", expected only a, b',
    ],
    [
      'any name where none is known',
      { type: 'object', additionalProperties: false },
      { c: 1 },
      'unexpected "c", expected none',
    ],
    [
      'something inside',
      object({ user: object({ name: { type: 'string' } }) }),
      { user: { name: 5 } },
      'user.name: expected a string, got the number 5',
    ],
    [
      'something missing inside',
      object({ user: object({ name: { type: 'string' } }, { required: ['name'] }) }),
      { user: {} },
      'user.name: expected a string, got nothing (it is required)',
    ],
    [
      'something in a list',
      object({ list: { type: 'array', items: object({ n: { type: 'number' } }) } }),
      { list: [{ n: 1 }, { n: 'x' }] },
      'list[1].n: expected a number, got the string "x"',
    ],
    [
      'a key with odd characters',
      object({ 'a/b~c': { type: 'string' } }),
      { 'a/b~c': 1 },
      'a/b~c: expected a string, got the number 1',
    ],
    ['a minimum', object({ a: { minimum: 3 } }), { a: 1 }, 'a: expected to be >= 3, got the number 1'],
    [
      'a length',
      object({ a: { maxLength: 2 } }),
      { a: 'abc' },
      'a: expected to NOT have more than 2 characters, got the string "abc"',
    ],
    [
      'a pattern',
      object({ a: { pattern: '^x' } }),
      { a: 'abc' },
      'a: expected to match pattern "^x", got the string "abc"',
    ],
  ])('of %s says where, what was expected and what came', (_name, schema, value, message) => {
    expect(wrong(schema, value)).toBe(message)
  })

  it('does not repeat a long text whole', () => {
    const said = wrong(object({ a: { type: 'number' } }), { a: 'x'.repeat(10_000) })
    expect(said.length).toBeLessThan(200)
  })
})

describe('a JSON Schema', () => {
  it('is of 2020-12 unless it says otherwise', () => {
    const tuple = { prefixItems: [{ type: 'string' }], items: { type: 'number' } }
    expect(wrong(object({ a: tuple }), { a: ['x', 'y'] })).toContain('a[1]: expected a number')
  })

  it('may be of draft-07, with and without the hash', () => {
    const tuple = { items: [{ type: 'string' }], additionalItems: { type: 'number' } }
    for (const $schema of [
      'http://json-schema.org/draft-07/schema#',
      'http://json-schema.org/draft-07/schema',
    ]) {
      expect(wrong({ $schema, ...object({ a: tuple }) }, { a: ['x', 'y'] })).toContain(
        'a[1]: expected a number',
      )
      expect(wrong({ $schema, ...object({ a: tuple }) }, { a: ['x', 1] })).toBe('')
    }
  })

  it('may refer to its own parts', () => {
    const schema = { ...object({ a: { $ref: '#/$defs/name' } }), $defs: { name: { type: 'string' } } }
    expect(wrong(schema, { a: 5 })).toBe('a: expected a string, got the number 5')
  })

  it.each([
    [
      'an unknown dialect',
      { $schema: 'http://json-schema.org/draft-04/schema#' },
      'is not supported: use JSON Schema 2020-12 or draft-07',
    ],
    ['a dialect of a wrong type', { $schema: 5 }, '/$schema: expected a URI, got the number 5'],
    ['a dialect of the prototype', { $schema: 'constructor' }, 'is not supported'],
    [
      'a remote reference',
      { properties: { a: { $ref: 'https://example.org/s.json' } } },
      'is remote, and remote references are not fetched',
    ],
    ['a remote reference in a list', { anyOf: [{ $ref: 'file:///etc/passwd' }] }, 'is remote'],
    ['a remote dynamic reference', { $dynamicRef: 'https://example.org/s.json' }, 'is remote'],
  ])('with %s is refused at once', (_name, schema, message) => {
    expect(() => validator.shape(schema, 'input')).toThrow(message)
  })

  it('knows own names only', () => {
    const needy = object(
      { constructor: { type: 'string' }, toString: { type: 'string' } },
      { required: ['constructor'] },
    )
    expect(wrong(needy, {})).toBe('constructor: expected a string, got nothing (it is required)')
    expect(wrong(needy, { constructor: 'x' })).toBe('')
    const closed = object({ a: {} }, { additionalProperties: false })
    for (const name of ['__proto__', 'constructor', 'toString', 'hasOwnProperty']) {
      expect(wrong(closed, JSON.parse(`{"${name}":1}`))).toBe(`unexpected "${name}", expected only a`)
    }
    expect(({} as { polluted?: true }).polluted).toBe(undefined)
  })

  it('does not check formats, which are notes in 2020-12', () => {
    expect(wrong(object({ a: { type: 'string', format: 'email' } }), { a: 'nobody' })).toBe('')
  })

  it('may use keywords of others', () => {
    expect(wrong(object({ a: { type: 'string', 'x-note': 1, example: 'e' } }), { a: 'x' })).toBe('')
  })

  it('is refused when it is none', () => {
    for (const schema of [5, 'x', null, undefined, []]) {
      expect(() => validator.shape(schema, 'input')).toThrow('expected a JSON Schema or a Standard Schema')
    }
  })
})

describe('a schema of a library', () => {
  const schemas = {
    zod: z.object({ user: z.object({ tags: z.array(z.string()) }) }),
    valibot: toStandardJsonSchema(v.object({ user: v.object({ tags: v.array(v.string()) }) })),
    arktype: type({ user: { tags: 'string[]' } }),
  }

  it.each(Object.entries(schemas))('of %s lists itself and names the place of a problem', (_name, schema) => {
    expect(validator.shape(schema, 'input').schema).toMatchObject({ type: 'object', required: ['user'] })
    expect(wrong(schema, { user: { tags: ['a', 5] } })).toMatch(/^user\.tags\[1\]: /)
    expect(wrong(schema, { user: { tags: ['a'] } })).toBe('')
  })

  it('gives the values it makes, not those that came', () => {
    const shape = validator.shape(z.object({ a: z.string().default('x') }), 'input')
    expect(shape.read({})).toEqual({ value: { a: 'x' } })
  })

  it('may read later', async () => {
    const schema = z.object({ a: z.string().refine(async (text) => text !== 'no', 'not no') })
    const reading = await validator.shape(withAsync(schema), 'input').read({ a: 'no' })
    expect(reading).toEqual({ problems: [{ path: 'a', message: 'not no' }] })
  })

  it('that cannot be written as JSON Schema is refused, with a hint', () => {
    expect(() => validator.shape(v.object({}), 'input')).toThrow('wrap it in toStandardJsonSchema()')
    const odd = { '~standard': { version: 1, vendor: 'odd', validate: () => ({ value: 1 }) } }
    expect(() => validator.shape(odd, 'input')).toThrow('this odd schema cannot be written as JSON Schema')
  })
})

/** zod reads synchronously where it can; this one always answers later. */
function withAsync(schema: z.ZodType) {
  const standard = schema['~standard'] as unknown as { jsonSchema: object }
  const validate = async (value: unknown) => schema['~standard'].validate(value)
  return { '~standard': { version: 1, vendor: 'zod', validate, jsonSchema: standard.jsonSchema } }
}

it('sees what has changed in a large value since it was last checked', () => {
  const value: { [name: string]: number } = {}
  for (let index = 0; index < 2000; index++) value[`n${index}`] = index
  const schema = { type: 'object', maxProperties: 2000 }
  expect(wrong(schema, value)).toBe('')
  value['more'] = 1
  expect(wrong(schema, value)).toContain('more than 2000 properties')
})
