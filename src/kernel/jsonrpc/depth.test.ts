import { expect, it } from 'vitest'
import { MAX_DEPTH, tooDeep } from './depth.ts'

const nested = (levels: number) => `${'['.repeat(levels)}${']'.repeat(levels)}`

it('allows as many levels as it says, and no more', () => {
  expect(tooDeep(nested(MAX_DEPTH))).toBe(false)
  expect(tooDeep(nested(MAX_DEPTH + 1))).toBe(true)
  expect(tooDeep(`[${nested(MAX_DEPTH - 1)},[]]`)).toBe(false)
  expect(tooDeep(`[${nested(MAX_DEPTH)},[]]`)).toBe(true)
  expect(tooDeep(`${'{"a":'.repeat(MAX_DEPTH + 1)}1${'}'.repeat(MAX_DEPTH + 1)}`)).toBe(true)
})

it('does not mind many brackets side by side', () => {
  expect(tooDeep(`[${Array(10_000).fill('[],{}').join()}]`)).toBe(false)
})

it('does not count brackets in strings', () => {
  expect(tooDeep(JSON.stringify(['['.repeat(1000), '"{'.repeat(1000), '\\'.repeat(999)]))).toBe(false)
  expect(tooDeep(`["\\\\",${nested(MAX_DEPTH)}]`)).toBe(true)
})

it('looks at text that never ends, too', () => {
  expect(tooDeep('['.repeat(100_000))).toBe(true)
  expect(tooDeep(`"${'['.repeat(100_000)}`)).toBe(false)
})
