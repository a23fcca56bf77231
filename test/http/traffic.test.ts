import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { setImmediate } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { BytePieces } from '../../src/transports/byte-pieces.ts'
import { withHeads } from './bare.ts'
import { Host } from './host.ts'
import { call, callModern, modern, openSession, printRequest } from './messages.ts'

const MB = 1_000_000

/** Adds a tool that gives a megabyte, and counts how often it was called. */
function countCalls(host: Host): { readonly calls: number } {
  const counted = { calls: 0 }
  const run = () => {
    counted.calls++
    return 'x'.repeat(MB)
  }
  host.sample.server.tools.add({ name: 'counted', run })
  return counted
}

/** A connection whose client sends and does not read. */
async function dialDeaf(host: Host, text: string): Promise<Socket> {
  const socket = connect(host.port, '127.0.0.1').pause()
  socket.on('error', () => {}) // To be cut off is what is expected.
  await once(socket, 'connect')
  socket.write(text)
  return socket
}

/** A POST up to somewhere in the middle of its body. */
function printHalf(host: Host, bytes: number): string {
  return `POST /mcp HTTP/1.1\r\nhost: 127.0.0.1:${host.port}\r\ncontent-type: application/json\r\ncontent-length: ${bytes + 10}\r\n\r\n${' '.repeat(bytes)}`
}

const used = (host: Host, budget: Parameters<Host['sample']['server']['usage']['read']>[0]) =>
  host.sample.server.usage.read(budget)

describe('a body', () => {
  it('in pieces of one byte costs no more than twice its size', () => {
    const body = new BytePieces()
    for (let at = 0; at < 100_000; at++) body.add(Uint8Array.of(at % 251))
    const bytes = body.take()
    expect([body.length, bytes.length]).toEqual([100_000, 100_000])
    expect(bytes.every((byte, at) => byte === at % 251)).toBe(true)
    expect(bytes.buffer.byteLength).toBeLessThanOrEqual(200_000)
  })

  it('in one piece is not copied, nor written to when more comes', () => {
    const slab = new Uint8Array(64).fill(7)
    const whole = new BytePieces()
    whole.add(slab.subarray(0, 4))
    expect(whole.take().buffer).toBe(slab.buffer)
    whole.add(Uint8Array.of(1, 2))
    expect([...whole.take()]).toEqual([7, 7, 7, 7, 1, 2])
    expect(slab.every((byte) => byte === 7)).toBe(true)
  })

  it('in chunks of one byte is read whole', async () => {
    await using host = await Host.start()
    const { headers, body } = callModern('echo', { text: 'été' })
    const bytes = Buffer.from(JSON.stringify(body))
    const head = printRequest(host, { headers: { ...headers, 'transfer-encoding': 'chunked' }, body })
    const wire = await host.dial(
      `${head.slice(0, head.indexOf('\r\n\r\n')).replace(/content-length: \d+\r\n/, '')}\r\n\r\n`,
    )
    for (const byte of bytes)
      wire.write(Buffer.concat([Buffer.from('1\r\n'), Buffer.of(byte), Buffer.from('\r\n')]))
    wire.write('0\r\n\r\n')
    expect(await wire.until(/"id":1/)).toContain('été')
  })
})

it('a body in very many pieces is refused before it has cost much', async () => {
  await using host = await Host.start()
  const head = `POST /mcp HTTP/1.1\r\nhost: 127.0.0.1:${host.port}\r\ncontent-type: application/json\r\n`
  const wire = await host.dial(`${head}transfer-encoding: chunked\r\n\r\n`)
  wire.write('1\r\n \r\n'.repeat(20_000))
  expect(await wire.all()).toMatch(
    /^HTTP\/1.1 400 [\s\S]*comes in too many small pieces; send chunks of 64 bytes or more/,
  )
})

describe('bodies that are arriving', () => {
  it('have a budget in all: whoever has been at it longest is turned away', async () => {
    await using host = await Host.start({ maxArrivingBytes: 300_000 })
    const first = await host.dial(printHalf(host, 200_000))
    await expect.poll(() => used(host, 'maxArrivingBytes')).toSatisfy(withHeads(200_000))
    const second = await host.dial(printHalf(host, 200_000))
    expect(await first.all()).toMatch(
      /^HTTP\/1.1 503 [\s\S]*"message":"Service unavailable: the request cannot/,
    )
    await expect.poll(() => used(host, 'maxArrivingBytes')).toSatisfy(withHeads(200_000))
    expect((await host.send(callModern('echo', { text: 'small' }))).status).toBe(200)
    second.socket.destroy()
    await expect.poll(() => used(host, 'maxArrivingBytes')).toBe(0)
  })
})

