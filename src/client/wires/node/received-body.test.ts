import { expect, it, onTestFinished, vi } from 'vitest'
import { type BodySource, ReceivedBody } from './received-body.ts'

/** A body of so many bytes, and what it has asked of where it comes from. */
function receive(length: number) {
  const asked: string[] = []
  const source: BodySource = {
    pause: () => void asked.push('pause'),
    resume: () => void asked.push('resume'),
    drop: () => void asked.push('drop'),
  }
  const body = new ReceivedBody(source)
  body.add(new Uint8Array(length))
  return { body, asked }
}

it('one that is longer than it may be is not gone on with', () => {
  const { body, asked } = receive(11)
  expect(() => body.readAll({ maxMessageBytes: 10 })).toThrow(expect.objectContaining({ reason: 'too-much' }))
  expect(asked).toEqual(['drop'])
})

it("the connection of one that has come whole is nobody's to drop, for another request may be on it", () => {
  const { body, asked } = receive(11)
  body.end()
  expect(() => body.readAll({ maxMessageBytes: 10 })).toThrow(expect.objectContaining({ reason: 'too-much' }))
  expect(asked).toEqual([])
})

it('one of which nothing more comes is given up, unless it is a stream', async () => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const { body, asked } = receive(5)
  const read = Promise.resolve(body.readAll({ maxMessageBytes: 10 }))
  read.catch(() => {})
  await vi.advanceTimersByTimeAsync(59_000)
  body.add(new Uint8Array(1))
  await vi.advanceTimersByTimeAsync(59_000)
  expect(asked).toEqual([])
  await vi.advanceTimersByTimeAsync(2000)
  await expect(read).rejects.toMatchObject({ reason: 'lost', message: /nothing more of it came for 60 s/ })
  expect(asked).toEqual(['drop'])
  const stream = receive(5)
  void stream.body[Symbol.asyncIterator]().next()
  await vi.advanceTimersByTimeAsync(600_000)
  expect(stream.asked).toEqual([])
})

it('one that is large has a turn of its own, and until then takes room that it may have to give', async () => {
  const held: number[] = []
  const intake = { hold: (_: unknown, bytes: number) => void held.push(bytes), weigh: () => undefined }
  const limits = { maxMessageBytes: 1_000_000, intake }
  const [taken, given] = [receive(100_000).body, receive(100_000).body]
  for (const body of [taken, given]) body.end()
  const [text, none] = [taken.readAll(limits), given.readAll(limits)]
  expect(held).toEqual([100_000, 100_000])
  given.giveWay(new Error('no room'))
  await expect(none).rejects.toThrow('no room')
  await expect(text).resolves.toHaveLength(100_000)
  expect(held).toEqual([100_000, 100_000, 0, 0])
})
