import { expect, it } from 'vitest'
import { toInstant, toLocal } from './dates.ts'

it('takes instants from a field in local time, and gives them back', () => {
  const instant = '2026-11-16T12:30:00Z'
  expect(toInstant(toLocal(instant))).toBe(instant)
  expect(toLocal('nonsense')).toBe('')
  expect(toInstant('')).toBeUndefined()
})
