import { expect, it } from 'vitest'
import { Appends } from './appends.ts'
import { Batches } from './batches.ts'

const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, index) => from + index)

function createBatches() {
  const sent: [name: string, items: readonly number[]][] = []
  let goOn = () => {}
  let held: Promise<void> | undefined
  const batches = new Batches<number, number>(async (name, items) => {
    sent.push([name, items])
    await held
    if (items.includes(13)) throw new Error('unlucky')
    return items.map((item) => -item)
  })
  const hold = () => {
    held = new Promise((resolve) => {
      goOn = resolve
    })
  }
  const release = () => {
    held = undefined
    goOn()
  }
  return { batches, sent, hold, release }
}

it('sends together what comes at once under one name, and answers each', async () => {
  const { batches, sent } = createBatches()
  const answers = await Promise.all([batches.add('a', 1), batches.add('b', 2), batches.add('a', 3)])
  expect(answers).toEqual([-1, -2, -3])
  expect(sent).toEqual([
    ['a', [1, 3]],
    ['b', [2]],
  ])
  await batches.add('a', 4)
  expect(sent.at(-1)).toEqual(['a', [4]])
})

it('sends what waits behind what is on its way together, at most two hundred at a time', async () => {
  const { batches, sent, hold, release } = createBatches()
  hold()
  const first = batches.add('a', 1)
  await Promise.resolve()
  const rest = range(100, 350).map((item) => batches.add('a', item))
  await new Promise(setImmediate)
  expect(sent).toEqual([['a', [1]]])
  release()
  await Promise.all([first, ...rest])
  expect(sent.slice(1).map(([, items]) => items)).toEqual([range(100, 299), range(300, 350)])
})

it('rejects all that went together, and goes on with what waits', async () => {
  const { batches } = createBatches()
  const [one, two] = [batches.add('a', 12), batches.add('a', 13)]
  await expect(one).rejects.toThrow('unlucky')
  const next = batches.add('a', 14)
  await expect(two).rejects.toThrow('unlucky')
  expect(await next).toBe(-14)
})

it('numbers what is appended together by the last of it, with the options of the last', async () => {
  const asked: unknown[] = []
  const appends = new Appends(async (log, values, options) => {
    asked.push([log, values, options])
    return 7
  })
  const numbers = [
    appends.add('l', 'a', { keep: 1 }),
    appends.add('l', { b: 1 }, { keep: 2 }),
    appends.add('l', 3, {}),
  ]
  expect(await Promise.all(numbers)).toEqual([5, 6, 7])
  expect(asked).toEqual([['l', ['"a"', '{"b":1}', '3'], {}]])
})
