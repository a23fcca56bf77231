import { describe, expect, it } from 'vitest'
import { toField } from './field.ts'

describe('a field for a schema', () => {
  it.each([
    [{ type: 'string' }, { kind: 'text', format: 'plain' }],
    [
      { type: 'string', format: 'date', maxLength: 10 },
      { kind: 'text', format: 'date', maxLength: 10 },
    ],
    [
      { type: 'string', format: 'date-time' },
      { kind: 'text', format: 'date-time' },
    ],
    [
      { type: 'integer', minimum: 1 },
      { kind: 'number', integer: true, minimum: 1 },
    ],
    [
      { type: 'boolean', default: true },
      { kind: 'boolean', default: true },
    ],
    [{ const: 'a' }, { kind: 'fixed', value: 'a' }],
    [{ type: 'null' }, { kind: 'fixed', value: null }],
    [{ type: 'object', additionalProperties: { type: 'number' } }, { kind: 'json' }],
    [true, { kind: 'json' }],
    [{}, { kind: 'json' }],
  ])('%j', (schema, field) => {
    expect(toField(schema)).toEqual(field)
  })

  it('has the members of an object, and says which are required', () => {
    const schema = {
      type: 'object',
      properties: { a: { type: 'string' }, b: { type: 'object', properties: { c: { type: 'number' } } } },
      required: ['a'],
    }
    expect(toField(schema)).toMatchObject({
      kind: 'object',
      members: [
        { name: 'a', required: true, field: { kind: 'text' } },
        { name: 'b', required: false, field: { kind: 'object', members: [{ name: 'c' }] } },
      ],
    })
  })

  it('offers choices of enum, of names for it, and of titled constants', () => {
    expect(toField({ enum: ['a', 1] })).toMatchObject({
      kind: 'choice',
      choices: [{ label: 'a' }, { label: '1' }],
    })
    expect(toField({ enum: ['a'], enumNames: ['An a'] })).toMatchObject({
      choices: [{ value: 'a', label: 'An a' }],
    })
    const titled = {
      oneOf: [
        { const: 'x', title: 'The x' },
        { const: 'y', title: 'The y' },
      ],
    }
    expect(toField(titled)).toMatchObject({
      kind: 'choice',
      choices: [{ value: 'x', label: 'The x' }, { value: 'y' }],
    })
    expect(toField({ type: 'array', items: titled })).toMatchObject({ kind: 'choices' })
  })

  it('is a union of variants, named by their title, a constant in them, or their type', () => {
    const circle = { title: 'Circle', type: 'object', properties: { r: { type: 'number' } } }
    const square = { type: 'object', properties: { kind: { const: 'square' } } }
    const field = toField({ anyOf: [circle, square, { type: 'null' }] })
    expect(field).toMatchObject({
      kind: 'union',
      variants: [{ label: 'Circle' }, { label: 'square' }, { label: 'null' }],
    })
    expect(toField({ type: ['string', 'null'] })).toMatchObject({
      kind: 'union',
      variants: [{ label: 'string' }, { label: 'null' }],
    })
  })

  it('follows references within the schema, and ends where they go in circles', () => {
    const schema = {
      type: 'object',
      properties: { next: { $ref: '#/$defs/node' }, far: { $ref: 'https://example.com/far' } },
      $defs: {
        node: { type: 'object', properties: { next: { $ref: '#/$defs/node' } } },
        loop: { $ref: '#/$defs/loop' },
      },
    }
    let field = toField(schema)
    let depth = 0
    while (field.kind === 'object' && field.members[0] !== undefined) {
      field = field.members[0].field
      depth++
    }
    expect(field.kind).toBe('json')
    expect(depth).toBeLessThan(10)
    expect(toField({ ...schema, $ref: '#/$defs/loop' })).toEqual({ kind: 'json' })
  })

  it('comes to an end, however much a schema holds itself, and where a reference cannot be read', () => {
    expect(toField({ type: 'object', allOf: [{ $ref: '#' }, { $ref: '#' }] }).kind).toBe('json')
    expect(toField({ $ref: '#/%' })).toEqual({ kind: 'json' })
    let deep: object = { type: 'string' }
    for (let at = 0; at < 20_000; at++) deep = { allOf: [deep] }
    expect(toField(deep)).toEqual({ kind: 'json' })
    const names = Array.from({ length: 12 }, (_, at) => `p${at}`)
    const node = {
      type: 'object',
      properties: Object.fromEntries(names.map((name) => [name, { $ref: '#' }])),
    }
    expect(JSON.stringify(toField(node)).match(/"kind":"object"/g)?.length).toBeLessThan(5001)
  })

  it('takes all parts of allOf together', () => {
    const schema = {
      allOf: [
        { type: 'object', properties: { a: { type: 'string' } }, required: ['a'] },
        { properties: { b: { type: 'number' } }, required: ['b'] },
      ],
    }
    expect(toField(schema)).toMatchObject({
      members: [
        { name: 'a', required: true },
        { name: 'b', required: true },
      ],
    })
  })
})
