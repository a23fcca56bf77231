import type { Socket } from 'node:net'
import { PassThrough } from 'node:stream'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { GET, serveBare } from '../../../../test/http/bare.ts'
import { createSample } from '../../../../test/http/sample.ts'
import type { NodeExchange } from './exchange.ts'

const LARGE = 'x'.repeat(20_000_000)

describe('requests on one connection', () => {
  it('are taken one after the other, and so many wait', async () => {
    const { dial, take, taken, connections } = await serveBare({ maxPipelined: 2 })
    const wire = await dial(GET.repeat(3))
    const first = await take()
    const connection = connections.of(first.response.socket as never)
    await expect.poll(() => connection.waiting).toBe(2)
    expect([connection.free, connection.awaited, connection.isNew]).toEqual([false, true, false])
    for (const one of ['1', '2', '3']) {
      const { exchange } = one === '1' ? first : await take()
      expect(taken.takeAll()).toEqual([])
      exchange.answer(200, {}, `answer ${one}`)
    }
    expect([...(await wire.until(/answer 3/)).matchAll(/answer \d/g)].join()).toBe(
      'answer 1,answer 2,answer 3',
    )
    await expect.poll(() => connection.owed).toBe(0)
    expect([connection.free, connection.answering]).toEqual([true, false])
    wire.write(GET.repeat(4))
    await take()
    expect(await wire.all()).toContain('answer 3')
    await expect.poll(() => connections.size).toBe(0)
  })

  it('are answered once: whatever else is said to one is not taken for an answer to the next', async () => {
    const { dial, take, connections } = await serveBare()
    const wire = await dial(GET.repeat(3))
    const { exchange, response } = await take()
    const connection = connections.of(response.socket as never)
    await expect.poll(() => connection.waiting).toBe(2)
    exchange.answer(200, {}, 'first')
    exchange.answer(200, {}, 'again')
    expect(connection.waiting).toBe(1)
    ;(await take()).exchange.answer(200, {}, 'second')
    expect(await wire.until(/second/)).not.toContain('again')
  })

  it('wait while 64 KB of answers are not taken', async () => {
    const { dial, take, taken, connections } = await serveBare()
    await dial(GET.repeat(2))
    const { exchange, response } = await take()
    const connection = connections.of(response.socket as never)
    await expect.poll(() => connection.waiting).toBe(1)
    exchange.answer(200, {}, 'x'.repeat(64 * 1024 - 256))
    expect([taken.takeAll(), connection.waiting, connection.owed]).toEqual([[], 1, 64 * 1024])
    await take()
  })

  it('are let go with their client, those that wait behind an answer and the answers themselves', async () => {
    const { dial, take, traffic, connections } = await serveBare({ maxUnsentBytes: 100_000_000 })
    const wire = await dial(GET.repeat(4))
    wire.socket.pause()
    const watch = { crowded: () => {}, ended: () => {}, gone: () => {} }
    ;(await take()).exchange.stream({}, watch).end(LARGE)
    ;(await take()).exchange.answer(200, {}, 'second')
    const third = await take()
    third.exchange.answer(200, {}, 'third')
    const fourth = await take()
    const gone = vi.fn()
    fourth.exchange.onGone(gone)
    connections.flusher.flush()
    expect(third.response.writableLength).toBeGreaterThan(0)
    wire.socket.destroy()
    await expect.poll(() => gone.mock.calls.length).toBe(1)
    await expect.poll(() => traffic.unsent).toBe(0)
  })

  it('are not taken up any more when their client has left', async () => {
    const { dial, take, connections } = await serveBare()
    await dial(GET)
    const { exchange, response } = await take()
    const connection = connections.of(response.socket as Socket) // It is there, as its client is.
    const takenUp = vi.fn()
    connection.postpone({ exchange, take: takenUp })
    connection.socket.destroy()
    await connections.taken(10_000)
    expect(takenUp).not.toHaveBeenCalled()
  })

  it('wait for the next turn where this one has taken long already', async () => {
    const { dial, take, connections } = await serveBare()
    await dial(GET.repeat(2))
    const { exchange, response } = await take()
    const connection = connections.of(response.socket as Socket)
    await expect.poll(() => connection.waiting).toBe(1)
    const taken = vi.fn()
    const second = take().then(taken)
    connections.flusher.since = 1 // Long ago.
    exchange.answer(200, {}, 'first')
    for (let rest = 0; rest < 10; rest++) await Promise.resolve() // The same turn.
    expect([connection.waiting, taken.mock.calls.length]).toEqual([0, 0])
    await second
  })

  it('are taken at once where less than 64 KB are owed', async () => {
    const { dial, take, connections } = await serveBare()
    await dial(GET.repeat(2))
    const { exchange, response } = await take()
    const connection = connections.of(response.socket as never)
    await expect.poll(() => connection.waiting).toBe(1)
    exchange.answer(200, {}, 'x'.repeat(64 * 1024 - 257))
    expect([connection.waiting, connection.owed]).toEqual([0, 64 * 1024 - 1])
  })
})

