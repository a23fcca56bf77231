import { StdUriTemplate } from '@std-uritemplate/std-uritemplate'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { MAX_STEPS } from '../../src/kernel/catalogue/uri-match.ts'
import { parseUriTemplate } from '../../src/kernel/catalogue/uri-template.ts'

/**
 * Expansion loses what matching cannot give back, so these are left out:
 * - an undefined variable and, without a name before it, an empty one look alike;
 * - a value under `+` or `#` may hold any reserved character, the literals and separators around it included,
 *   and a percent sign in it may or may not have been an escape;
 * - under `.` a dot in a value looks like the separator;
 * - two variables with nothing but characters of a value between them;
 * - a prefix (`:3`) keeps the beginning only.
 */
const anyValue = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 12 })
const plain = fc.stringMatching(/^[A-Za-z0-9_~-]{1,12}$/)

type Values = Record<string, string>

const CASES: readonly (readonly [template: string, values: fc.Arbitrary<Values>])[] = [
  ['memo://{name}', record(anyValue, 'name')],
  ['memo://x/{first}/{second}', record(anyValue, 'first', 'second')],
  ['memo://x/{first},{second}!', record(anyValue, 'first', 'second')],
  ['memo://x/{first,second}', record(anyValue, 'first', 'second')],
  ['file:///{+path}', record(fc.stringMatching(/^[A-Za-z0-9_~/.-]{1,20}$/), 'path')],
  ['memo://x{#part}', record(fc.stringMatching(/^[A-Za-z0-9_~/?-]{1,20}$/), 'part')],
  ['memo://x{+a,b}', record(plain, 'a', 'b')],
  ['memo://x{#a,b}', record(plain, 'a', 'b')],
  [
    'memo://x{.kind}',
    record(
      anyValue.map((text) => text.replaceAll('.', '-')),
      'kind',
    ),
  ],
  [
    'memo://x{.kind,other}',
    record(
      anyValue.map((text) => text.replaceAll('.', '-')),
      'kind',
      'other',
    ),
  ],
  ['memo://x{/one,two}', record(anyValue, 'one', 'two')],
  ['memo://x{;one,two}', record(anyValue, 'one', 'two')],
  ['memo://x{?q,page}', record(anyValue, 'q', 'page')],
  ['memo://x?fixed=1{&q}', record(anyValue, 'q')],
  ['memo://{host}{/path}{?q}{#at}', fc.record({ host: plain, path: anyValue, q: anyValue, at: plain })],
]

it.each(CASES)('gives back the values that %s was expanded with', (template, values) => {
  const { match } = parseUriTemplate(template)
  fc.assert(
    fc.property(values, (given) => {
      expect({ ...match(StdUriTemplate.expand(template, given)) }).toEqual(given)
    }),
    { numRuns: 200 },
  )
})

it.each(['memo://x{?q,page}', 'memo://x{;q,page}', 'memo://x{/q,page}', 'memo://x{.q,page}'])(
  'gives back the variables that were there when those after them are missing: %s',
  (template) => {
    fc.assert(
      fc.property(plain, (q) => {
        expect({ ...parseUriTemplate(template).match(StdUriTemplate.expand(template, { q })) }).toEqual({ q })
      }),
      { numRuns: 100 },
    )
  },
)

it('gives back the last variable of a query when the one before it is missing', () => {
  fc.assert(
    fc.property(plain, (page) => {
      const uri = StdUriTemplate.expand('memo://x{?q,page}', { page })
      expect({ ...parseUriTemplate('memo://x{?q,page}').match(uri) }).toEqual({ page })
    }),
    { numRuns: 100 },
  )
})

const anySpec = fc
  .tuple(fc.constantFrom('a', 'b', 'name'), fc.constantFrom('', '', '*', ':1', ':3', ':4000'))
  .map((parts) => parts.join(''))
const anyExpression = fc
  .tuple(
    fc.constantFrom('', '+', '#', '.', '/', ';', '?', '&'),
    fc.array(anySpec, { minLength: 1, maxLength: 4 }),
  )
  .map(([sign, specs]) => `{${sign}${specs.join(',')}}`)
const anyTemplate = fc
  .array(fc.oneof(anyExpression, fc.constantFrom('x://', '/', '.', ',', '-', '=', '&', 'a', '/end')), {
    maxLength: 8,
  })
  .map((parts) => parts.join(''))
/** Short pieces, many times over: what makes a search that tries every way take for ever. */
const anyRepetitive = fc
  .array(
    fc.tuple(
      fc.string({ unit: fc.constantFrom(...'ax:/?#.,;=&-%'.split('')), minLength: 1, maxLength: 4 }),
      fc.integer({ min: 1, max: 2000 }),
    ),
    { maxLength: 4 },
  )
  .map((pieces) => pieces.map(([piece, times]) => piece.repeat(times)).join(''))

it('takes steps in proportion to the URI, whatever the template', () => {
  fc.assert(
    fc.property(anyTemplate, fc.oneof(anyRepetitive, fc.string()), (template, uri) => {
      const { steps } = parseUriTemplate(template).search(uri)
      expect(steps).toBeLessThanOrEqual(MAX_STEPS + uri.length)
      if (!template.includes(':4000')) {
        expect(steps).toBeLessThanOrEqual(30 * (template.length + 1) * (uri.length + 1))
      }
    }),
    { numRuns: 2000 },
  )
})

it.each([
  'x://{+path*}/end',
  'x://{#path*}/end',
  'x://{a}{b}{c}{d}/',
  'x://{+a}-{+b}-{+c}?',
  'x://{a*}{b*}!',
])('takes no more than a few steps a character for %s', (template) => {
  for (const filler of [',', '-', 'a', '.', '/', 'a,']) {
    const uri = `x://${filler.repeat(4000)}\n`
    expect(parseUriTemplate(template).search(uri).steps).toBeLessThan(15 * uri.length)
  }
})

it('never throws, whatever the URI', () => {
  const templates = CASES.map(([template]) => parseUriTemplate(template))
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.webUrl(), fc.string({ unit: 'binary' })), (uri) => {
      for (const { match } of templates) match(uri)
      for (const { match } of templates) match(`memo://x${uri}`)
    }),
    { numRuns: 500 },
  )
})

it('reads any text as a template, or says that it is none', () => {
  const text = fc.string({
    unit: fc.constantFrom('{', '}', '+', '/', '*', ':', ',', '3', 'a', '(', '[', '\\', '%'),
  })
  fc.assert(
    fc.property(text, (template) => {
      try {
        parseUriTemplate(template).match(template)
      } catch (error) {
        expect(error).toBeInstanceOf(TypeError)
      }
    }),
    { numRuns: 3000 },
  )
})

function record(value: fc.Arbitrary<string>, ...names: readonly string[]): fc.Arbitrary<Values> {
  return fc.record(Object.fromEntries(names.map((name) => [name, value])))
}
