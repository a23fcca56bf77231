import { expect, it } from 'vitest'
import { areTooSmall, bodyRefusals } from './body-refusals.ts'

it('lets so many pieces come however short they are, and one more for each 64 bytes', () => {
  expect([areTooSmall(512, 0), areTooSmall(513, 0)]).toEqual([false, true])
  expect([areTooSmall(513, 63), areTooSmall(513, 64), areTooSmall(514, 64)]).toEqual([true, false, true])
})

it('refuses each in its own way, with the headers of what carries it', () => {
  const { tooLarge, tooSmallPieces, turnedAway } = bodyRefusals({ connection: 'close' })
  expect([tooLarge(5), tooSmallPieces, turnedAway]).toMatchObject([
    { status: 413, headers: { connection: 'close' } },
    { status: 400, headers: { connection: 'close' } },
    { status: 503, headers: { connection: 'close', 'retry-after': '1' } },
  ])
})
