import { describe, expect, it } from 'vitest'
import { defineServer } from '../../src/authoring/define-server.ts'
import { createTestClient } from '../../src/testing/index.ts'

function define(input: object, more: object = {}) {
  return defineServer({
    name: 's',
    version: '1',
    tools: [{ name: 'greet', input, run: () => 'hello' }],
    ...more,
  })
}

const inside = (schema: unknown) => ({ type: 'object', properties: { a: schema } })

const CIRCLE: { self?: unknown } = {}
CIRCLE.self = CIRCLE

it('is shown how much of the budgets schemas and their checks have taken', async () => {
  const server = define(inside({ type: 'string' }))
  const client = await createTestClient(server)
  await client.callTool('greet', { a: 'x' })
  expect(server.usage.read('maxSchemaParts')).toBeGreaterThan(1)
  expect(server.usage.read('maxCheckSteps')).toBeGreaterThan(0)
  client.close()
})

describe('a schema that cannot be used is told of at definition, with the tool and the place', () => {
  it.each([
    [
      'a type that there is not',
      { type: 'strin' },
      'Tool greet: its input schema is not usable: at /properties/a/type: ' +
        'expected one of array, boolean, integer, null, number, object, string, got the string "strin"',
    ],
    ['a part that is no schema', 5, 'at /properties/a: expected a schema, got the number 5'],
    [
      'names that are none',
      { required: 'b' },
      'at /properties/a/required: expected an array of names, got the string "b"',
    ],
    [
      'a flag where names belong',
      { required: true },
      'at /properties/a/required: expected an array of names',
    ],
    [
      'a text where a number belongs',
      { minimum: '3' },
      'at /properties/a/minimum: expected a number, got the string "3"',
    ],
    ['a length below nothing', { maxLength: -1 }, 'at /properties/a/maxLength: expected a whole number'],
    [
      'no step',
      { multipleOf: 0 },
      'at /properties/a/multipleOf: expected a number above 0, got the number 0',
    ],
    [
      'an expression that is none',
      { pattern: '(' },
      'at /properties/a/pattern: expected a regular expression, got the string "("',
    ],
    [
      'one in a name',
      { patternProperties: { '[': {} } },
      'at /properties/a/patternProperties: expected regular expressions',
    ],
    ['a list where one schema belongs', { items: [{}] }, 'a list of schemas is prefixItems since 2020-12'],
    [
      'no list of schemas',
      { anyOf: {} },
      'at /properties/a/anyOf: expected a list of schemas, got an object',
    ],
    ['an empty list', { allOf: [] }, 'at /properties/a/allOf: expected a list of schemas'],
    [
      'properties in a list',
      { properties: [] },
      'at /properties/a/properties: expected an object of schemas, got an array',
    ],
    [
      'a mistake in a part that nothing refers to',
      { $defs: { 'b/c': { type: 'x' } } },
      'at /properties/a/$defs/b~1c/type',
    ],
    [
      'a reference to nothing',
      { $ref: '#/$defs/none' },
      'at /properties/a/$ref: $ref #/$defs/none leads nowhere',
    ],
    ['a reference to no anchor', { $ref: '#none' }, '$ref #none leads nowhere'],
    ['a remote reference', { $ref: 'https://example.org/s' }, 'or hand it in with `schemas` in defineServer'],
    ['a reference to data', { $ref: '#/properties/b', properties: {} }, 'leads nowhere'],
    ['an $id that is none', { $id: 5 }, 'at /properties/a/$id: expected a URI, got the number 5'],
    ['one that is no URI', { $id: 'http://[' }, 'at /properties/a/$id: expected a URI'],
    ['the same $id twice', { $id: 'urn:a', not: { $id: 'urn:a' } }, 'is the $id of another schema already'],
    ['a reference to itself', { $ref: '#/properties/a' }, 'it has no end'],
    [
      'another dialect inside',
      { $id: 'urn:a', $schema: 'http://json-schema.org/draft-04/schema#' },
      'use JSON Schema 2020-12 or draft-07 ' +
        '(https://json-schema.org/draft/2020-12/schema, http://json-schema.org/draft-07/schema)',
    ],
    ['a number that JSON has no word for', { const: 1n }, 'at /properties/a/const: expected what can be'],
    ['one deep in an example', { examples: [{ b: [0, 1n] }] }, 'at /properties/a/examples/0/b/1: expected'],
    ['nothing among values', { enum: ['b', undefined] }, 'at /properties/a/enum/1: expected what can be'],
    ['a function', { not: {}, const: () => 1 }, 'at /properties/a/const: expected what can be written'],
    ['a default that contains itself', { default: CIRCLE }, 'at /properties/a/default/self/self'],
    ['another way to be written', { toJSON: () => ({}) }, 'at /properties/a/toJSON: expected what can be'],
  ])('%s', (_name, schema, message) => {
    expect(() => define(inside(schema))).toThrow(message)
  })

  it('a circle of references that never goes into the value', () => {
    const $defs = { b: { allOf: [{ $ref: '#/$defs/c' }] }, c: { if: {}, else: { $ref: '#/$defs/b' } } }
    expect(() => define({ ...inside({ $ref: '#/$defs/b' }), $defs })).toThrow('it has no end')
  })

  it('a mistake in a schema handed in, which is named', () => {
    const schemas = { 'https://example.org/s': { items: { type: 'strin' } } }
    expect(() => define(inside({ $ref: 'https://example.org/s' }), { schemas })).toThrow(
      'Tool greet: its input schema is not usable: at https://example.org/s#/items/type: expected one of',
    )
  })

  it('an address that is none for a schema handed in', () => {
    expect(() => define({ type: 'object' }, { schemas: { 'name.json': {} } })).toThrow(
      'schemas: expected an absolute URI as the name of each, got the string "name.json"',
    )
  })
})

