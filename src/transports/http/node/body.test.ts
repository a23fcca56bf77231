import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { describe, expect, it, vi } from 'vitest'
import { GET, serveBare, withHeads } from '../../../../test/http/bare.ts'
import type { Refusal } from '../exchange.ts'
import { NodeBody } from './body.ts'

const POST = 'POST / HTTP/1.1\r\nhost: a\r\n'

const sized = (body: string) => `${POST}content-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`
const chunk = (body: string) => `${Buffer.byteLength(body).toString(16)}\r\n${body}\r\n`
const chunked = (...pieces: readonly string[]) =>
  `${POST}transfer-encoding: chunked\r\n\r\n${pieces.map(chunk).join('')}0\r\n\r\n`

/** What becomes of a body: its text, or the status that it is refused with. */
async function read(sent: string | Uint8Array, limit: number, options: Parameters<typeof serveBare>[0] = {}) {
  const { dial, take } = await serveBare(options)
  await dial(sent)
  const { exchange } = await take()
  return new Promise((resolve) => {
    exchange.body.read(limit, (body) => resolve(typeof body === 'string' ? body : body.status))
  })
}

describe('a body', () => {
  it.each([
    ['that says how long it is', sized],
    ['in chunks', chunked],
  ])('%s may be as long as the limit, and no longer', async (_what, print) => {
    expect(await read(print('12345'), 5)).toBe('12345')
    expect(await read(print('123456'), 5)).toBe(413)
  })

  it('that a framework has read may be as long as the limit, and no longer', async () => {
    const sent = `${POST}\r\n`
    expect(await read(sent, 9, { body: { a: 'é' } })).toBe(413)
    expect(await read(sent, 10, { body: { a: 'é' } })).toBe('{"a":"é"}')
    expect(await read(sent, 9, { body: 'as it was' })).toBe('as it was')
    expect(await read(sent, 9, { body: new TextEncoder().encode('0bytes').subarray(1) })).toBe('bytes')
  })

  it('may come in 512 pieces of any size, and in any number of 64 bytes on average', async () => {
    const bytes = Array.from({ length: 520 }, () => 'x')
    expect(await read(chunked(...bytes), 200_000)).toHaveLength(520)
    expect(await read(chunked(...bytes, 'x'), 200_000)).toBe(400)
    const pieces = Array.from({ length: 3000 }, () => 'x'.repeat(64))
    expect(await read(chunked(...pieces), 200_000)).toHaveLength(192_000)
    expect(await read(chunked(...pieces, ...bytes.slice(0, 512)), 200_000)).toHaveLength(192_512)
    expect(await read(chunked(...pieces, ...bytes, 'x'), 200_000)).toBe(400)
  })

  it('goes through its stream no further than to the piece that is one too many, however many have come', async () => {
    const { dial, take } = await serveBare()
    await dial(chunked(...Array.from({ length: 5000 }, () => 'x')))
    const { exchange, response } = await take()
    let pieces = 0
    response.req.on('data', () => pieces++)
    const end = await new Promise((resolve) => exchange.body.read(200_000, resolve))
    expect(end).toMatchObject({ status: 400 })
    await expect.poll(() => response.req.complete).toBe(true)
    expect(pieces).toBe(521)
  })

  it('is UTF-8, without a mark at its beginning, whatever characters it has', async () => {
    expect(await read(chunked('\ufeff{', '\ufeff}'), 20)).toBe('{\ufeff}')
    expect(await read(sized('\ufffd'), 20)).toBe('\ufffd')
    const broken = Buffer.concat([Buffer.from(`${POST}content-length: 2\r\n\r\n`), Buffer.of(0x7b, 0xff)])
    expect(await read(broken, 20)).toBe(400)
  })

  it('is asked for where it may come and is not yet sent', async () => {
    const answered = async (limit: number) => {
      const { dial, take } = await serveBare()
      const wire = await dial(`${POST}expect: 100-continue\r\ncontent-length: 5\r\n\r\n`)
      const { exchange } = await take()
      exchange.body.read(limit, (body) =>
        exchange.answer(typeof body === 'string' ? 200 : body.status, {}, '.'),
      )
      if (limit >= 5) await wire.until(/100 Continue/)
      wire.write('12345')
      return (await wire.until(/\.$/)).match(/HTTP\/1.1 \d+/g)
    }
    expect(await answered(5)).toEqual(['HTTP/1.1 100', 'HTTP/1.1 200'])
    expect(await answered(4)).toEqual(['HTTP/1.1 413'])
  })

  it('is asked for also where its length is not announced', async () => {
    const { dial, take } = await serveBare()
    const wire = await dial(`${POST}expect: 100-continue\r\ntransfer-encoding: chunked\r\n\r\n`)
    const { exchange } = await take()
    exchange.body.read(5, (body) => exchange.answer(200, {}, `got ${body}.`))
    await wire.until(/100 Continue/)
    wire.write('2\r\n{}\r\n0\r\n\r\n')
    expect(await wire.until(/\.$/)).toContain('got {}.')
  })

  it('that there is none of is empty', async () => {
    expect(await read(`${POST}\r\n`, 20)).toBe('')
  })
})