describe('when a server closes', () => {
  const never = new AbortController().signal

  it('everything has been sent where nothing is owed', async () => {
    const { connections, dial, take } = await serveBare()
    const wire = await dial(GET)
    ;(await take()).exchange.answer(200, {}, 'answer')
    expect(await connections.sent(never)).toBe(true)
    expect(await wire.until(/answer/)).toContain('answer')
  })

  it('answers that are not taken are waited for, until it is late', async () => {
    const { connections, dial, take } = await serveBare()
    const wire = await dial(GET)
    wire.socket.pause()
    ;(await take()).exchange.answer(200, {}, LARGE)
    const late = new AbortController()
    const given = connections.sent(late.signal)
    late.abort()
    expect(await given).toBe(false)
    const sent = connections.sent(never)
    wire.socket.resume()
    expect(await sent).toBe(true)
  })

  it('whoever leaves is not waited for', async () => {
    const { connections, dial, take } = await serveBare()
    const wire = await dial(GET)
    wire.socket.pause()
    ;(await take()).exchange.answer(200, {}, LARGE)
    const sent = connections.sent(never)
    wire.socket.destroy()
    expect(await sent).toBe(true)
    await expect.poll(() => connections.size).toBe(0)
  })

  it('whoever has just connected may say what it wants', async () => {
    const { connections, dial, take } = await serveBare()
    const wire = await dial()
    await expect.poll(() => connections.size).toBe(1)
    const begun = connections.begun(60_000)
    wire.write(GET)
    const { exchange } = await take()
    await begun
    connections.closing()
    exchange.answer(200, {}, 'last')
    expect(await wire.all()).toMatch(/connection: close\r\n[\s\S]*last$/i)
  })

  it('whoever has just connected is waited for while it says nothing', async () => {
    const { connections, dial, take } = await serveBare()
    const wire = await dial()
    await expect.poll(() => connections.size).toBe(1)
    let isOver = false
    const begun = connections.begun(60_000).then(() => {
      isOver = true
    })
    for (let turn = 0; turn < 3; turn++) await new Promise(setImmediate)
    expect(isOver).toBe(false)
    wire.write(GET)
    await take()
    await begun
  })

  it.each(['taken', 'begun'] as const)('what waits for its turn is taken up first: %s', async (how) => {
    const { connections } = await serveBare()
    const order: string[] = []
    connections.scheduler.waitLast(() => order.push('turn'))
    await connections[how](60_000)
    expect(order).toEqual(['turn'])
  })

  it('nothing keeps the process up once all has been taken up', async () => {
    const { connections } = await serveBare()
    const timers = () => process.getActiveResourcesInfo().filter((one) => one === 'Timeout').length
    const before = timers()
    await connections.taken(60_000)
    expect(timers()).toBeLessThanOrEqual(before)
  })

  it('what has not become a message is turned away, and who has asked for nothing is let go by others', async () => {
    const { connections, dial, take } = await serveBare()
    await dial('POST / HTTP/1.1\r\nhost: a\r\ncontent-length: 100\r\n\r\nxx')
    const { exchange } = await take()
    const body = new Promise((resolve) => exchange.body.read(100, resolve))
    await expect.poll(() => exchange.body.arriving).toBe(true)
    connections.closing()
    expect(await body).toMatchObject({ status: 503 })
  })
})

