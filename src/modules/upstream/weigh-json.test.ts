import { expect, it } from 'vitest'
import { weigh } from '../../kernel/budgets/weight.ts'
import { HEAVIEST_LETTER, weighJson } from './weigh-json.ts'

const VALUES: readonly unknown[] = [
  Array.from({ length: 1000 }, () => ({})),
  Array.from({ length: 1000 }, () => []),
  { text: 'x'.repeat(10_000) },
  { text: '{[,:"\\'.repeat(1000) },
  { wide: '€'.repeat(1000) },
  Array.from({ length: 1000 }, (_, index) => ({ type: 'text', text: String(index) })),
  Array.from({ length: 1000 }, (_, index) => index),
  { deep: [[[[{ a: [{ b: {} }] }]]]] },
]

it.each(VALUES)('a value weighs no more than its JSON has said: %#', (value) => {
  expect(weighJson(JSON.stringify(value), Number.MAX_SAFE_INTEGER).weight).toBeGreaterThanOrEqual(
    weigh(value),
  )
  expect(weighJson(JSON.stringify(value), 0).weight).toBeGreaterThan(0)
})

it('what stands in a string weighs what its letters do', () => {
  const text = JSON.stringify('{[,:"\\'.repeat(1000))
  expect(weighJson(text, text.length)).toEqual({ weight: text.length, depth: 0 })
})

it('is known to be too much before all of it has been looked at', () => {
  expect(weighJson('{},'.repeat(1_000_000), 3_000_100).weight).toBeLessThan(3_000_300)
})

it('says how deep it is', () => {
  const { depth } = weighJson('{"a":[[],{"b":"[[["}],"c":{}}', Number.MAX_SAFE_INTEGER)
  expect(depth).toBe(3)
})

const weightOf = (value: unknown) => weighJson(JSON.stringify(value), Number.MAX_SAFE_INTEGER).weight
const list = <Item>(make: (at: number) => Item) => Array.from({ length: 3000 }, (_, at) => make(at))
const named = (...names: readonly string[]) => Object.fromEntries(names.map((name) => [name, 1]))
const four = (at: number) => `k${1000 + at}`

it.each<[what: string, light: unknown, heavy: unknown]>([
  ['names that no other object has', list(() => named(four(0))), list((at) => named(four(at)))],
  [
    'known names after others than before',
    list((at) => named(four(at % 10), four(at % 10))),
    list((at) => named(four(at % 60), four(500 + (at % 59)))),
  ],
  ['very many names in one object', list(() => named(four(0))), named(...list((at) => four(at % 2500)))],
  ['short texts that are all different', list(() => four(0)), list(four)],
])('weighs what takes long to parse: %s', (_what, light, heavy) => {
  const [less, more] = [light, heavy].map((value) => weightOf(value) - JSON.stringify(value).length)
  expect(more).toBeGreaterThan(1.3 * Number(less))
})

const listOf = (item: string, count: number) => `[${`${item},`.repeat(count)}1]`

it.each([
  '2.2250738585072011360e-308',
  '1.7976931348623158079e308',
  '9007199254740993',
  `0.${'1'.repeat(700)}`,
])('weighs numbers that take long to read by their time: %s', (number) => {
  const { weight } = weighJson(listOf(number, 1000), Number.MAX_SAFE_INTEGER)
  const short = weighJson(listOf('1', 1000), Number.MAX_SAFE_INTEGER).weight
  expect(weight - number.length * 1000).toBeGreaterThan(short + 64 * 1000)
})

it.each(['123456789012345', '-0.12345678e-10', '        1', '"12345678901234567890"'])(
  'weighs by its letters alone what takes no time: %s',
  (number) => {
    const { weight } = weighJson(listOf(number, 1000), Number.MAX_SAFE_INTEGER)
    const short = weighJson(listOf('1', 1000), Number.MAX_SAFE_INTEGER).weight
    expect(weight).toBe(short + (number.length - 1) * 1000)
  },
)

it.each([
  `[${'{},'.repeat(10_000)}{}]`,
  `{${Array.from({ length: 60_000 }, (_, at) => `"${String.fromCharCode(100 + at)}":1`).join()}}`,
  `[${Array.from({ length: 60_000 }, (_, at) => `"${String.fromCharCode(100 + at)}"`).join()}]`,
  `[${Array.from({ length: 60_000 }, (_, at) => `{"${String.fromCharCode(100 + at)}":1}`).join()}]`,
])('no letter weighs more than the heaviest: %#', (text) => {
  const { weight } = weighJson(text, Number.MAX_SAFE_INTEGER)
  expect(weight).toBeGreaterThan(20 * text.length)
  expect(weight).toBeLessThan(HEAVIEST_LETTER * text.length)
})
