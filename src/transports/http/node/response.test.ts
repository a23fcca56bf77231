import { setImmediate } from 'node:timers/promises'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { GET, serveBare, type Taken } from '../../../../test/http/bare.ts'
import type { HttpHeaders, StreamWatch } from '../exchange.ts'
import { TextParts } from '../parts.ts'
import { Flusher } from './flusher.ts'

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
    exchange.answer(200, {}, `${'x'.repeat(64 * 1024 - 256)}.`)
    expect(traffic.unsent).toBe(64 * 1024 - 255)
    await wire.until(/\.$/)
    await expect.poll(() => traffic.unsent).toBe(0)
  })

  it('that is large is forgotten when its client has taken it', async () => {
    const { traffic, exchange, wire } = await ask()
    const settle = vi.spyOn(traffic, 'settle')
    exchange.answer(200, {}, `${'x'.repeat(64 * 1024)}.`)
    expect(settle).not.toHaveBeenCalled()
    await wire.until(/\.$/)
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

describe('an answer that is long', () => {
  const LONG = `${'a'.repeat(65_535)}😀${'é'.repeat(65_535)}😀${'z'.repeat(99_999)}.`

  it('leaves in parts, a turn of the loop for each, and arrives as it was', async () => {
    const { exchange, response, wire } = await ask()
    const write = vi.spyOn(response, 'write')
    exchange.answer(200, {}, LONG)
    await setImmediate()
    expect(write).toHaveBeenCalledTimes(1)
    const text = await wire.until(/\.$/)
    expect(text.slice(text.indexOf('\r\n\r\n') + 4)).toBe(LONG)
    expect(text).toContain(`content-length: ${Buffer.byteLength(LONG)}\r\n`)
    expect(write.mock.calls.map(([part]) => part.length)).toEqual([65_535, 65_536, 65_536])
    await expect.poll(() => response.writableFinished).toBe(true)
  })

  it('is sent in chunks where it is made as it leaves', async () => {
    const { exchange, wire } = await ask()
    exchange.answerInParts(200, {}, new TextParts(`${LONG}end`))
    const text = await wire.until(/0\r\n\r\n$/)
    expect(text).toMatch(/transfer-encoding: chunked/i)
    expect(text.replaceAll(/\r\n[0-9a-f]+\r\n/g, '')).toContain('a😀é')
    expect(text).toContain('.end')
  })

  it('goes on at once where all of a part has been taken', async () => {
    const { exchange, wire } = await ask()
    const print = (part: string) => `[${part.length}]`
    exchange.answerInParts(200, {}, new TextParts('x'.repeat(200_000), { print }))
    const text = await wire.until(/0\r\n\r\n$/)
    expect(text.match(/\[\d+\]/g)?.join('')).toBe('[65536][65536][65536][3392]')
  })

  it('lets small ones go first', async () => {
    const { dial, take } = await serveBare()
    const wires = [await dial(GET), await dial(GET)]
    const [long, small] = [await take(), await take()]
    long.exchange.answer(200, {}, LONG)
    small.exchange.answer(200, {}, 'small')
    await setImmediate()
    expect([long.response.writableEnded, small.response.writableEnded]).toEqual([false, true])
    for (const wire of wires) await wire.until(/(\.|small)$/)
  })

  it('leaves nothing to be done when all of it has left', async () => {
    const { exchange, wire } = await ask()
    exchange.answer(200, {}, LONG)
    await wire.until(/\.$/)
    const isIdle = () => !process.getActiveResourcesInfo().includes('Immediate')
    await expect.poll(isIdle).toBe(true)
  })

  it('is made no further where nobody takes it, and is let go with its client', async () => {
    const { exchange, response, wire, traffic } = await ask({ maxUnsentBytes: 100_000_000 })
    wire.socket.pause()
    const write = vi.spyOn(response, 'write')
    exchange.answer(200, {}, 'x'.repeat(50_000_000))
    await expect.poll(() => response.writableNeedDrain).toBe(true)
    const parts = write.mock.calls.length
    for (let turn = 0; turn < 10; turn++) await setImmediate()
    expect(write.mock.calls.length).toBe(parts)
    expect(traffic.unsent).toBeGreaterThan(30_000_000)
    wire.socket.destroy()
    await expect.poll(() => traffic.unsent).toBe(0)
  })
})

describe('what is written in one turn', () => {
  const LONG = 'x'.repeat(65_537)

  it.each<[string, number, HttpHeaders, string]>([
    ['a header of two lines', 200, { a: 'b\nc' }, 'short'],
    ['a header in other letters', 200, { a: '漢' }, LONG],
    ['a header that is nothing', 200, { a: undefined as unknown as string }, LONG],
    ['a status that HTTP does not have', 1000, {}, 'short'],
  ])('leaves also where one answer has %s, which is told and answered by 500', async (_what, ...spoilt) => {
    const { dial, take, failures, traffic } = await serveBare()
    const wires = [await dial(GET), await dial(GET), await dial(GET)]
    const [first, second, third] = [await take(), await take(), await take()]
    first.exchange.answer(200, {}, `${spoilt[2]}.`)
    second.exchange.answer(...spoilt)
    third.exchange.answer(200, {}, `${spoilt[2]}.`)
    const statuses = await Promise.all(wires.map(async (wire) => (await wire.until(/[.}]$/)).slice(9, 12)))
    expect([statuses, failures.length]).toEqual([['200', '500', '200'], 1])
    await expect.poll(() => traffic.unsent).toBe(0)
  })

  it('leaves also where what is going on cannot begin, and its client is cut off', async () => {
    const { dial, take, failures } = await serveBare()
    const wires = [await dial(GET), await dial(GET)]
    const [first, second] = [await take(), await take()]
    const { watch, told } = createWatch()
    first.exchange.stream({ a: 'b\nc' }, watch).write('x')
    second.exchange.answer(200, {}, 'second.')
    await wires[1]?.until(/second\.$/)
    await expect.poll(() => [told, failures.length]).toEqual([['gone'], 1])
  })

  it('leaves together, but waits no longer than a millisecond for what takes its time', async () => {
    const { dial, take } = await serveBare()
    const asked: Taken[] = []
    for (let count = 0; count < 5; count++) {
      await dial(GET)
      asked.push(await take())
    }
    const before = asked.pop()
    const left = () => asked.map(({ response }) => response.headersSent)
    const [first, second, third, open] = asked
    vi.useFakeTimers({ toFake: ['performance'] })
    before?.exchange.answer(200, {}, 'in a turn that takes no time')
    await setImmediate()
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

it('what has left does not leave once more at the end of the turn', async () => {
  const flusher = new Flusher()
  const left: number[] = []
  vi.useFakeTimers({ toFake: ['performance'] })
  for (const number of [1, 2, 3]) {
    vi.advanceTimersByTime(1)
    flusher.add({ ended: true, flush: () => left.push(number) })
  }
  expect(left).toEqual([1, 2, 3])
  await setImmediate()
  expect(left).toEqual([1, 2, 3])
})

it.each([
  ['as long as two milliseconds waits', 2, []],
  ['longer than that leaves at once', 3, ['complete']],
])('what is complete after a turn that took %s, and the rest waits', async (_what, ms, expected) => {
  const flusher = new Flusher()
  const left: string[] = []
  vi.useFakeTimers({ toFake: ['performance'], now: 1 })
  vi.advanceTimersByTime(1)
  flusher.add({ ended: true, flush: () => {} })
  vi.advanceTimersByTime(ms)
  await setImmediate()
  flusher.add({ ended: true, flush: () => left.push('complete') })
  flusher.add({ ended: false, flush: () => left.push('goes on') })
  expect(left).toEqual(expected)
  await setImmediate()
  expect(left).toEqual(['complete', 'goes on'])
  flusher.add({ ended: true, flush: () => left.push('after a short turn') })
  expect(left).toHaveLength(2)
  await setImmediate()
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

  it('counts until its client has taken it, also where something small went before its large end', async () => {
    const { exchange, wire, traffic, connections, response } = await ask({ maxUnsentBytes: 100_000_000 })
    const connection = connections.of(response.socket as never)
    wire.socket.pause()
    const sink = exchange.stream({}, createWatch().watch)
    sink.write('x')
    sink.end('x'.repeat(20_000_000))
    await setImmediate()
    sink.drained(() => {})
    expect(traffic.unsent).toBeGreaterThan(1_000_000)
    expect(connection.owed).toBeGreaterThan(0)
    wire.socket.resume()
    await expect.poll(() => [traffic.unsent, connection.owed]).toEqual([0, 0])
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
