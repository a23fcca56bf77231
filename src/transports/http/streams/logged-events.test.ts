import { describe, expect, it } from 'vitest'
import { print } from '../../../kernel/index.ts'
import { MemoryStore } from '../../../stores/memory.ts'
import { eventOf, LogReader, logOf, readEvents } from './logged-events.ts'

const NAME = logOf('s', '1')
const KEPT = { keep: 10, ttlMs: 1000 }

function createLogs(keep = 10) {
  const store = new MemoryStore()
  const say = async (...numbers: readonly number[]) => {
    for (const number of numbers) await store.append(NAME, { number, text: 'x' }, KEPT)
  }
  return { store, say, logs: { store, options: { keep } } }
}

const numbersOf = (events: readonly { readonly number: number }[]) => events.map(({ number }) => number)

it('gives what comes after a number, each once, and nothing that is no event', async () => {
  const { store, say, logs } = createLogs()
  for (const value of [7, { number: '8', text: 'x' }, { number: 8 }]) await store.append(NAME, value, KEPT)
  await say(1, 2, 2, 1, 3)
  expect(numbersOf(await readEvents(logs, NAME, 0))).toEqual([1, 2, 3])
  expect(numbersOf(await readEvents(logs, NAME, 2))).toEqual([3])
  expect(numbersOf(await readEvents(logs, NAME, 3))).toEqual([])
})

it('reads a log as it grows, each event once, also where nothing has come for a while', async () => {
  const { store, say, logs } = createLogs()
  const reader = new LogReader(logs, NAME)
  expect(await reader.read()).toEqual([])
  await say(1, 2)
  expect(numbersOf(await reader.read())).toEqual([1, 2])
  expect(await reader.read()).toEqual([])
  await say(3)
  expect(numbersOf(await reader.read())).toEqual([3])
  await store.append(NAME, 'no event', KEPT)
  await say(4)
  expect(numbersOf(await reader.read())).toEqual([4])
})

it('asks for the last event that it has read, and where it has read none for all of them at once', async () => {
  const { store, say, logs } = createLogs()
  const asked: number[] = []
  const { read } = store
  store.read = (name, after, limit) => {
    asked.push(after)
    return read.call(store, name, after, limit)
  }
  const reader = new LogReader(logs, NAME)
  await say(1, 2)
  await reader.read()
  await reader.read()
  expect(asked).toEqual([0, 1])
})

it('begins again with a log that has begun again, though it may have become as long as the one before', async () => {
  const { store, say, logs } = createLogs()
  const reader = new LogReader(logs, NAME)
  await say(1, 2)
  await reader.read()
  await store.delete(NAME)
  await say(3, 4, 5)
  expect(numbersOf(await reader.read())).toEqual([3, 4, 5])
})

it('reads what there is where the log does not have the last one any more', async () => {
  const { store, say, logs } = createLogs()
  const reader = new LogReader(logs, NAME)
  await say(1)
  await reader.read()
  for (const number of [2, 3, 4]) await store.append(NAME, { number, text: 'x' }, { keep: 2, ttlMs: 1000 })
  expect(numbersOf(await reader.read())).toEqual([3, 4])
})

it('reads all there is where the log has given its last one another place', async () => {
  const { store, say, logs } = createLogs()
  const reader = new LogReader(logs, NAME)
  await say(1)
  await reader.read()
  for (const number of [1, 2]) await store.append(NAME, { number, text: 'x' }, { keep: 2, ttlMs: 1000 })
  expect(numbersOf(await reader.read())).toEqual([1, 2])
})

describe('an event', () => {
  const answerOf = (text: string) => {
    const content = [{ type: 'text', text }]
    return { content, reply: { jsonrpc: '2.0', id: 7, result: { content, isError: true } } as const }
  }

  it('that is a long text is held as it is and printed when it is read, whatever has become of the answer', () => {
    const text = '\u0001"'.repeat(8192)
    const { reply, content } = answerOf(text)
    const printed = print(reply)
    const { event, held } = eventOf(3, reply, true)
    content[0] = { type: 'text', text: 'another' }
    expect(held).toBe(text)
    expect(Object.getOwnPropertyDescriptor(event, 'text')?.value).toBeUndefined()
    expect(event).toEqual({ number: 3, text: printed, end: true })
    expect(JSON.parse(JSON.stringify(event))).toEqual({ number: 3, text: printed, end: true })
  })

  it('that is short, or anything else, is held printed', () => {
    const batch = [answerOf('x'.repeat(20_000)).reply]
    for (const message of [
      answerOf('x'.repeat(16_383)).reply,
      batch,
      { jsonrpc: '2.0', method: 'ping' },
    ] as const) {
      const { event, held } = eventOf(1, message)
      expect(held).toBe(print(message))
      expect(Object.getOwnPropertyDescriptor(event, 'text')?.value).toBe(held)
      expect(event).toEqual({ number: 1, text: held })
    }
    expect(eventOf(2, undefined, true)).toEqual({ event: { number: 2, text: '', end: true }, held: '' })
  })
})