describe('a body that is waited for', () => {
  const LENGTH = 5000
  const half = 'x'.repeat(LENGTH / 2)
  const head = `${POST}content-length: ${LENGTH}\r\n\r\n`

  it('counts until it is whole, or its client has left', async () => {
    const { dial, take, traffic } = await serveBare()
    const wire = await dial(head + half)
    const { exchange } = await take()
    const whole = new Promise((resolve) => exchange.body.read(LENGTH, resolve))
    await expect.poll(() => traffic.arriving).toSatisfy(withHeads(LENGTH / 2))
    expect(exchange.body.arriving).toBe(true)
    wire.write(half)
    expect(await whole).toBe(half + half)
    expect([exchange.body.counted, exchange.body.arriving]).toEqual([0, false])
    exchange.answer(200, {}, 'taken')
    expect(traffic.arriving).toBe(0)
    const leaving = await dial(head + half)
    ;(await take()).exchange.body.read(LENGTH, () => {})
    await expect.poll(() => traffic.arriving).toSatisfy(withHeads(LENGTH / 2))
    leaving.socket.destroy()
    await expect.poll(() => traffic.arriving).toBe(0)
  })

  it('gives way to others each time when 64 KB of it have come', async () => {
    const { dial, take } = await serveBare()
    await dial(chunked(...Array.from({ length: 300 }, () => 'x'.repeat(1000))))
    const { exchange, response } = await take()
    let pauses = 0
    response.req.on('pause', () => pauses++)
    expect(await new Promise((resolve) => exchange.body.read(300_000, resolve))).toHaveLength(300_000)
    expect(pauses).toBe(4)
  })

  it('counts no more when its request is answered while it gives way', async () => {
    const { dial, take, traffic } = await serveBare()
    const wire = await dial(chunked(...Array.from({ length: 300 }, () => 'x'.repeat(1000))) + GET)
    const { exchange, response } = await take()
    response.req.once('pause', () => setImmediate(() => exchange.answer(404, {}, 'nowhere')))
    exchange.body.read(300_000, () => {})
    ;(await take()).exchange.answer(200, {}, 'there')
    expect(await wire.until(/there/)).toMatch(/nowhere[\s\S]*there/)
    expect(traffic.arriving).toBe(0)
  })

  it('is not waited for where the heads of such requests take too much room', async () => {
    const { dial, take, traffic, connections } = await serveBare({ maxArrivingBytes: 50_000 })
    const fields = Array.from({ length: 200 }, (_, field) => `x-${field}: ${field}\r\n`).join('')
    for (let clients = 0; clients < 10; clients++) {
      await dial(`${POST}${fields}content-length: ${LENGTH}\r\n\r\n`)
      ;(await take()).exchange.body.read(LENGTH, () => {})
    }
    await expect.poll(() => connections.size).toBeLessThan(5)
    expect(traffic.arriving).toBeLessThan(50_000)
  })

  it('is turned away where others need the room, and one that has come at once is not', async () => {
    const { dial, take } = await serveBare({ maxArrivingBytes: 10 })
    const status = async (text: string, more = '') => {
      const wire = await dial(text)
      const { exchange } = await take()
      const body = new Promise((resolve) => exchange.body.read(2 * LENGTH, resolve))
      wire.write(more)
      return body
    }
    expect(await status(head + half + half)).toBe(half + half)
    expect(await status(`${POST}content-length: ${2 * LENGTH}\r\n\r\n`, half + half)).toMatchObject({
      status: 503,
    })
  })

  it('is turned away where many others have sent as little as it has, and none of them much', async () => {
    const { dial, take, traffic, connections } = await serveBare({ maxArrivingBytes: 50_000 })
    const ends: (string | Refusal)[] = []
    for (let clients = 0; clients < 40; clients++) {
      await dial(head + 'x'.repeat(2000))
      ;(await take()).exchange.body.read(LENGTH, (end) => ends.push(end))
    }
    await expect.poll(() => connections.size).toBe(40)
    await expect.poll(() => ends.length).toBeGreaterThan(10)
    expect(ends[0]).toMatchObject({ status: 503 })
    expect(traffic.arriving).toBeLessThanOrEqual(50_000)
  })

  it('counts no more once it was turned away, however much of it is still to come', async () => {
    const { dial, take, traffic } = await serveBare({ maxArrivingBytes: 10 })
    const wire = await dial(`${POST}content-length: ${2 * LENGTH}\r\n\r\n`)
    const { exchange, response } = await take()
    const body = new Promise((resolve) => exchange.body.read(2 * LENGTH, resolve))
    wire.write(half + half)
    expect(await body).toMatchObject({ status: 503 })
    wire.write(half + half)
    await expect.poll(() => response.req.complete).toBe(true)
    expect(traffic.arriving).toSatisfy(withHeads(0))
  })

  it('counts from the moment at which it comes, also where its turn has not', async () => {
    const { dial, take, traffic, connections } = await serveBare()
    await dial(GET + sized(half + half))
    const first = await take()
    await expect.poll(() => traffic.arriving).toSatisfy(withHeads(LENGTH))
    expect(connections.of(first.response.socket as never).waiting).toBe(1)
    first.exchange.answer(200, {}, 'first')
    const second = await take()
    expect(traffic.arriving).toSatisfy(withHeads(LENGTH))
    expect(await new Promise((resolve) => second.exchange.body.read(LENGTH, resolve))).toBe(half + half)
    expect(traffic.arriving).toSatisfy(withHeads(0))
  })

  it.each([LENGTH, 500])(
    'of a request whose turn has not come takes its connection with it where others need the room: %d bytes',
    async (length) => {
      const { dial, take, traffic } = await serveBare({ maxArrivingBytes: length - 1 })
      const wire = await dial(GET + sized('x'.repeat(length)))
      await take()
      expect(await wire.all()).toBe('')
      await expect.poll(() => traffic.arriving).toBe(0)
    },
  )
})

