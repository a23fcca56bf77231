import type { Socket } from 'node:net'
import { PassThrough } from 'node:stream'
import { expect, it, vi } from 'vitest'
import { serveBare, withHeads } from '../../../../test/http/bare.ts'
import { HEAVY_MS, RequestScheduler } from './request-scheduler.ts'

const turn = () => new Promise(setImmediate)

/** A scheduler, and a clock that goes on when something takes time. */
function start() {
  let now = 1000
  const done: string[] = []
  const take = (ms: number) => (now += ms)
  const doing =
    (name: string, ms = 0) =>
    () => {
      done.push(name)
      take(ms)
    }
  const scheduler = new RequestScheduler({ flush: () => {}, restedAt: 0 }, () => now)
  return { scheduler, done, doing, take }
}

const client = (cost: number) => ({ cost, socket: new PassThrough() as unknown as Socket })
const LIGHT = 0.05

it('takes up first what is soonest due: who asks for little, and who has waited long for others', async () => {
  const { scheduler, done, doing, take } = start()
  scheduler.waitLast(doing('much', 3))
  scheduler.wait(client(HEAVY_MS), doing('heavy', 3))
  scheduler.wait(client(LIGHT), doing('light', 3))
  take(95)
  scheduler.wait(client(LIGHT), doing('light, but late', 3))
  expect(done).toEqual([])
  await turn()
  expect(done).toEqual(['light'])
  await turn()
  await turn()
  expect(done).toEqual(['light', 'much', 'heavy'])
  await turn()
  expect(done).toEqual(['light', 'much', 'heavy', 'light, but late'])
})

it('takes up several in a turn, and counts what each of them does once it is begun', async () => {
  const { scheduler, done, doing, take } = start()
  const later = async () => {
    for (let step = 0; step < 5; step++) await Promise.resolve()
    take(3)
  }
  scheduler.waitLast(doing('one'))
  scheduler.waitLast(doing('two'))
  scheduler.waitLast(() => void later().then(doing('three')))
  scheduler.waitLast(doing('four'))
  await turn()
  expect(done).toEqual(['one', 'two', 'three'])
  await turn()
  expect(done).toEqual(['one', 'two', 'three', 'four'])
})

it('has answers leave before it takes up what has none', async () => {
  const done: string[] = []
  const scheduler = new RequestScheduler({ flush: () => void done.push('answers'), restedAt: 0 })
  scheduler.waitLast(() => done.push('request'))
  await turn()
  expect(done).toEqual(['answers', 'request'])
})

it('knows when the first is due, and when what was begun came to rest', async () => {
  let now = 1000
  const flusher = { flush: () => {}, restedAt: 0 }
  const scheduler = new RequestScheduler(flusher, () => now)
  expect(scheduler.due).toBe(Number.POSITIVE_INFINITY)
  scheduler.waitLast(() => (now += 3))
  expect(scheduler.due).toBe(1100)
  scheduler.wait(client(LIGHT), () => (now += 1))
  expect(scheduler.due).toBe(1010)
  await turn()
  expect([scheduler.due, flusher.restedAt]).toEqual([Number.POSITIVE_INFINITY, 1004])
})

it('is armed once, also where what it takes up has more to wait', async () => {
  const { scheduler, take } = start()
  const armed = vi.spyOn(globalThis, 'setImmediate')
  let left = 20
  const again = () => {
    take(3)
    if (--left > 0) scheduler.waitLast(again)
  }
  scheduler.waitLast(again)
  while (left > 0) await new Promise((resolve) => setTimeout(resolve))
  const [[begin] = []] = armed.mock.calls // Others in this thread may have been waiting for a turn as well.
  expect(armed.mock.calls.filter(([run]) => run === begin)).toHaveLength(20)
  armed.mockRestore()
})

it('goes on after something that throws', async () => {
  const { scheduler } = start()
  const thrown = vi.fn()
  const done: number[] = []
  const listeners = process.listeners('uncaughtException')
  process.removeAllListeners('uncaughtException').on('uncaughtException', thrown)
  scheduler.waitLast(() => {
    throw new Error('broken')
  })
  scheduler.waitLast(() => done.push(2))
  await turn()
  await turn()
  process.removeAllListeners('uncaughtException')
  for (const listener of listeners) process.on('uncaughtException', listener)
  expect(thrown).toHaveBeenCalledOnce()
  expect(done).toEqual([2])
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
  await expect.poll(() => bodies.map(({ counted }) => counted)).toEqual([LARGE, LARGE, 5])
  for (const body of bodies)
    body.read(100_000, (text) => handed.push(typeof text === 'string' ? text.length : text.status))
  expect(handed).toEqual([5])
  expect(server.traffic.arriving).toSatisfy(withHeads(2 * LARGE))
  await turn()
  await turn()
  expect(handed).toEqual([5, LARGE, LARGE])
  expect(server.traffic.arriving).toSatisfy(withHeads(0))
})

it('has a request wait where it is not taken, and no longer', async () => {
  const { dial, take, connections } = await serveBare()
  const wait = vi.spyOn(connections.scheduler, 'wait')
  vi.spyOn(connections, 'takes').mockReturnValueOnce(false)
  await dial('GET /first HTTP/1.1\r\nhost: a\r\n\r\n')
  expect((await take()).exchange.path).toBe('/first')
  expect(wait).toHaveBeenCalledOnce()
  await dial('GET /second HTTP/1.1\r\nhost: a\r\n\r\n')
  expect((await take()).exchange.path).toBe('/second')
  expect(wait).toHaveBeenCalledOnce()
})

it('hands out a body that is turned away meanwhile once, as refused', async () => {
  const server = await serveBare()
  const body = await waitFor(server, LARGE)
  await expect.poll(() => body.counted).toBe(LARGE)
  const handed: unknown[] = []
  body.read(100_000, (text) => handed.push(typeof text === 'string' ? text.length : text.status))
  expect(body.arriving).toBe(true)
  body.turnAway()
  expect(handed).toEqual([503])
  await turn()
  await turn()
  expect(handed).toEqual([503])
  expect([body.counted, body.arriving]).toEqual([0, false])
})
