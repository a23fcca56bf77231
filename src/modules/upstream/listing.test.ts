import { expect, it } from 'vitest'
import { defineServer } from '../../authoring/define-server.ts'
import { connect } from '../../client/index.ts'
import { ownTurn } from '../../process/own-turn.ts'
import { readListing } from './listing.ts'

const serverOf = (names: readonly string[]) =>
  defineServer({
    name: 's',
    version: '1',
    pageSize: 1000,
    tools: names.map((name) => ({ name, run: () => name })),
  })

async function listingOf(names: readonly string[]) {
  const client = await connect(serverOf(names))
  let isLater = false
  setImmediate(() => {
    isLater = true
  })
  const listing = await readListing(client)
  await client.close()
  return { ...listing, isLater }
}

it.each([
  [100, false],
  [101, true],
])('of %i entries others have their turn before more is made: %s', async (count, isLater) => {
  const listing = await listingOf(Array.from({ length: count }, (_, at) => `tool-${at}`))
  expect(listing.tools).toHaveLength(count)
  expect(listing.isLater).toBe(isLater)
})

it('others have their turn after every hundred entries', async () => {
  const client = await connect(serverOf(Array.from({ length: 1000 }, (_, at) => `tool-${at}`)))
  let isRead = false
  const reading = readListing(client).finally(() => {
    isRead = true
  })
  let turns = 0
  for (; !isRead; turns++) await ownTurn() // One for each that the reading has.
  await reading
  await client.close()
  expect(turns).toBeGreaterThanOrEqual(10)
})

it('has one mark for what is listed in another order, and another for anything else', async () => {
  const [mark, turned, more, other] = await Promise.all(
    [
      ['a', 'b'],
      ['b', 'a'],
      ['a', 'b', 'c'],
      ['a', 'ab'],
    ].map(async (names) => (await listingOf(names)).mark),
  )
  expect(turned).toBe(mark)
  expect(new Set([mark, more, other]).size).toBe(3)
})
