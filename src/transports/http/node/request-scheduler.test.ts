import type { Socket } from 'node:net'
import { PassThrough } from 'node:stream'
import { expect, it, vi } from 'vitest'
import { serveBare } from '../../../../test/http/bare.ts'
import { RequestScheduler } from './request-scheduler.ts'
import { Flusher } from './response.ts'

const turn = () => new Promise(setImmediate)

/** A scheduler, and a clock that goes on when something takes time. */
function start() {
  let now = 1000
  const flusher = new Flusher()
  const take = (ms: number) => (now += ms)
  return { scheduler: new RequestScheduler(flusher, () => now), flusher, now: () => now, take }
}

const client = (servedAt: number) => ({ servedAt, socket: new PassThrough() as unknown as Socket })

it('takes up what waits in turns: those first who have been quiet, and one at least of the others', async () => {
  const { scheduler, now, take } = start()
  const done: string[] = []
  const doing = (name: string) => () => {
    done.push(name)
    take(3)
  }
  const busy = client(now())
  scheduler.waitLast(doing('much'))
  scheduler.wait(busy, doing('busy'))
  scheduler.wait(client(0), doing('quiet'))
  scheduler.wait(client(0), doing('quiet too'))
  expect(done).toEqual([])
  await turn()
  expect(done).toEqual(['quiet', 'much'])
  await turn()
  expect(done).toEqual(['quiet', 'much', 'quiet too', 'busy'])
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
  expect(armed).toHaveBeenCalledTimes(20)
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
  await expect.poll(() => server.traffic.arriving).toBe(2 * LARGE + 5)
  for (const body of bodies)
    body.read(100_000, (text) => handed.push(typeof text === 'string' ? text.length : text.status))
  expect(handed).toEqual([5])
  expect(server.traffic.arriving).toBe(2 * LARGE)
  await turn()
  await turn()
  expect(handed).toEqual([5, LARGE, LARGE])
  expect(server.traffic.arriving).toBe(0)
})

it('has a request wait where this turn has taken long enough, and no longer', async () => {
  const { dial, take, connections } = await serveBare()
  const wait = vi.spyOn(connections.scheduler, 'wait')
  connections.flusher.busySince = 1
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
