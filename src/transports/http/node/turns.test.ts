import { expect, it, vi } from 'vitest'
import { serveBare } from '../../../../test/http/bare.ts'
import { Turns } from './turns.ts'

const turn = () => new Promise(setImmediate)

it('takes up one thing in each turn, in order, also after one that throws', async () => {
  const turns = new Turns()
  const done: number[] = []
  const thrown = vi.fn()
  const listeners = process.listeners('uncaughtException')
  process.removeAllListeners('uncaughtException').on('uncaughtException', thrown)
  turns.take(() => done.push(1))
  turns.take(() => {
    throw new Error('broken')
  })
  turns.take(() => done.push(3))
  await turn()
  expect(done).toEqual([1])
  await turn()
  expect(thrown).toHaveBeenCalledOnce()
  expect(done).toEqual([1])
  await turn()
  expect(done).toEqual([1, 3])
  process.removeAllListeners('uncaughtException')
  for (const listener of listeners) process.on('uncaughtException', listener)
})

const LARGE = 70_000
const post = (length: number) =>
  `POST / HTTP/1.1\r\nhost: a\r\ncontent-length: ${length}\r\n\r\n${'x'.repeat(length)}`

/** A body that is asked for when it has come. */
async function waitFor({ dial, take }: Awaited<ReturnType<typeof serveBare>>, length: number) {
  await dial(post(length))
  const { exchange } = await take()
  exchange.body.gather(100_000)
  return exchange.body
}

it('has small bodies handed out before the large ones that wait', async () => {
  const server = await serveBare()
  const handed: number[] = []
  const bodies = [await waitFor(server, LARGE), await waitFor(server, LARGE), await waitFor(server, 5)]
  await expect.poll(() => server.traffic.arriving).toBe(2 * LARGE + 5)
  for (const body of bodies)
    body.read(100_000, (text) => handed.push(typeof text === 'string' ? text.length : text.status))
  expect(handed).toEqual([5])
  expect(server.traffic.arriving).toBe(2 * LARGE)
  await turn()
  expect(handed).toEqual([5, LARGE])
  await turn()
  expect(handed).toEqual([5, LARGE, LARGE])
  expect(server.traffic.arriving).toBe(0)
})

it('hands out a body that is turned away meanwhile once, as refused', async () => {
  const server = await serveBare()
  const body = await waitFor(server, LARGE)
  await expect.poll(() => server.traffic.arriving).toBe(LARGE)
  const handed: unknown[] = []
  body.read(100_000, (text) => handed.push(typeof text === 'string' ? text.length : text.status))
  expect(body.arriving).toBe(true)
  body.turnAway()
  expect(handed).toEqual([503])
  await turn()
  await turn()
  expect(handed).toEqual([503])
  expect([server.traffic.arriving, body.arriving]).toEqual([0, false])
})
