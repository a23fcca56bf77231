import { expect, it } from 'vitest'
import { parseUriTemplate } from './uri-template.ts'

const match = (template: string, uri: string) => {
  const values = parseUriTemplate(template).match(uri)
  return values === undefined ? undefined : { ...values }
}

it.each([
  ['task://{id}', 'task://7', { id: '7' }],
  ['task://{id}', 'task://', { id: '' }],
  ['task://{id}', 'task://a%20b%2Fc', { id: 'a b/c' }],
  ['task://{id}', 'task://世界', { id: '世界' }],
  ['task://{id}', 'task://7/more', undefined],
  ['task://{id}', 'memo://7', undefined],
  ['task://{id}/x', 'task://7/x', { id: '7' }],
  ['file:///{+path}', 'file:///a/b.txt', { path: 'a/b.txt' }],
  ['file:///{+path}', 'file:///a,b', { path: 'a,b' }],
  ['x://a{#part}', 'x://a#b/c', { part: 'b/c' }],
  ['x://a{#part}', 'x://a', {}],
  ['x://a{.kind}', 'x://a.txt', { kind: 'txt' }],
  ['x://a{/one,two}', 'x://a/1/2', { one: '1', two: '2' }],
  ['x://a{/path*}', 'x://a/1/2/3', { path: '1/2/3' }],
  ['x://a{;p,q}', 'x://a;p=1;q=2', { p: '1', q: '2' }],
  ['x://a{;p,q}', 'x://a;q=2', { q: '2' }],
  ['x://a{?q,page}', 'x://a?q=1&page=2', { q: '1', page: '2' }],
  ['x://a{?q,page}', 'x://a?page=2', { page: '2' }],
  ['x://a{?q,page}', 'x://a', {}],
  ['x://a{?q,page}', 'x://a&page=2', undefined],
  ['x://a?f=1{&q}', 'x://a?f=1&q=2', { q: '2' }],
  ['x://{name:3}', 'x://abc', { name: 'abc' }],
  ['x://{name:3}', 'x://abcd', undefined],
  ['x://{a,b}', 'x://1,2', { a: '1', b: '2' }],
  ['x://{+a,b}', 'x://1/2,3', { a: '1/2', b: '3' }],
  ['x://{first}.{second}', 'x://a.b.c', { first: 'a.b', second: 'c' }],
  ['x://a.b/{id}', 'x://aXb/1', undefined],
  ['x://{id}', 'x://%', undefined],
  ['x://{id}', 'x://%ff', undefined],
  ['x://plain', 'x://plain', {}],
] as const)('%s read from %s', (template, uri, values) => {
  expect(match(template, uri)).toEqual(values)
})

it('names its variables, each once', () => {
  expect(parseUriTemplate('x://{a}/{b:3}{/c*}{?d,e}').variables).toEqual(['a', 'b', 'c', 'd', 'e'])
})

it('gives values that have no prototype', () => {
  const values = parseUriTemplate('x://{__proto__}/{constructor}').match('x://a/b') ?? {}
  expect(Object.entries(values)).toEqual([
    ['__proto__', 'a'],
    ['constructor', 'b'],
  ])
  expect('toString' in values).toBe(false)
})

it('does not look at a URI that is very long', () => {
  expect(match('x://{id}', `x://${'a'.repeat(8188)}`)).toBeDefined()
  expect(match('x://{id}', `x://${'a'.repeat(8189)}`)).toBe(undefined)
})

it('shares a URI out among values that could end in many places', () => {
  expect(match('x://{year}-{month}-{day}', 'x://2026-07-28')).toEqual({
    year: '2026',
    month: '07',
    day: '28',
  })
  expect(match('x://{a}-{b}-{c}', `x://${'-'.repeat(8000)}`)).toEqual({ a: '-'.repeat(7998), b: '', c: '' })
  expect(match('x://{+path*}/end', `x://${','.repeat(8000)}/end`)).toEqual({ path: ','.repeat(8000) })
})

it('takes long URIs where each value ends in one place', () => {
  const long = 'a'.repeat(2000)
  expect(match('x://{a}/{b}/{c}{?d}{#e}', `x://${long}/${long}/${long}?d=1#2`)).toMatchObject({
    c: long,
    e: '2',
  })
})

it.each(['x://{', 'x://}', 'x://{}', 'x://{a', 'x://a}', 'x://{a b}', 'x://{!a}', 'x://{{a}}'])(
  'says that %s is no template',
  (template) => {
    expect(() => parseUriTemplate(template)).toThrow('Not a URI template')
  },
)

it.each(['x://{*}', 'x://{a,}', 'x://{:3}'])('says that %s has a variable without a name', (template) => {
  expect(() => parseUriTemplate(template)).toThrow('without a name')
})
