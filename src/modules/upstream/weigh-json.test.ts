import { expect, it } from 'vitest'
import { weigh } from '../../kernel/budgets/weight.ts'
import { weighJson } from './weigh-json.ts'

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
  expect(weighJson(JSON.stringify(value), Number.MAX_SAFE_INTEGER)).toBeGreaterThanOrEqual(weigh(value))
  expect(weighJson(JSON.stringify(value), 0)).toBeGreaterThan(0)
})

it('what stands in a string weighs what its letters do', () => {
  const text = JSON.stringify('{[,:"\\'.repeat(1000))
  expect(weighJson(text, text.length)).toBe(text.length)
})

it('is known to be too much before all of it has been looked at', () => {
  expect(weighJson('{},'.repeat(1_000_000), 3_000_100)).toBeLessThan(3_000_300)
})
