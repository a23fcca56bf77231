import { expect, it } from 'vitest'
import { areTooSmall } from './body-refusals.ts'

it('lets so many pieces come however short they are, and one more for each 64 bytes', () => {
  expect([areTooSmall(512, 0), areTooSmall(513, 0)]).toEqual([false, true])
  expect([areTooSmall(513, 63), areTooSmall(513, 64), areTooSmall(514, 64)]).toEqual([true, false, true])
})
