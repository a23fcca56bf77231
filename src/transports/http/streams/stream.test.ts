import { describe, expect, it } from 'vitest'
import { createReader } from '../../../../test/http/reader.ts'
import { createSites, firstOf, openSession, settled } from '../../../../test/http/sites.ts'
import type { HttpSettings } from '../settings.ts'
import { logOf } from './logged-events.ts'
import { MissedChanges } from './missed-changes.ts'
import { parseEventId, Stream } from './stream.ts'

const NAME = logOf('s', '1')
const CHANGED = { jsonrpc: '2.0', method: 'notifications/tools/list_changed' } as const
const ANSWER = { jsonrpc: '2.0', id: 7, result: {} } as const

const step = (number: number) => ({ jsonrpc: '2.0', method: `step ${number}` }) as const
const told = (number: number, said: object = step(number)) => `id: 1:${number}\ndata: ${JSON.stringify(said)}`

interface Begun {
  readonly priming?: boolean
  readonly changes?: MissedChanges
  readonly settings?: Partial<HttpSettings>
}

async function begin({ priming = false, changes, settings = {} }: Begun = {}) {
  const created = createSites(1, settings)
  const state = firstOf(created.sites)
  const { link, principal } = await openSession(state, 's')
  const owner = { id: 's', state, link, principal, priming }
  const stream = new Stream(owner, { id: '1', ...(changes && { changes }) })
  const say = (...numbers: readonly number[]) => {
    for (const number of numbers) stream.send(step(number))
  }
  return { ...created, state, owner, stream, say, now: state.server.platform.now }
}

it('numbers what it says, and writes it to whoever is connected', async () => {
  const { stream, say } = await begin()
  const reader = createReader()
  stream.connect(reader.exchange, { 'x-more': '1' })
  say(1, 2)
  expect(reader.headers).toMatchObject({ 'content-type': 'text/event-stream', 'x-more': '1' })
  expect([reader.comments, reader.heard]).toEqual([[': open'], [told(1), told(2)]])
  expect([stream.last, stream.connected, stream.heard, stream.behind]).toEqual([2, true, true, false])
  expect(stream.ended).toBe(false)
  stream.end(ANSWER)
  expect(reader.heard.slice(2)).toEqual([told(3, ANSWER), 'end'])
  expect([stream.last, stream.connected, stream.ended]).toEqual([3, false, true])
})

it('ends without a word where nothing is left to say', async () => {
  const { stream } = await begin()
  const [reader, late] = [createReader(), createReader()]
  stream.connect(reader.exchange)
  stream.end()
  expect(reader.heard).toEqual(['end'])
  stream.attach(late.exchange, {}, 0)
  await settled()
  expect(late.heard).toEqual(['end'])
})

it('keeps nothing of what is said when it has been forgotten, whether anything had been kept or not', async () => {
  for (const before of [[], [1, 2]]) {
    const { stream, say, state } = await begin()
    say(...before)
    stream.forget()
    say(3)
    stream.end(ANSWER)
    await settled()
    expect(state.log.bytes).toBe(0)
    expect(await state.server.platform.store.read(NAME, 0, 10)).toEqual([])
  }
})

it('gives its client an id to come back with, where its revision has that', async () => {
  const { stream, say } = await begin({ priming: true, settings: { retryMs: 77 } })
  const [first, second] = [createReader(), createReader()]
  stream.connect(first.exchange)
  say(1, 2)
  first.leave()
  stream.attach(second.exchange, {})
  expect(first.heard[0]).toBe('id: 1:0\nretry: 77\ndata: ')
  expect(second.heard[0]).toBe('id: 1:2\nretry: 77\ndata: ')
})

