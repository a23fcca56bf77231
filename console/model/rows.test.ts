import { expect, it } from 'vitest'
import { firstVisible, ROW_HEIGHT } from './rows.ts'

it('shows as many rows as can be seen, and a few beyond', () => {
  expect(firstVisible({ top: 0, height: 280, count: 10_000 })).toEqual({ from: 0, to: 22 })
  const { from, to } = firstVisible({ top: 5000 * ROW_HEIGHT, height: 280, count: 10_000 })
  expect(from).toBe(4994)
  expect(to - from).toBe(22)
  expect(firstVisible({ top: 1e9, height: 280, count: 100 })).toEqual({ from: 78, to: 100 })
  expect(firstVisible({ top: 0, height: 280, count: 3 })).toEqual({ from: 0, to: 3 })
})
