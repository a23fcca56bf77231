import { expect, it } from 'vitest'
import { FairPlaces } from './places.ts'

/** Who has come in, in their order. */
function createDoor(most: number) {
  const places = new FairPlaces()
  const inside: string[] = []
  const come = (name: string, signal?: AbortSignal) => {
    const coming = places.enter({ owner: name.slice(0, 1).trim(), most, signal })
    if (coming === undefined) inside.push(name)
    else
      void coming
        .then(() => inside.push(name))
        .catch((reason: Error) => inside.push(`${name} ${reason.message}`))
  }
  const leave = async (owner: string) => {
    places.leave(owner)
    await Promise.resolve()
  }
  return { places, inside, come, leave }
}

it('keeps the last place for a caller who has none', async () => {
  const { places, inside, come, leave } = createDoor(3)
  for (const name of ['a1', 'a2', 'a3', 'a4']) come(name)
  expect([inside, places.inside, places.waiting]).toEqual([['a1', 'a2'], 2, 2])
  come('b1')
  expect(inside).toEqual(['a1', 'a2', 'b1'])
  await leave('b')
  expect(inside).toEqual(['a1', 'a2', 'b1'])
  await leave('a')
  expect(inside).toEqual(['a1', 'a2', 'b1', 'a3'])
})

it('gives a place to whoever has fewest, and of those has waited longest', async () => {
  const { inside, come, leave } = createDoor(3)
  for (const name of ['a1', 'a2', 'b1', 'a3', 'c1', 'd1']) come(name)
  await leave('b')
  expect(inside).toEqual(['a1', 'a2', 'b1', 'c1'])
  await leave('a')
  expect(inside).toEqual(['a1', 'a2', 'b1', 'c1', 'd1'])
})

it('knows who has most while somebody waits who has fewer', async () => {
  const { places, come, leave } = createDoor(3)
  for (const name of ['a1', 'a2', 'b1', 'a3']) come(name)
  const most = () => ['a', 'b', 'c'].filter((owner) => places.hasMost(owner))
  expect(most()).toEqual([])
  come('c1')
  expect(most()).toEqual(['a'])
  await leave('a')
  expect(most()).toEqual([])
  come('d1')
  expect(most()).toEqual(['a', 'b', 'c'])
})

it('has no last place for callers that cannot be told apart, nor where there is only one', () => {
  const unknown = createDoor(2)
  for (const name of [' 1', ' 2', ' 3']) unknown.come(name)
  expect(unknown.inside).toEqual([' 1', ' 2'])
  const single = createDoor(1)
  single.come('a1')
  expect(single.inside).toEqual(['a1'])
})

it('forgets whoever is called off, and sends away whoever waits', async () => {
  const { places, inside, come } = createDoor(1)
  const leaving = new AbortController()
  come('a1')
  come('b1', leaving.signal)
  come('c1', AbortSignal.abort(new Error('gone')))
  come('d1')
  leaving.abort(new Error('left'))
  places.refuse(new Error('closed'))
  await expect.poll(() => inside).toEqual(['a1', 'c1 gone', 'b1 left', 'd1 closed'])
  expect([places.inside, places.waiting]).toEqual([1, 0])
})