describe('a client that comes back', () => {
  it('hears what it has missed, and then what comes', async () => {
    const { stream, say } = await begin()
    const [first, second] = [createReader(), createReader()]
    stream.connect(first.exchange)
    say(1, 2)
    first.leave()
    expect([stream.connected, stream.heard, stream.behind]).toEqual([false, false, false])
    say(3)
    expect(stream.behind).toBe(true)
    stream.attach(second.exchange, { 'x-more': '1' }, 1)
    await settled()
    expect([second.heard, stream.behind]).toEqual([[told(2), told(3)], false])
    expect(second.headers).toMatchObject({ 'x-more': '1' })
    say(4)
    expect(second.heard.at(-1)).toBe(told(4))
  })

  it('hears in their order also what is said while it reads, each once', async () => {
    const { stream, say } = await begin()
    const slow = createReader()
    say(1, 2)
    slow.pause()
    stream.attach(slow.exchange, {})
    await settled()
    say(3)
    stream.end(ANSWER)
    expect([slow.heard, stream.connected]).toEqual([[told(1)], true])
    slow.resume()
    await settled()
    expect(slow.heard).toEqual([told(1), told(2), told(3), told(4, ANSWER), 'end'])
    expect(stream.connected).toBe(false)
  })

  it('has the stream to itself: who was there before is told no more', async () => {
    const { stream, say } = await begin()
    const [first, second] = [createReader(), createReader()]
    say(1, 2)
    first.pause()
    stream.attach(first.exchange, {}, 0)
    await settled()
    stream.attach(second.exchange, {}, 0)
    await settled()
    first.resume()
    first.leave()
    await settled()
    say(3)
    expect(first.heard).toEqual([told(1), 'end'])
    expect(second.heard).toEqual([told(1), told(2), told(3)])
    expect(stream.connected).toBe(true)
  })

  it('is let go where the log cannot be read, and the failure is told', async () => {
    const { stream, say, kept, observed } = await begin()
    say(1)
    const reader = createReader()
    kept.read = () => Promise.reject(new Error('no disk'))
    stream.attach(reader.exchange, {})
    await settled()
    expect([reader.heard, stream.connected]).toEqual([['end'], false])
    expect(observed.at(-1)).toMatchObject({ kind: 'crashed', method: 'event log' })
  })
})

describe('a stream that has ended', () => {
  it('is over half a minute after its end was delivered', async () => {
    const { stream, now } = await begin()
    const reader = createReader()
    stream.connect(reader.exchange)
    expect(stream.isOver(now() + 1e9)).toBe(false)
    stream.end(ANSWER)
    expect([stream.isOver(now() + 30_000), stream.isOver(now() + 30_001)]).toEqual([false, true])
  })

  it('is not over where nobody was there to hear it, or the connection broke at the end', async () => {
    const { stream, now } = await begin()
    const reader = createReader()
    stream.end(ANSWER)
    expect(stream.isOver(now() + 1e9)).toBe(false)
    stream.attach(reader.exchange, {}, 0)
    await settled()
    expect([stream.isOver(now() + 30_000), stream.isOver(now() + 30_001)]).toEqual([false, true])
    reader.leave()
    expect(stream.isOver(now() + 30_001)).toBe(false)
    const again = createReader()
    stream.attach(again.exchange, {}, 1)
    await settled()
    expect([again.heard, stream.isOver(now() + 30_001)]).toEqual([['end'], true])
  })

  it('has done so also where another node took this one for gone, and answered', async () => {
    const { stream, say, kept, now } = await begin()
    const reader = createReader()
    say(1)
    await settled()
    const end = { number: 2, text: JSON.stringify(ANSWER), end: true }
    await kept.append(NAME, end, { keep: 10, ttlMs: 60_000 })
    say(2)
    stream.attach(reader.exchange, {}, 1)
    await settled()
    expect(reader.heard).toEqual([told(2, ANSWER), 'end'])
    expect([stream.ended, stream.isOver(now() + 30_001)]).toEqual([true, true])
  })

  it('has its rest for as long as the end is kept, and for who has heard that', async () => {
    const { stream, say } = await begin({ settings: { maxKeptPerStreamBytes: 300 } })
    say(1, 2)
    expect(stream.hasRest(0)).toBe(true)
    stream.end({ ...ANSWER, result: { text: 'x'.repeat(300) } })
    expect([stream.hasRest(0), stream.hasRest(2), stream.hasRest(3)]).toEqual([false, false, true])
    expect([stream.moved(), stream.heard]).toEqual([false, false])
    const { stream: short, say: sayMore } = await begin({ settings: { maxKeptPerStreamBytes: 300 } })
    sayMore(1, 2)
    short.end(ANSWER)
    expect([short.hasRest(0), short.moved()]).toEqual([true, true])
  })
})