describe('requests that do not wait for their answers', () => {
  it('are taken one after the other', async () => {
    await using host = await Host.start()
    const requests = [1, 2, 3].map((id) => printRequest(host, callModern('talk', {}, { id })))
    const wire = await host.dial(requests.join(''))
    for (const id of [1, 2, 3]) {
      const talk = await host.talk()
      expect(talk.call.id).toBe(id)
      expect((await host.send(callModern('echo'))).status).toBe(200)
      expect(host.sample.talks.takeAll()).toEqual([])
      talk.finish(`done ${id}`)
    }
    expect([...(await wire.until(/done 3/)).matchAll(/done (\d)/g)].map(([, id]) => id)).toEqual([
      '1',
      '2',
      '3',
    ])
  })

  it('are not taken any more when their client has left', async () => {
    await using host = await Host.start()
    const requests = [1, 2].map((id) => printRequest(host, callModern('talk', {}, { id })))
    const wire = await host.dial(requests.join(''))
    const talk = await host.talk()
    await expect.poll(() => used(host, 'maxPipelined')).toBe(1)
    wire.socket.destroy()
    await expect.poll(() => used(host, 'maxConnections')).toBe(0)
    talk.finish('to nobody')
    expect((await host.send(callModern('echo'))).status).toBe(200)
    expect(host.sample.talks.takeAll()).toEqual([])
  })

  it('are not taken while the answers before them are not', async () => {
    await using host = await Host.start()
    const counted = countCalls(host)
    const requests = Array.from({ length: 60 }, () => printRequest(host, callModern('counted')))
    const deaf = await dialDeaf(host, requests.join(''))
    await expect.poll(() => used(host, 'maxUnsentBytes')).toBeGreaterThan(0)
    // While others are answered, it had its turns as well.
    for (let turn = 0; turn < 20; turn++) expect((await host.send(callModern('echo'))).status).toBe(200)
    expect(counted.calls).toBeLessThan(20)
    expect(used(host, 'maxUnsentBytes')).toBeLessThan(3 * MB)
    let length = 0
    deaf.on('data', (chunk: Buffer) => {
      length += chunk.length
    })
    deaf.resume()
    await expect.poll(() => counted.calls).toBe(60)
    await expect.poll(() => length).toBeGreaterThan(60 * MB)
    deaf.destroy()
    await expect.poll(() => used(host, 'maxUnsentBytes')).toBe(0)
  })

  it('are answered in full when they are many and small', async () => {
    await using host = await Host.start()
    const requests = Array.from({ length: 90 }, (_, id) =>
      printRequest(host, callModern('echo', { text: `text ${id};` }, { id })),
    )
    const wire = await host.dial(requests.join(''))
    const heard = await wire.until(/text 89;/)
    expect([...heard.matchAll(/"text":"text (\d+);"/g)].map(([, id]) => Number(id))).toEqual(
      requests.map((_, id) => id),
    )
  })

  it('are only so many', async () => {
    await using host = await Host.start({ maxPipelined: 5 })
    const talking = printRequest(host, callModern('talk'))
    const wire = await host.dial(talking)
    const talk = await host.talk()
    wire.write(talking.repeat(5))
    await expect.poll(() => used(host, 'maxPipelined')).toBe(5)
    wire.write(talking)
    expect(await wire.all()).toBe('')
    await expect.poll(() => talk.call.aborted).toBe(true)
    await expect.poll(() => used(host, 'maxCalls')).toBe(0)
  })

  it('do not hide that their client has left', async () => {
    await using host = await Host.start()
    const large = modern('tools/list', { padding: 'x'.repeat(500_000) })
    const wire = await host.dial(printRequest(host, callModern('talk')) + printRequest(host, large))
    const talk = await host.talk()
    wire.socket.destroy()
    await expect.poll(() => talk.call.aborted).toBe(true)
    await expect.poll(() => used(host, 'maxArrivingBytes')).toBe(0)
  })

  it('are refused for themselves, one by one', async () => {
    await using host = await Host.start({ maxBodyBytes: 1000 })
    const large = printRequest(host, callModern('echo', { text: 'x'.repeat(2000) }))
    const wire = await host.dial(printRequest(host, callModern('talk')) + large)
    ;(await host.talk()).finish('first')
    const heard = await wire.all()
    expect(heard).toMatch(/"text":"first"[\s\S]*HTTP\/1.1 413 /)
  })
})

describe('answers that nobody takes', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'] }))
  afterEach(() => void vi.useRealTimers())

  it('have a budget in all: the slowest reader is dropped', async () => {
    await using host = await Host.start({ maxUnsentBytes: 10 * MB })
    const deaf = await dialDeaf(host, printRequest(host, callModern('big', { bytes: 20 * MB })))
    await expect.poll(() => used(host, 'maxUnsentBytes')).toBeGreaterThan(10 * MB)
    vi.setSystemTime(Date.now() + 1001)
    expect((await host.send(callModern('big', { bytes: 100_000 }))).status).toBe(200)
    expect(used(host, 'maxUnsentBytes')).toBeLessThan(10 * MB)
    const gone = once(deaf, 'close')
    deaf.resume()
    await gone
  })

  it('make room for no more large ones while their readers may still be reading', async () => {
    await using host = await Host.start({ maxUnsentBytes: 10 * MB })
    const deaf = await dialDeaf(host, printRequest(host, callModern('big', { bytes: 20 * MB })))
    await expect.poll(() => used(host, 'maxUnsentBytes')).toBeGreaterThan(10 * MB)
    const large = await host.send(callModern('big', { bytes: 100_000 }))
    expect([large.status, large.headers['connection'], large.headers['retry-after']]).toEqual([
      503,
      'close',
      '1',
    ])
    expect(large.message.error?.message).toMatch(/^Service unavailable: too many answers wait to be read/)
    expect((await host.send(callModern('echo', { text: 'small' }))).status).toBe(200)
    deaf.destroy()
  })

  it('count for streams, too', async () => {
    await using host = await Host.start({ maxUnsentBytes: 2 * MB, maxUnreadBytes: 100 * MB })
    const headers = await openSession(host)
    const body = call(1, 'talk', {}, { progressToken: 1 })
    const deaf = await dialDeaf(host, printRequest(host, { headers, body }))
    const { call: talking } = await host.talk()
    const gone = once(deaf, 'close')
    talking.log('info', 'first')
    expect(used(host, 'maxStreams')).toBe(1)
    for (let said = 0; said < 500 && used(host, 'maxStreams') > 0; said++) {
      talking.log('info', 'x'.repeat(100_000))
      await setImmediate()
    }
    expect(used(host, 'maxStreams')).toBe(0)
    deaf.resume()
    await gone
  })
})
