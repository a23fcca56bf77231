import { expect, it } from 'vitest'
import { litPath, moonPhase } from './moon.ts'

it('knows about how old the Moon is', () => {
  expect(moonPhase(Date.UTC(2021, 4, 26, 11, 14))).toBeCloseTo(0.5, 1)
  expect(litPath(0.25, 10)).toMatch(/^M0,-10A10,10 0 0 1 0,10A0\.00,10 /)
})