describe('a stream that is read on another node', () => {
  it('is not written here, and its readers there are told when its client is back', async () => {
    const { stream, say, kept } = await begin()
    const [first, second, third] = [createReader(), createReader(), createReader()]
    const heard: unknown[] = []
    await kept.subscribe(NAME, (said) => void heard.push(said))
    stream.connect(first.exchange)
    say(1)
    expect([stream.moved(), first.heard.at(-1)]).toEqual([true, 'end'])
    expect([stream.connected, stream.heard]).toEqual([false, true])
    await settled()
    expect(heard).toEqual([1])
    stream.connect(second.exchange)
    stream.connect(third.exchange)
    await settled()
    expect(heard).toEqual([1, NAME])
    stream.disconnect()
    expect([stream.heard, third.heard]).toEqual([false, ['end']])
  })

  it('goes on here after the last number that the client or the log knows', async () => {
    const { owner, say, kept } = await begin()
    const other = new Stream(owner, { id: '1' })
    say(1, 2)
    await settled()
    await other.takeOver(1)
    expect(other.last).toBe(2)
    await other.takeOver(5)
    other.send(step(6))
    await settled()
    expect((await kept.read(NAME, 0, 9)).map(({ value }) => value)).toMatchObject([
      { number: 1 },
      { number: 2 },
      { number: 6 },
    ])
  })

  it('is counted no more when it is let go, and forgotten when nobody will come back', async () => {
    const { stream, say, kept, state } = await begin()
    const [first, second] = [createReader(), createReader()]
    stream.connect(first.exchange)
    say(1)
    await settled()
    stream.release()
    expect([first.heard.at(-1), state.log.bytes, (await kept.read(NAME, 0, 9)).length]).toEqual(['end', 0, 1])
    stream.connect(second.exchange)
    say(2)
    stream.forget()
    await settled()
    expect([second.heard.at(-1), (await kept.read(NAME, 0, 9)).length]).toEqual(['end', 0])
  })
})

describe('a stream that tells of changes', () => {
  it('keeps nothing else before its client has listened for the first time', async () => {
    const { stream, say, kept } = await begin({ changes: new MissedChanges() })
    const reader = createReader()
    say(1)
    stream.send(CHANGED)
    say(3)
    await settled()
    expect([await kept.read(NAME, 0, 9), stream.behind]).toEqual([[], true])
    stream.attach(reader.exchange, {})
    await settled()
    expect(reader.heard).toEqual([told(2, CHANGED)])
  })

  it('keeps everything after that, and writes no change down', async () => {
    const { stream, say, kept } = await begin({ changes: new MissedChanges() })
    const [first, second] = [createReader(), createReader()]
    stream.attach(first.exchange, {})
    await settled()
    stream.send(CHANGED)
    first.leave()
    say(2)
    stream.send(CHANGED)
    say(4)
    await settled()
    expect([first.heard, (await kept.read(NAME, 0, 9)).length]).toEqual([[told(1, CHANGED)], 2])
    stream.attach(second.exchange, {})
    await settled()
    expect(second.heard).toEqual([told(2), told(3, CHANGED), told(4)])
  })
})

it.each([
  ['1:0', { stream: '1', number: 0 }],
  ['123456789012:123456789012345', { stream: '123456789012', number: 123456789012345 }],
  ['0123456789-1:2', { stream: '0123456789-1', number: 2 }],
  ['1234567890123:1', undefined],
  ['1:1234567890123456', undefined],
  ['012345678-1:2', undefined],
  ['01234567890-1:2', undefined],
  ['x1:1', undefined],
  ['1:1x', undefined],
])('reads the id of an event: %s', (text, expected) => {
  expect(parseEventId(text)).toEqual(expected)
})
