import { expect, it, vi } from 'vitest'
import { headerArguments } from './header-arguments.ts'

const schema = (properties: object) => ({ type: 'object', properties })
const annotated = (name: unknown, type: unknown = 'string') => ({ type, 'x-mcp-header': name })

it('finds the annotated arguments, inside others too', () => {
  const found = headerArguments(
    't',
    schema({
      region: annotated('Region'),
      plain: { type: 'string' },
      odd: true,
      deep: schema({ id: annotated('Id', 'integer') }),
    }),
  )
  expect(found).toEqual([
    { name: 'Region', path: ['region'] },
    { name: 'Id', path: ['deep', 'id'] },
  ])
  expect(headerArguments('t', { type: 'object' })).toEqual([])
  expect(headerArguments('t', schema({ odd: true }))).toEqual([])
})

it.each([
  ['a name twice', schema({ a: annotated('X'), b: annotated('x') }), 'is used more than once'],
  ['what is no header name', schema({ a: annotated('a b') }), '"a b" is no header name'],
  ['a type that no header can carry', schema({ a: annotated('X', 'number') }), 'its type must be one of'],
  [
    'a place that is not a property',
    schema({ list: { type: 'array', items: annotated('X') } }),
    'reached by properties alone',
  ],
])('refuses %s', (_name, wrong, message) => {
  expect(() => headerArguments('t', wrong)).toThrow(message)
})

it('looks at each of many names as often as at one of few', () => {
  const many = Object.fromEntries(Array.from({ length: 500 }, (_, at) => [`p${at}`, annotated(`H${at}`)]))
  const lower = vi.spyOn(String.prototype, 'toLowerCase')
  const found = headerArguments('t', schema(many))
  const times = lower.mock.calls.length
  lower.mockRestore()
  expect(found).toHaveLength(500)
  expect(times).toBeLessThanOrEqual(2 * 500)
})