it('the bytes of a body are not held for as long as its request is at work', async () => {
  setFlagsFromString('--expose-gc')
  const gc: () => void = runInNewContext('gc')
  const { dial, take } = await serveBare({ maxBodyBytes: 200_000, maxArrivingBytes: 100_000_000 })
  const held = () => {
    gc()
    return process.memoryUsage().arrayBuffers
  }
  const before = held()
  const atWork: unknown[] = []
  for (let clients = 0; clients < 40; clients++) {
    const wire = await dial(`${POST}content-length: 200000\r\n\r\n${'x'.repeat(100_000)}`)
    const { exchange } = await take()
    const whole = new Promise((resolve) => exchange.body.read(200_000, resolve))
    wire.write('x'.repeat(100_000))
    expect(await whole).toHaveLength(200_000)
    atWork.push(exchange)
  }
  await expect.poll(held).toBeLessThan(before + 1_000_000) // What has been collected is given back a moment later.
  expect(atWork).toHaveLength(40)
})

describe('a body that nobody will ask for', () => {
  const LENGTH = 80_000
  const large = sized('x'.repeat(LENGTH))

  it('is let go when its client leaves, also where another request is still at work', async () => {
    const { dial, take, connections, traffic } = await serveBare()
    const wire = await dial(GET + large)
    const { response } = await take()
    const connection = connections.of(response.socket as never)
    await expect.poll(() => traffic.arriving).toSatisfy(withHeads(LENGTH))
    const waiting = vi.spyOn(NodeBody.prototype, 'letGo')
    wire.socket.destroy()
    await expect.poll(() => connections.size).toBe(0)
    expect(waiting).toHaveBeenCalledOnce()
    expect([traffic.arriving, connection.waiting]).toEqual([0, 0])
    waiting.mockRestore()
  })

  it('since it is too large, does not hide that its client has left before its turn has come', async () => {
    const { dial, take, connections } = await serveBare({ maxBodyBytes: 10 })
    const wire = await dial(GET + large)
    await take()
    wire.write('x'.repeat(1_000_000))
    await expect.poll(() => wire.socket.writableLength).toBe(0)
    wire.socket.destroy()
    await expect.poll(() => connections.size).toBe(0)
  })

  it('counts no more once its request is answered, and the connection goes on', async () => {
    const { dial, take, traffic } = await serveBare()
    const wire = await dial(GET + large + GET)
    const first = await take()
    await expect.poll(() => traffic.arriving).toSatisfy(withHeads(LENGTH))
    first.exchange.answer(200, {}, 'first')
    const second = await take()
    second.exchange.answer(404, {}, 'second')
    expect(traffic.arriving).toSatisfy(withHeads(0))
    ;(await take()).exchange.answer(200, {}, 'third')
    expect(await wire.until(/third/)).toMatch(/first[\s\S]*second[\s\S]*third/)
  })

  it('is read to its end where that is worth it, and cuts off whoever sends it in very small pieces', async () => {
    const { dial, take } = await serveBare()
    const wire = await dial(`${POST}content-length: 20\r\n\r\nx`)
    const { exchange, response } = await take()
    const { socket } = response
    exchange.answer(404, {}, 'nowhere')
    const before = socket?.bytesRead ?? 0
    wire.write('x'.repeat(9))
    await expect.poll(() => socket?.bytesRead).toBe(before + 9)
    wire.write(`${'x'.repeat(10)}${GET}`)
    ;(await take()).exchange.answer(200, {}, 'there')
    expect(await wire.until(/there/)).toMatch(/nowhere[\s\S]*there/)
    const tiny = await dial(`${POST}transfer-encoding: chunked\r\n\r\n`)
    ;(await take()).exchange.answer(404, {}, 'nowhere')
    await tiny.until(/nowhere/)
    tiny.write(chunk('x').repeat(5000))
    expect(await tiny.all()).toContain('nowhere')
  })

  it('is cut off where the pieces are too small, and not before', async () => {
    const pieces = (last: number) =>
      [...Array.from({ length: 520 }, () => 'x'), 'x'.repeat(last)].map(chunk).join('')
    const { dial, take } = await serveBare()
    const begin = async () => {
      const wire = await dial(`${POST}transfer-encoding: chunked\r\n\r\n`)
      ;(await take()).exchange.answer(404, {}, 'nowhere')
      await wire.until(/nowhere/)
      return wire
    }
    const large = await begin()
    large.write(`${pieces(56)}0\r\n\r\n${GET}`)
    ;(await take()).exchange.answer(200, {}, 'there')
    expect(await large.until(/there/)).toContain('there')
    const small = await begin()
    small.write(pieces(55))
    expect(await small.all()).toContain('nowhere')
  })

  it('is handed to nobody once its request is answered', async () => {
    const { dial, take } = await serveBare()
    const wire = await dial(`${POST}content-length: 20\r\n\r\nx`)
    const { exchange, response } = await take()
    let handed = 0
    exchange.body.read(20, () => void handed++)
    exchange.answer(404, {}, 'nowhere')
    wire.write('x'.repeat(19))
    await expect.poll(() => response.req.complete).toBe(true)
    expect(handed).toBe(0)
  })

  it('cuts off whoever goes on with it in very small pieces, also where somebody had asked for it', async () => {
    const { dial, take } = await serveBare()
    const wire = await dial(`${POST}transfer-encoding: chunked\r\n\r\n`)
    const { exchange } = await take()
    exchange.body.read(10_000, () => {})
    exchange.answer(404, {}, 'nowhere')
    await wire.until(/nowhere/)
    wire.write(chunk('x').repeat(5000))
    expect(await wire.all()).toContain('nowhere')
  })
})

it('a client that has said all it has to say is answered, however much that was', async () => {
  const { dial, take } = await serveBare()
  const wire = await dial()
  wire.socket.end(sized('x'.repeat(90_000)))
  const { exchange } = await take()
  exchange.body.read(100_000, (body) => exchange.answer(200, {}, `got ${String(body).length}`))
  expect(await wire.all()).toContain('got 90000')
})