describe('a schema may', () => {
  it.each([
    [
      'refer to an embedded one',
      { $ref: 'https://example.org/name', $defs: { n: { $id: 'https://example.org/name', type: 'string' } } },
    ],
    [
      'refer to itself by its $id',
      { $id: 'https://example.org/own', $ref: '#/$defs/n', $defs: { n: { type: 'string' } } },
    ],
    [
      'refer to a URN',
      { $ref: 'urn:example:name', $defs: { n: { $id: 'urn:example:name', type: 'string' } } },
    ],
    ['refer to an anchor', { $ref: '#name', $defs: { n: { $anchor: 'name', type: 'string' } } }],
    ['have a reference in its data', { type: 'string', default: { $ref: 'https://example.org/none' } }],
    ['refer to what is handed in', { $ref: 'https://example.org/handed#/$defs/n' }],
  ])('%s', (_name, schema) => {
    const handed = { $defs: { n: { type: 'string' } } }
    const part = '$id' in schema || !('$defs' in schema) ? schema : { $id: 'urn:example:part', ...schema }
    const server = define(inside(part), { schemas: { 'https://example.org/handed': handed } })
    const read = (a: unknown) => server.tools.find('greet')?.input.read({ a })
    expect(read('x')).toEqual({ value: { a: 'x' } })
    expect(read(5)).toEqual({ problems: [{ path: 'a', message: 'expected a string, got the number 5' }] })
  })

  it('refer to the meta-schemas', () => {
    const server = define(inside({ $ref: 'https://json-schema.org/draft/2020-12/schema' }))
    const read = (a: unknown) => server.tools.find('greet')?.input.read({ a })
    expect(read({ type: 'string' })).toHaveProperty('value')
    expect(read({ type: 'strin' })).toHaveProperty('problems')
    expect(read({ properties: { b: { minLength: -1 } } })).toHaveProperty('problems')
  })

  it('have a circle of references that goes into the value', () => {
    const server = define(
      inside({ type: 'object', properties: { next: { $ref: '#/properties/a' } }, required: ['n'] }),
    )
    const read = (a: unknown) => server.tools.find('greet')?.input.read({ a })
    expect(read({ n: 1, next: { n: 2 } })).toHaveProperty('value')
    expect(read({ n: 1, next: { n: 2, next: {} } })).toEqual({
      problems: [{ path: 'a.next.next.n', message: 'expected a value, got nothing (it is required)' }],
    })
  })

  it('have formats that are asked for', () => {
    const input = inside({ type: 'string', format: 'date' })
    const read = (formats: 'noted' | 'asserted', a: string) =>
      define(input, { formats }).tools.find('greet')?.input.read({ a })
    expect(read('noted', 'today')).toHaveProperty('value')
    expect(read('asserted', '2024-02-29')).toHaveProperty('value')
    expect(read('asserted', '2023-02-29')).toEqual({
      problems: [{ path: 'a', message: 'expected to match format "date", got the string "2023-02-29"' }],
    })
  })
})

it('a draft that is no address is refused by name', () => {
  const input = { type: 'object', $schema: { toString: [] } }
  expect(() => define(input)).toThrow('/$schema: expected a URI, got an object')
})
