import { describe, expect, it } from 'vitest'
import { createValidator } from '../../src/schema/index.ts'
import { compile } from '../../src/schema/json/index.ts'

const OPTIONS = { known: new Map(), formats: 'asserted', maxParts: 3000, maxSteps: 1_000_000 } as const

const TOO_LARGE = 'expected a schema of at most 3000 parts, and here are more (--max-schema-parts)'

const many = <Part>(count: number, part: (index: number) => Part) =>
  Array.from({ length: count }, (_, index) => part(index))

const byName = <Part>(count: number, part: (index: number) => Part) =>
  Object.fromEntries(many(count, (index) => [`p${index}`, part(index)]))

/** An object or array that counts how often it is asked for its keys, and for a member. */
function counting<Counted extends object>(target: Counted) {
  const asked = { keys: 0, members: 0 }
  const proxy = new Proxy(target, {
    ownKeys(of) {
      asked.keys += 1
      return Reflect.ownKeys(of)
    },
    get(of, name) {
      asked.members += 1
      return Reflect.get(of, name)
    },
  })
  return { proxy, asked }
}

const define = (schema: object) => createValidator().shape(schema, 'input')

describe('a schema that is too large is refused before all of it has been looked at', () => {
  it('10,000 properties are listed once, and none is looked at', () => {
    const { proxy, asked } = counting(byName(10_000, () => ({ type: 'string' })))
    expect(() => define({ type: 'object', properties: proxy })).toThrow(`at /properties: ${TOO_LARGE}`)
    expect(asked.keys).toBe(1)
    expect(asked.members).toBeLessThan(300)
  })

  it('10,000 keywords that nobody knows are listed once', () => {
    const { proxy, asked } = counting(byName(10_000, () => 1))
    expect(() => define(proxy)).toThrow(TOO_LARGE)
    expect(asked.keys).toBe(1)
    expect(asked.members).toBeLessThan(300)
  })

  it.each(['enum', 'default', 'examples', 'required', 'allOf', 'x-own'])('a million of %s', (keyword) => {
    const { proxy, asked } = counting(new Array(1_000_000).fill('a'))
    expect(() => define({ [keyword]: proxy })).toThrow(`at /${keyword}: ${TOO_LARGE}`)
    expect(asked.members).toBeLessThan(1000)
  })

  it.each(['default', 'examples', 'const', 'x-own'])('a %s that has one object in 2^40 places', (keyword) => {
    let shared: unknown = 0
    for (let level = 0; level < 40; level++) shared = [shared, { a: shared }]
    expect(() => define({ [keyword]: shared })).toThrow(`at /${keyword}: ${TOO_LARGE}`)
  })

  it('more addresses than a schema may have, or longer ones', () => {
    const $defs = byName(1400, (index) => ({ $id: `d${index}`, $dynamicAnchor: `a${index % 700}` }))
    expect(() => define({ $defs })).toThrow(`at /$defs/p599: ${TOO_LARGE}`)
    let nested: object = {}
    for (let level = 0; level < 100; level++) nested = { $id: `${'a'.repeat(10_000)}/`, not: nested }
    expect(() => define({ $id: 'https://example.com/', not: nested })).toThrow(TOO_LARGE)
    expect(() => define({ $ref: `#/${'a/'.repeat(100_000)}` })).toThrow(`at /$ref: ${TOO_LARGE}`)
  })
})

it('a hole in a list of schemas is no schema', () => {
  expect(() => define({ allOf: new Array(2) })).toThrow('at /allOf/0: expected a schema, got nothing')
})

it.each([
  ['uri', `a://a${':1'.repeat(2000)}^`],
  ['duration', `P${'1'.repeat(4000)}`],
  ['uri-template', `{${'a'.repeat(4000)}`],
])('a long text is gone through several times for the format %s, which counts', (format, text) => {
  const { check } = compile({ items: { not: { format } } }, OPTIONS)
  expect(check(new Array(100).fill(text))).toBe(undefined)
  expect(check(new Array(600).fill(text))?.[0]?.message).toMatch(/takes less work to check/)
})

it('a text of megabytes is not printed to be told that another is none of it', () => {
  const long = 'é'.repeat(100_000)
  expect(define({ const: long }).read('a')).toEqual({
    problems: [{ path: '', message: expect.stringMatching(/^expected "é{199}…, got the string "a"$/) }],
  })
})

it('notes may have more values than a schema has parts', () => {
  const examples = many(100, () => byName(100, () => 'a'))
  expect(define({ type: 'object', examples }).read({})).toEqual({ value: {} })
})

it('a listing of keys is forgotten: a schema may change between two definitions', () => {
  const properties: { [name: string]: object } = byName(2000, () => ({}))
  expect(() => define({ properties })).not.toThrow()
  properties['late'] = { type: 'strin' }
  expect(() => define({ properties })).toThrow('at /properties/late/type')
})

it('a dynamic reference asks those resources only that have its anchor', () => {
  const part = (index: number) => ({ $id: `d${index}`, $dynamicAnchor: `a${index}`, type: 'string' })
  const schema = {
    $id: 'https://example.com/',
    $defs: byName(300, part),
    prefixItems: many(300, (index) => ({ $dynamicRef: `d${index}#a${index}` })),
  }
  const { check } = compile(schema, OPTIONS)
  expect(check(many(300, String))).toBe(undefined)
  expect(check([...many(299, String), 5])).toEqual([
    { path: '[299]', message: 'expected a string, got the number 5' },
  ])
})

it('what is said of a schema has an end, however long its names are', () => {
  const long = 'k'.repeat(100_000)
  const said = (schema: object) => {
    try {
      define(schema)
    } catch (error) {
      return String(error)
    }
    return ''
  }
  for (const schema of [
    { properties: { [long]: 5 } },
    { $ref: `https://example.com/${long}` },
    { $ref: `#${long}` },
    { $schema: `https://example.com/${long}` },
    { $id: `urn:${long}`, not: { $id: `urn:${long}` } },
  ]) {
    expect(said(schema)).toMatch(/^TypeError: /)
    expect(said(schema).length).toBeLessThan(1000)
  }
})
