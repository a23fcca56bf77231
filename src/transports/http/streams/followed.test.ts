import { describe, expect, it } from 'vitest'
import { createReader } from '../../../../test/http/reader.ts'
import { adoptSession, createSites, openSession, settled } from '../../../../test/http/sites.ts'
import { SlowMotion } from '../../../../test/setup/slow-motion.ts'
import type { Session } from '../sessions/session.ts'
import type { HttpSite } from '../site.ts'
import { follow } from './followed.ts'
import { logOf } from './logged-events.ts'

const message = (number: number) => ({ jsonrpc: '2.0', method: `step ${number}` }) as const
const call = { kind: 'request', id: 7, method: 'tools/call', params: { name: 'echo' }, length: 2 } as const
const told = (stream: string, number: number, text: object) =>
  `id: ${stream}:${number}\ndata: ${JSON.stringify(text)}`

/** A call that one node answers, and whose client goes on at the other. */
async function begin() {
  const created = createSites(2)
  const [a, b] = created.sites as [HttpSite, HttpSite] // Two, as asked for.
  await Promise.all([a.node?.open(), b.node?.open()])
  await created.wait(6000)
  const ours = await openSession(a, 's')
  const theirs = await adoptSession(b, 's')
  const first = createReader()
  const stream = ours.openStream(first.exchange, undefined, call)
  const back = createReader()
  const goOn = (session: Session = theirs, after = 0, client = back) =>
    follow({ session, exchange: client.exchange, stream: stream.id, after })
  return { ...created, a, b, ours, theirs, stream, first, back, goOn }
}

it('tells a client what it has missed, and what comes, until the end', async () => {
  const { stream, first, back, goOn, b, wait } = await begin()
  stream.send(message(1))
  stream.send(message(2))
  expect(await goOn(undefined, 1)).toBe(true)
  await settled()
  expect(back.heard).toEqual([told(stream.id, 2, message(2))])
  expect(first.heard.at(-1)).toBe('end')
  stream.send(message(3))
  await settled()
  expect(back.heard.at(-1)).toBe(told(stream.id, 3, message(3)))
  stream.end({ jsonrpc: '2.0', id: 7, result: {} })
  await wait(1000)
  expect(back.heard.slice(-2)).toEqual([told(stream.id, 4, { jsonrpc: '2.0', id: 7, result: {} }), 'end'])
  expect(b.server.traced.replayed).toBe(3)
  expect(b.places.all.streams).toBe(0)
})

it('listens, says that it reads, and has told the node that writes before it reads', async () => {
  const { a, b, stream, goOn, wait } = await begin()
  stream.send(message(1))
  await settled()
  const slow = new SlowMotion().slowStore(b.store)
  expect(await goOn()).toBe(true)
  await slow.rest()
  expect(slow.take()).toEqual([
    'get events/…',
    'read events/… during get events/…',
    'subscribe events/…',
    'publish events/…',
    'publish node/…',
    'read events/…',
  ])
  await a.node?.close()
  await wait(1200)
  await slow.rest()
  expect(slow.take()).toEqual([
    'read events/…',
    'get node/…',
    'get nodes/… during get node/…',
    'read events/…',
    'get events/…',
    'put events/…',
    'append events/…',
    'publish events/…',
    'read events/…',
    'end of subscribe events/…',
  ])
})

it('writes an event when the one before has been taken', async () => {
  const { stream, back, goOn } = await begin()
  for (const number of [1, 2, 3]) stream.send(message(number))
  back.pause()
  expect(await goOn()).toBe(true)
  await settled()
  expect(back.heard).toHaveLength(1)
  back.resume()
  await settled()
  expect(back.heard).toHaveLength(3)
})

it('has nothing to tell of a stream that has been heard to its end, or that nobody knows', async () => {
  const { stream, goOn, theirs, b } = await begin()
  stream.send(message(1))
  stream.end({ jsonrpc: '2.0', id: 7, result: {} })
  await settled()
  expect(await goOn(undefined, 2)).toBe(false)
  const exchange = createReader().exchange
  const unknown = (name: string) => follow({ session: theirs, exchange, stream: name, after: 0 })
  expect(await unknown(`${stream.id}9`)).toBe(false)
  expect(await unknown('1')).toBe(false)
  expect(await unknown(`${b.node?.id}-9`)).toBe(false)
  expect(await unknown('0123456789-1')).toBe(false)
})

it('waits for a node that has had nothing to say yet', async () => {
  const { stream, back, goOn, kept } = await begin()
  expect(await kept.get(logOf('s', stream.id))).toBe(undefined)
  expect(await goOn()).toBe(true)
  await settled()
  expect(back.heard).toEqual([])
  stream.end({ jsonrpc: '2.0', id: 7, result: {} })
  await settled()
  expect(back.heard).toEqual([told(stream.id, 1, { jsonrpc: '2.0', id: 7, result: {} }), 'end'])
})

it('leaves the stream to whoever comes last', async () => {
  const { stream, back, goOn } = await begin()
  stream.send(message(1))
  const last = createReader()
  await goOn()
  await settled()
  await goOn(undefined, 1, last)
  await settled()
  expect(back.heard).toEqual([told(stream.id, 1, message(1)), 'end'])
  stream.send(message(2))
  await settled()
  expect(last.heard).toEqual([told(stream.id, 2, message(2))])
  expect(back.heard).toHaveLength(2)
})

it('leaves the stream to the last of two who come at once', async () => {
  const { stream, back, goOn } = await begin()
  stream.send(message(1))
  await settled()
  const last = createReader()
  await Promise.all([goOn(), goOn(undefined, 0, last)])
  await settled()
  stream.send(message(2))
  await settled()
  expect(back.heard.at(-1)).toBe('end')
  expect(last.heard).toEqual([told(stream.id, 1, message(1)), told(stream.id, 2, message(2))])
})

