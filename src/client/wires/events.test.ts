import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, it } from 'vitest'
import type { Arriving } from '../intake.ts'
import { readEvents } from './events.ts'

it.each([
  ['comments', ':\n'],
  ['events', 'data: x\n\n'],
])('%s that come without a pause leave others their turn', async (_what, text) => {
  const [chunks, chunk] = [100, new TextEncoder().encode(text.repeat(1000))]
  let sent = 0
  const body = async function* () {
    for (; sent < chunks; sent++) yield chunk
  }
  let sentBefore = chunks
  setImmediate(() => {
    sentBefore = sent
  })
  let heard = 0
  for await (const { data } of readEvents(body(), { maxMessageBytes: 1_000_000 }))
    if (data === 'x') heard += 1
  expect(heard).toBe(text.startsWith('data') ? chunks * 1000 : 0)
  expect(sentBefore).toBeLessThan(chunks)
})

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as () => void

it.each<[what: string, count: number, chunk: string]>([
  ['an event of many short lines', 100, 'data:ab\n'.repeat(8000)],
  ['a line in many short pieces', 500_000, 'ab'],
  ['short lines between long comments', 400, `data: ${'x'.repeat(20)}\n:${' '.repeat(50_000)}\n`],
])('%s takes little more than it is counted for', async (_what, count, chunk) => {
  const heap = () => {
    collect()
    return process.memoryUsage().heapUsed
  }
  let [counted, taken] = [0, 0]
  const bytes = new TextEncoder().encode(chunk)
  const body = async function* () {
    yield new TextEncoder().encode('data:')
    const before = heap()
    for (let sent = 0; sent < count; sent++) yield bytes
    taken = heap() - before
  }
  const hold = (_: object, held: number) => {
    counted = held || counted
  }
  const intake = { hold, weigh: () => undefined }
  await readEvents(body(), { maxMessageBytes: 10_000_000, intake }).next()
  expect(taken).toBeLessThan(3 * counted + 1_000_000)
})

it('the lines of an event are joined again as they were', async () => {
  const lines = Array.from({ length: 1001 }, (_, at) => `${at} and more of it`)
  const text = lines.map((line) => `data: ${line}\n`).join('')
  const body = async function* () {
    for (const letter of `${text}data\n\n`) yield new TextEncoder().encode(letter)
    yield new TextEncoder().encode(`${text.repeat(2)}\n`)
  }
  const heard: unknown[] = []
  for await (const { data } of readEvents(body(), { maxMessageBytes: 100_000 })) heard.push(data)
  expect(heard).toEqual([[...lines, ''].join('\n'), [...lines, ...lines].join('\n')])
})

it.each([
  ['LF', '\n'],
  ['CR LF', '\r\n'],
  ['CR', '\r'],
])('a line that ends by %s is there at once, however the stream is cut', async (_what, end) => {
  const text = ['data: a', 'data: ü', '', 'data: b', '', ''].join(end)
  const bytes = new TextEncoder().encode(text)
  for (let size = 1; size <= bytes.length; size++) {
    let sent = 0
    const body = async function* () {
      for (; sent < bytes.length; sent += size) yield bytes.subarray(sent, sent + size)
      await new Promise(() => {}) // It stays open.
    }
    const read = readEvents(body(), { maxMessageBytes: 1000 })
    expect((await read.next()).value).toMatchObject({ data: 'a\nü' })
    expect((await read.next()).value).toMatchObject({ data: 'b' })
  }
})

it('one that is large waits for a turn of its own, and may have to give way until then', async () => {
  const body = async function* () {
    yield new TextEncoder().encode(`data: ${'x'.repeat(100_000)}\n\n`)
  }
  const held: number[] = []
  const giveWay = (arriving: Arriving, bytes: number) => {
    held.push(bytes)
    if (bytes > 0) arriving.giveWay(new Error('no room'))
  }
  const intake = { hold: giveWay, weigh: () => undefined }
  const read = readEvents(body(), { maxMessageBytes: 1_000_000, intake })
  await expect(read.next()).rejects.toThrow('no room')
  expect(held).toEqual([expect.any(Number), 0])
  expect(held[0]).toBeGreaterThanOrEqual(100_000)
})