it('knows for each connection by which names the server may be called there', async () => {
  const { connections } = await serveBare()
  const hostsAt = (localAddress: string, localPort: number) =>
    connections.of(Object.assign(new PassThrough(), { localAddress, localPort }) as unknown as Socket) // As far as it is looked at.
      .ownHosts
  expect(connections.of(new PassThrough() as unknown as Socket).ownHosts).toEqual([]) // That of a Unix socket has no address.
  const [first, same] = [hostsAt('127.0.0.1', 8001), hostsAt('127.0.0.1', 8001)]
  expect(first).toContain('127.0.0.1:8001')
  expect(same).toBe(first)
  expect(hostsAt('127.0.0.1', 8002)).toContain('127.0.0.1:8002')
  expect(hostsAt('127.0.0.2', 8002)).toContain('127.0.0.2:8002')
})

it('tells how many there are, and how many requests wait where most do', async () => {
  const { connections, dial, take } = await serveBare()
  const { usage } = createSample().server
  const unwatch = connections.watchedBy(usage)
  const used = () => [usage.read('maxConnections'), usage.read('maxPipelined')]
  expect(used()).toEqual([0, 0])
  await dial(GET.repeat(2))
  await dial(GET.repeat(4))
  await take()
  await expect.poll(used).toEqual([2, 3])
  unwatch()
  expect(used()).toEqual([0, 0])
})

describe('what a client asks for', () => {
  afterEach(() => void vi.useRealTimers())

  /** Connections, and a clock that goes on when something takes time. */
  async function serve() {
    const { connections } = await serveBare()
    const dial = (cost?: number) => {
      const client = connections.of(new PassThrough() as unknown as Socket) // As far as it is looked at.
      if (cost !== undefined) client.share.cost = cost
      return client
    }
    vi.useFakeTimers({ toFake: ['performance'] })
    vi.advanceTimersByTime(1000)
    return { connections, dial, take: (ms: number) => void vi.advanceTimersByTime(ms) }
  }

  const turn = () => new Promise(setImmediate)

  it('is known by what it has taken of late, and one that took long counts for little', async () => {
    const { connections, dial, take } = await serve()
    const client = dial(0.1)
    for (let round = 1; round <= 30; round++) {
      connections.takes(client)
      take(500)
      await turn()
      if (round === 2) expect(client.share.cost).toBeCloseTo(0.15)
    }
    expect(client.share.cost).toBe(0.5)
    for (let round = 0; round < 30; round++) {
      connections.takes(client)
      await turn()
      take(500) // When it has come to rest, time is nobody's.
    }
    expect(client.share.cost).toBeLessThan(0.02)
  })

  it('counts as taken by the client that has asked also where it was taken up later', async () => {
    const { connections, dial, take } = await serve()
    const [client, other] = [dial(0.1), dial(0)]
    const exchange = { body: { gather: () => {} } } as unknown as NodeExchange // As far as it is looked at.
    client.postpone({ exchange, take: () => take(500) })
    await turn()
    connections.takes(other)
    expect(client.share.cost).toBeCloseTo(0.15)
  })

  it('is taken up at once unless the turn has taken long, or what is sooner due waits', async () => {
    const { connections, dial, take } = await serve()
    const [light, heavy] = [dial(0.05), dial(0.5)]
    expect(connections.takes(heavy)).toBe(true)
    take(3)
    expect(connections.takes(light)).toBe(false)
    await turn()
    connections.scheduler.wait({ socket: light.socket, cost: light.share.cost }, () => {})
    expect(connections.takes(heavy)).toBe(false)
    expect(connections.takes(dial(0))).toBe(true)
    await turn()
    expect(connections.takes(heavy)).toBe(true)
  })
})
