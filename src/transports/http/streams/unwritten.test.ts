import { expect, it } from 'vitest'
import { UnwrittenEvents } from './unwritten.ts'

function create() {
  const unwritten = new UnwrittenEvents()
  const say = (size: number, ...numbers: number[]) => {
    for (const number of numbers) unwritten.add({ event: { number, text: 'x' }, keep: 3, size })
  }
  const next = () => {
    const { events, done } = unwritten.next()
    return { numbers: events.map(({ event }) => event.number), done }
  }
  return { unwritten, say, next }
}

it('is given to the store in turn, no more of it at once than a bounded part, and one event however large', () => {
  const { unwritten, say, next } = create()
  say(128 * 1024, 1, 2, 3)
  say(1024 * 1024, 4, 5)
  for (const numbers of [[1, 2], [3], [4], [5]]) {
    const part = next()
    expect(part.numbers).toEqual(numbers)
    expect(next().numbers).toEqual(numbers) // What was not taken is given once more.
    part.done()
  }
  expect(unwritten.length).toBe(0)
})

it('is not given at all when it has been forgotten before the store was given anything', () => {
  const { unwritten, say, next } = create()
  say(1, 1, 2, 3)
  unwritten.skip(1)
  expect(next().numbers).toEqual([3])
})

it('is not given any more when it has been forgotten before, unless the store has it already', () => {
  const { unwritten, say, next } = create()
  say(200 * 1024, 1, 2, 3, 4, 5)
  const { numbers, done } = next()
  expect(numbers).toEqual([1])
  unwritten.skip(2)
  expect(unwritten.length).toBe(3)
  done()
  unwritten.skip(1)
  expect(unwritten.length).toBe(1)
  expect(next().numbers).toEqual([5])
})

it('begins with that there is nothing any more, which is not forgotten', () => {
  const { unwritten, say, next } = create()
  say(1, 1, 2)
  const before = next()
  unwritten.erase()
  say(1, 3, 4, 5)
  unwritten.skip(1)
  expect(unwritten.length).toBe(2)
  before.done()
  const erased = next()
  expect(erased.numbers).toEqual([])
  unwritten.skip(1)
  erased.done()
  expect(next().numbers).toEqual([5])
})
