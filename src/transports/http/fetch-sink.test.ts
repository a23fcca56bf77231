import { expect, it } from 'vitest'
import { FetchSink } from './fetch-sink.ts'

const LARGE = 64 * 1024

function open() {
  const told: unknown[] = []
  const watch = {
    crowded: (before: number) => void told.push(before),
    ended: () => void told.push('ended'),
    gone: () => void told.push('gone'),
  }
  const sink = new FetchSink(() => void told.push('left'), watch)
  return { sink, told, reader: sink.readable.getReader() }
}

it('counts what has not been read, in bytes, and says where that is much', async () => {
  const { sink, told, reader } = open()
  sink.write('é')
  expect(sink.unread).toBe(2)
  await reader.read()
  expect(sink.unread).toBe(0)
  sink.write('x'.repeat(LARGE))
  expect(told).toEqual([])
  sink.write('x')
  expect([told, sink.unread]).toEqual([[LARGE], LARGE + 1])
})

it('has room until 64 KB are unread, and says when there is some again', async () => {
  const { sink, reader } = open()
  let drained = 0
  sink.write('x'.repeat(LARGE - 1))
  sink.drained(() => drained++)
  expect(drained).toBe(1)
  sink.write('x')
  sink.drained(() => drained++)
  await new Promise(setImmediate)
  expect(drained).toBe(1)
  await reader.read()
  await reader.read()
  expect(drained).toBe(2)
})

it('ends once, after a last text, and says no more', async () => {
  const { sink, told, reader } = open()
  sink.end('last')
  sink.end('again')
  sink.write('later')
  sink.destroy()
  expect([told, sink.unread]).toEqual([['ended'], 0])
  expect(new TextDecoder().decode((await reader.read()).value)).toBe('last')
  expect((await reader.read()).done).toBe(true)
})

it('is let go by a reader that leaves', async () => {
  const { sink, told, reader } = open()
  sink.write('x')
  await reader.cancel()
  sink.write('y')
  sink.end()
  expect([told, sink.unread]).toEqual([['left'], 0])
})

it('breaks where it is dropped', async () => {
  const { sink, reader } = open()
  sink.write('x')
  sink.destroy()
  sink.destroy()
  expect(sink.unread).toBe(0)
  let drained = 0
  sink.drained(() => drained++)
  expect(drained).toBe(1)
  await expect(reader.read()).rejects.toThrow('The stream was dropped')
})
