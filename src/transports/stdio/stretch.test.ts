import { setImmediate as turn } from 'node:timers/promises'
import { expect, it, vi } from 'vitest'
import { Stretch } from './stretch.ts'

function start() {
  let now = 100
  const stretch = new Stretch(() => now)
  return { stretch, pass: (ms: number) => (now += ms) }
}

it('begins with its second message, and is over after two milliseconds', () => {
  const { stretch, pass } = start()
  expect(stretch.takes()).toBe(true)
  pass(50) // With the first, however long that takes.
  expect(stretch.takes()).toBe(true)
  pass(2)
  expect(stretch.takes()).toBe(true)
  pass(1)
  expect(stretch.takes()).toBe(false)
})

it('has room for a thousand, however little time they take', () => {
  const { stretch } = start()
  const taken = Array.from({ length: 1001 }, () => stretch.takes())
  expect(taken.lastIndexOf(true)).toBe(999)
})

it('begins anew in the next turn of the loop', async () => {
  const { stretch, pass } = start()
  expect([stretch.takes(), stretch.takes()]).toEqual([true, true])
  pass(10)
  expect(stretch.takes()).toBe(false)
  await turn()
  expect([stretch.takes(), stretch.takes()]).toEqual([true, true])
})

it('has those go on in the next turns who were in the middle of something, a stretch at a time', async () => {
  const { stretch, pass } = start()
  const seen: string[] = []
  expect(stretch.takes()).toBe(true)
  for (const name of ['first', 'second'])
    stretch.goOn(1, () => {
      seen.push(`${name} ${stretch.takes()}`)
      pass(10)
      seen.push(`${name} ${stretch.takes()}`)
    })
  expect(seen).toEqual([])
  await turn()
  expect(seen).toEqual(['first true', 'first false'])
  await turn()
  expect(seen).toEqual(['first true', 'first false', 'second true', 'second false'])
  await turn()
  expect(stretch.takes()).toBe(true)
})

it('has somebody go on who was in the middle of nothing', async () => {
  const { stretch } = start()
  const run = vi.fn()
  stretch.goOn(1, run)
  await turn()
  expect(run).toHaveBeenCalledTimes(1)
})

it('lets who has said little go before who has said much, but nobody wait for ever', async () => {
  const { stretch, pass } = start()
  const seen: string[] = []
  const come = (name: string, messages: number) => stretch.goOn(messages, () => seen.push(name))
  expect(stretch.takes()).toBe(true)
  come('much', 5000)
  come('some', 50)
  come('little', 2)
  pass(60)
  come('some more', 50)
  come('a little more', 2)
  await turn()
  expect(seen).toEqual(['little', 'some', 'a little more', 'much', 'some more'])
})
