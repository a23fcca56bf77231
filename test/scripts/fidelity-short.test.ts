import { expect, it } from 'vitest'
import { pairings } from '../../scripts/fidelity/pairings.mjs'

it('the short form of fidelity has each era with itself and with the other, both ways', () => {
  const isNewest = (revision: string | undefined) => revision === '2026-07-28'
  const crossed = pairings({ short: true, only: '' }).map(
    ({ client, upstream }) => `${isNewest(client)} to ${isNewest(upstream?.revision)}`,
  )
  expect(crossed.sort()).toEqual(['false to false', 'false to true', 'true to false', 'true to true'])
})
