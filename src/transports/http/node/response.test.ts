import { setImmediate } from 'node:timers/promises'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { GET, serveBare, type Taken } from '../../../../test/http/bare.ts'
import type { StreamWatch } from '../exchange.ts'

afterEach(() => void vi.useRealTimers())

/** Writes down what it is told. */
function createWatch() {
  const told: unknown[] = []
  const watch: StreamWatch = {
    crowded: (before) => void told.push(before),
    ended: () => void told.push('ended'),
    gone: () => void told.push('gone'),
  }
  return { watch, told }
}

/** A client that has asked, and whoever answers it. */
async function ask(options: Parameters<typeof serveBare>[0] = {}) {
  const bare = await serveBare(options)
  const wire = await bare.dial(GET)
  const { exchange, response } = await bare.take()
  return { ...bare, wire, exchange, response }
}

describe('an answer', () => {
  it('that is large counts from the moment at which it is written', async () => {
    const { traffic, exchange, wire } = await ask()
    exchange.answer(200, {}, 'x'.repeat(64 * 1024 - 255))
    expect(traffic.unsent).toBe(64 * 1024 - 255)
    await wire.until(/x{65281}$/)
    await expect.poll(() => traffic.unsent).toBe(0)
  })

  it('that is large is forgotten when its client has taken it', async () => {
    const { traffic, exchange, wire } = await ask()
    const settle = vi.spyOn(traffic, 'settle')
    exchange.answer(200, {}, 'x'.repeat(64 * 1024))
    expect(settle).not.toHaveBeenCalled()
    await wire.until(/x{65536}$/)
    await expect.poll(() => settle.mock.calls.length).toBe(1)
  })

  it('that is small does not, but where its client takes it late', async () => {
    const { traffic, exchange } = await ask()
    exchange.answer(200, {}, 'x'.repeat(64 * 1024 - 256))
    expect(traffic.unsent).toBe(0)
  })

  it.each([
    [200, '', /content-length: 0\r\n/],
    [200, 'été', /content-length: 5\r\n/],
    [204, undefined, /204 No Content\r\n(?![\s\S]*content-length)/],
    [304, undefined, /304 Not Modified\r\n(?![\s\S]*content-length)/],
  ])('of status %d says how long it is, where it may', async (status, body, expected) => {
    const { exchange, wire } = await ask()
    exchange.answer(status, {}, body)
    expect(await wire.until(/\r\n\r\n/)).toMatch(expected)
  })
})

describe('what is written in one turn', () => {
  it('leaves together, but waits no longer than a millisecond for what takes its time', async () => {
    const { dial, take } = await serveBare()
    const asked: Taken[] = []
    for (let count = 0; count < 4; count++) {
      await dial(GET)
      asked.push(await take())
    }
    const left = () => asked.map(({ response }) => response.headersSent)
    const [first, second, third, open] = asked
    vi.useFakeTimers({ toFake: ['performance'] })
    open?.exchange.stream({}, createWatch().watch).write('goes on')
    first?.exchange.answer(200, {}, 'first')
    vi.advanceTimersByTime(1)
    second?.exchange.answer(200, {}, 'second')
    expect(left()).toEqual([false, false, false, false])
    vi.advanceTimersByTime(1)
    third?.exchange.answer(200, {}, 'third')
    expect(left()).toEqual([true, true, true, false])
    await setImmediate()
    expect(left()).toEqual([true, true, true, true])
  })
})

describe('a stream', () => {
  it('is kept back for the turn, and no more of it than 64 KB', async () => {
    const { exchange, response } = await ask()
    const sink = exchange.stream({}, createWatch().watch)
    sink.write('x'.repeat(64 * 1024))
    expect([response.headersSent, sink.unread]).toEqual([false, 64 * 1024])
    sink.write('y')
    expect(response.headersSent).toBe(true)
  })

  it('is watched where more than 64 KB of it are unread, by what was before', async () => {
    const { exchange } = await ask()
    const { watch, told } = createWatch()
    const sink = exchange.stream({}, watch)
    sink.write('x'.repeat(64 * 1024))
    expect(told).toEqual([])
    sink.write('y')
    expect(told).toEqual([64 * 1024])
    sink.end('last')
    sink.end('again')
    sink.write('later')
    expect(told).toEqual([64 * 1024, 'ended'])
  })

  it('is watched also where its last text is large', async () => {
    const { exchange, wire } = await ask()
    const { watch, told } = createWatch()
    exchange.stream({}, watch).end('x'.repeat(64 * 1024 + 1))
    expect(told).toEqual([0, 'ended'])
    expect(await wire.until(/0\r\n\r\n$/)).toMatch(/x{65537}/)
    const { exchange: other } = await ask()
    const small = createWatch()
    other.stream({}, small.watch).end('x'.repeat(64 * 1024))
    expect(small.told).toEqual(['ended'])
  })

  it('is opened before anything is said', async () => {
    const { exchange, wire } = await ask()
    const sink = exchange.stream({ 'x-one': '1' }, createWatch().watch)
    sink.write('')
    expect(await wire.until(/\r\n\r\n/)).toMatch(/x-one: 1\r\n[\s\S]*chunked\r\n\r\n$/i)
  })

  it('says when its client has taken enough, and at once where nothing waits', async () => {
    const { exchange, wire } = await ask()
    const sink = exchange.stream({}, createWatch().watch)
    let drained = 0
    sink.write('x')
    sink.drained(() => drained++)
    expect(drained).toBe(1)
    wire.socket.pause()
    sink.write('x'.repeat(20_000_000))
    sink.drained(() => drained++)
    await setImmediate()
    expect(drained).toBe(1)
    wire.socket.resume()
    await expect.poll(() => drained).toBe(2)
  })

  it('tells when its client leaves, and not where it has ended before', async () => {
    const { exchange, wire } = await ask()
    const { watch, told } = createWatch()
    exchange.stream({}, watch).write('x')
    await wire.until(/x/)
    wire.socket.destroy()
    await expect.poll(() => told).toEqual(['gone'])
  })
})
