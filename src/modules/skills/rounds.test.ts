import { expect, it } from 'vitest'
import { Rounds } from './rounds.ts'

/** Work that ends when it is told to, and gives how often it was begun. */
function createWork() {
  const ends: ((error?: Error) => void)[] = []
  const work = () => {
    const count = ends.length + 1
    return new Promise<number>((resolve, reject) => {
      ends.push((error) => (error === undefined ? resolve(count) : reject(error)))
    })
  }
  return { ends, work }
}

it('gives each what began after they asked, and begins once for all who wait', async () => {
  const rounds = new Rounds<number>()
  const { ends, work } = createWork()
  const asked = Array.from({ length: 300 }, () => rounds.ask('a', work))
  expect(ends).toHaveLength(1)
  ends[0]?.()
  expect(await asked[0]).toBe(1)
  await expect.poll(() => ends.length).toBe(2)
  const later = [rounds.ask('a', work), rounds.ask('a', work)]
  ends[1]?.()
  expect(new Set(await Promise.all(asked.slice(1)))).toEqual(new Set([2]))
  await expect.poll(() => ends.length).toBe(3)
  ends[2]?.()
  expect(await Promise.all(later)).toEqual([3, 3])
})

it('goes on after one that failed, and keeps keys apart', async () => {
  const rounds = new Rounds<number>()
  const { ends, work } = createWork()
  const [first, second, other] = [rounds.ask('a', work), rounds.ask('a', work), rounds.ask('b', work)]
  ends[0]?.(new Error('broken'))
  ends[1]?.()
  await expect(first).rejects.toThrow('broken')
  expect(await other).toBe(2)
  await expect.poll(() => ends.length).toBe(3)
  ends[2]?.()
  expect(await second).toBe(3)
  const last = rounds.ask('a', work)
  ends[3]?.()
  expect(await last).toBe(4)
})