it('answers the calls of a node that is gone, once', async () => {
  const { a, b, kept, stream, back, goOn, wait } = await begin()
  stream.send(message(1))
  await goOn()
  await settled()
  await a.node?.close()
  await wait(1500)
  const error = {
    code: -32603,
    message: 'The server that ran this call is gone: it may have been carried out or not',
    data: { retry: false },
  }
  expect(back.heard).toEqual([
    told(stream.id, 1, message(1)),
    told(stream.id, 2, { jsonrpc: '2.0', id: 7, error }),
    'end',
  ])
  expect(b.server.traced.lost).toBe(1)
  expect((await kept.get(logOf('s', stream.id)))?.value).toMatchObject({ v: 1, calls: [{ id: 7 }] })
})

it('leaves it to somebody else who has undertaken to answer, for five seconds', async () => {
  const { a, kept, stream, back, goOn, wait } = await begin()
  stream.send(message(1))
  await goOn()
  await settled()
  await kept.put(logOf('s', stream.id), { v: 1, calls: [{ id: 7, retry: true }], lost: 1 })
  await a.node?.close()
  await wait(1000 + 4900) // It is a second until somebody looks again.
  expect(back.heard).toHaveLength(1)
  await wait(100)
  expect(back.heard).toHaveLength(3)
  expect(back.heard[1]).toContain('call again')
})

it.each([{ v: 2, calls: 'in other words' }, { calls: [{ id: 7, retry: true }] }, true])(
  'answers nothing for a node that is gone where its calls are %j, and sends nobody round in circles',
  async (calls) => {
    const { a, kept, stream, back, goOn, wait } = await begin()
    stream.send(message(1))
    await goOn()
    await settled()
    await kept.put(logOf('s', stream.id), calls)
    await a.node?.close()
    await wait(1500)
    expect(back.heard).toEqual([told(stream.id, 1, message(1)), 'end'])
    expect((await kept.get(logOf('s', stream.id)))?.value).toEqual(calls)
    expect(await goOn(undefined, 1)).toBe(false)
  },
)

it('ends where its client leaves, and holds no place and no clock then', async () => {
  const { b, stream, back, goOn, clocks } = await begin()
  const before = clocks()
  stream.send(message(1))
  await goOn()
  await settled()
  expect(b.places.all.streams).toBe(1)
  back.leave()
  await settled()
  stream.send(message(2))
  await settled()
  expect([back.heard.length, b.places.all.streams, clocks()]).toEqual([1, 0, before])
})

it('ends where the store fails, so that its client comes back', async () => {
  const { b, stream, back, goOn } = await begin()
  stream.send(message(1))
  await settled()
  Object.assign(b.store, { subscribe: () => Promise.reject(new Error('away')) })
  expect(await goOn()).toBe(true)
  await settled()
  expect(back.heard).toEqual(['end'])
})

describe('a stream that nobody has any more', () => {
  const KEPT = { ttlMs: 60_000, keep: 10 }

  /** What a client hears of a stream of which this is kept. */
  async function resume(stream: string, { b, theirs, kept }: Awaited<ReturnType<typeof begin>>, after = 0) {
    const name = logOf('s', stream)
    await kept.put(name, { v: 1, calls: [{ id: 9, retry: true }] }, KEPT)
    const { exchange, heard } = createReader()
    await follow({ session: theirs, exchange, stream, after })
    await settled()
    return { heard, lost: () => b.server.traced.lost }
  }

  it('though its node is there, is answered for', async () => {
    const begun = await begin()
    const { heard, lost } = await resume(`${begun.a.node?.id}-77`, begun)
    expect([heard.length, heard.at(-1), lost()]).toEqual([2, 'end', 1])
    expect(heard[0]).toContain('"id":9,"error":')
  })

  it('and was of this node, is answered for', async () => {
    const begun = await begin()
    const { heard, lost } = await resume(`${begun.b.node?.id}-77`, begun)
    expect([heard.length, heard.at(-1), lost()]).toEqual([2, 'end', 1])
  })

  it('ends where nobody knows its calls, after what there is', async () => {
    const { theirs, kept, b, wait } = await begin()
    const stream = `${b.node?.id}-78`
    await kept.append(logOf('s', stream), { number: 1, text: '{}' }, KEPT)
    const { exchange, heard } = createReader()
    expect(await follow({ session: theirs, exchange, stream, after: 1 })).toBe(false)
    expect(await follow({ session: theirs, exchange, stream, after: 0 })).toBe(true)
    await wait(2500)
    expect(heard).toEqual([told(stream, 1, {}), 'end'])
  })

  it('is not answered for where its node has written the end after all', async () => {
    const begun = await begin()
    const stream = '0123456789-1'
    const isAlive = async () => {
      await begun.kept.append(logOf('s', stream), { number: 1, text: '{}', end: true }, KEPT)
      return false
    }
    Object.assign(begun.b.node ?? {}, { isAlive })
    const { heard, lost } = await resume(stream, begun)
    await begun.wait(2500)
    expect([heard, lost()]).toEqual([[told(stream, 1, {}), 'end'], 0])
  })

  it('is left to who has undertaken it at the same time', async () => {
    const begun = await begin()
    const { b, kept, wait } = begun
    const stream = '0123456789-1'
    const { put } = b.store
    Object.assign(b.store, {
      put: async (...args: Parameters<typeof put>) => {
        await kept.put(args[0], { v: 1, calls: [{ id: 9, retry: true }], lost: 1 }, KEPT)
        return put.apply(b.store, args)
      },
    })
    const { heard, lost } = await resume(stream, begun)
    await wait(1500)
    expect([heard, lost()]).toEqual([[], 0])
  })
})
