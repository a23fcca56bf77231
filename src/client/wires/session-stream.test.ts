import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { ClientError } from '../errors.ts'
import type { Ear } from '../wire.ts'
import type { FetchedAnswer } from './fetching.ts'
import { SessionStream } from './session-stream.ts'

beforeEach(() => {
  vi.useFakeTimers()
})

afterEach(() => {
  vi.useRealTimers()
})

const MESSAGE = 'data: {}\n\n'

/** A stream that says something, and ends after a while. */
function saying(text: string, lastsMs = 0): FetchedAnswer {
  async function* body() {
    yield new TextEncoder().encode(text)
    if (lastsMs > 0) await new Promise((resolve) => setTimeout(resolve, lastsMs))
  }
  return { ok: true, status: 200, headers: { get: () => null }, body: body() as never } // As a body of bytes.
}

const refused = (status: number) => new ClientError('refused', `The server refused: ${status}`, { status })

/** What a session has, where each GET is answered by the next of these, and the last for ever. */
function streamOf(answers: readonly (FetchedAnswer | Error | (() => FetchedAnswer))[]) {
  const [warned, heard, asked]: [Error[], string[], number[]] = [[], [], []]
  const forgotten = vi.fn()
  const ear: Ear = {
    hear: (text) => heard.push(text),
    awaits: () => false,
    fail: () => {},
    warn: (error) => warned.push(error),
    reopen: async () => {},
  }
  const stream = new SessionStream({
    ear,
    maxMessageBytes: 1000,
    maxReconnects: 2,
    isKept: true,
    forgotten,
    get: async () => {
      const answer = answers[Math.min(asked.push(Date.now()), answers.length) - 1]
      if (answer === undefined || answer instanceof Error) throw answer
      return typeof answer === 'function' ? answer() : answer
    },
  })
  /** How long it was left alone each time. */
  const pauses = () => asked.slice(1).map((time, at) => time - Number(asked[at]))
  return { stream, warned, heard, forgotten, asked, pauses }
}

const GROWING = [500, 1000, 2000, 4000, 8000, 16_000, 30_000, 30_000, 30_000]

describe('the stream of a session', () => {
  it.each([
    ['that ends at once', () => saying(': hello\n\n')],
    ['that cannot be reached', new ClientError('unreachable', 'away')],
    ['before which somebody says that it is away', refused(502)],
  ])('%s is come back to for ever, less and less often, which is told once', async (_, answer) => {
    const { stream, warned, pauses } = streamOf([answer])
    await vi.advanceTimersByTimeAsync(125_000)
    expect(pauses()).toEqual(GROWING)
    expect(warned.map(({ message }) => message)).toEqual([
      'The stream of the session broke off 3 times in a row, and is come back to less and less often',
    ])
    stream.close()
    await vi.advanceTimersByTimeAsync(125_000)
    expect(pauses()).toHaveLength(GROWING.length)
  })

  it('that was there for long is come back to soon, however often', async () => {
    const { stream, warned, pauses } = streamOf([() => saying(': hello\n\n', 60_000)])
    await vi.advanceTimersByTimeAsync(1_000_000)
    expect(new Set(pauses())).toEqual(new Set([60_500]))
    expect(warned).toHaveLength(1)
    stream.close()
  })

  it('that tells something each time is come back to as it asks, and not more than five times a second', async () => {
    const { stream, warned, heard, pauses } = streamOf([() => saying(`retry: 1\n${MESSAGE}`)])
    await vi.advanceTimersByTimeAsync(10_000)
    expect(new Set(pauses())).toEqual(new Set([200]))
    expect(heard).toHaveLength(51)
    expect(warned).toEqual([])
    stream.close()
  })

  it('that asks to be left alone for a day is left alone for half a minute', async () => {
    const { stream, pauses } = streamOf([() => saying('retry: 86400000\n\n')])
    await vi.advanceTimersByTimeAsync(100_000)
    expect(pauses()).toEqual([30_000, 30_000, 30_000])
    stream.close()
  })

  it('may have missed something after a gap, unless it is gone on with', async () => {
    const { stream } = streamOf([() => saying(': hello\n\n', 10_000)])
    const first = stream.current
    await vi.advanceTimersByTimeAsync(10_100)
    expect([typeof first, stream.current]).toEqual(['object', undefined])
    await vi.advanceTimersByTimeAsync(1000)
    expect(stream.current).not.toBe(first)
    stream.close()
    const { stream: kept } = streamOf([() => saying('id: 1\n\n', 10_000)])
    const whole = kept.current
    await vi.advanceTimersByTimeAsync(15_000)
    expect(kept.current).toBe(whole)
    kept.close()
  })

  it.each([
    ['405, which says that there is none', [refused(405)], []],
    ['405 later on', [saying(MESSAGE), refused(405)], []],
    ['another refusal where it was never there, which is told', [refused(403)], ['The server refused: 403']],
  ])('is over after %s', async (_, answers, told) => {
    const { stream, warned, asked, forgotten } = streamOf(answers)
    await vi.advanceTimersByTimeAsync(1_000_000)
    expect(asked).toHaveLength(answers.length)
    expect(warned.map(({ message }) => message)).toEqual(told)
    expect([stream.current, forgotten.mock.calls.length]).toEqual([undefined, 0])
  })

  it('that was there says when its session is gone', async () => {
    const { forgotten, asked } = streamOf([saying(MESSAGE), refused(404)])
    await vi.advanceTimersByTimeAsync(1_000_000)
    expect([forgotten.mock.calls.length, asked.length]).toEqual([1, 2])
  })
})
