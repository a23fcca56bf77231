import { describe, expect, it } from 'vitest'
import { SlowMotion } from '../../../../test/setup/slow-motion.ts'
import type { Json, Store } from '../../../kernel/index.ts'
import { MemoryStore } from '../../../stores/memory.ts'
import { EventLog, type EventLogOptions } from './event-log.ts'
import { logOf, OVER } from './logged-events.ts'
import { StreamLog } from './stream-log.ts'

const NAME = logOf('s', '1')
const CALLS = { v: 1, calls: [{ id: 1, retry: true }] } as const
/** What an event of one letter costs. */
const COST = 201

function createLogs(bounds: Partial<EventLogOptions> = {}) {
  let time = 0
  const kept = new MemoryStore({ now: () => time })
  const asked: string[] = []
  const refused = new Set<keyof Store>()
  const store: Store = new Proxy(kept, {
    get:
      (target, name: keyof Store) =>
      (...args: unknown[]) => {
        asked.push(name)
        if (refused.has(name)) return Promise.reject(new Error('away'))
        return (target[name] as (...given: unknown[]) => unknown).apply(target, args) // Every member of a store is a method.
      },
  })
  const failures: unknown[] = []
  const retries: { readonly milliseconds: number; readonly run: () => void }[] = []
  const logs = new EventLog(store, {
    keep: 10,
    ttlMs: 60_000,
    streamBytes: 1_000_000,
    sessionBytes: 1_000_000,
    bytes: 1_000_000,
    now: () => time,
    after: (milliseconds, run) => {
      retries.push({ milliseconds, run })
      return () => {}
    },
    failed: (error) => void failures.push(error),
    ...bounds,
  })
  let troubles = 0
  const create = (stream = '1', session = 's', calls?: typeof CALLS) =>
    new StreamLog(logs, { session, stream, calls, troubled: () => void troubles++ })
  const pass = (milliseconds: number) => {
    time += milliseconds
  }
  const numbers = async () =>
    (await kept.read(NAME, 0, 100)).map(({ value }) => (value as { number: number }).number)
  return { logs, kept, asked, refused, failures, retries, create, pass, numbers, troubles: () => troubles }
}

const settle = () => new Promise(setImmediate)

function say(log: StreamLog, ...numbers: number[]) {
  for (const number of numbers) log.append({ number, text: 'x' })
}

it('keeps the last events of a stream, as many as it may, and knows which it has lost', async () => {
  const { logs, create, numbers, pass } = createLogs({ keep: 3 })
  const log = create()
  pass(5)
  say(log, 1, 2, 3)
  expect([log.events, log.bytes, log.lost, log.lastAt]).toEqual([3, 3 * COST, 0, 5])
  say(log, 4, 5)
  expect([log.events, log.bytes, log.lost]).toEqual([3, 3 * COST, 2])
  expect([logs.bytes, logs.largestSession]).toEqual([3 * COST, 3 * COST])
  expect(logs.largestStream).toEqual({ bytes: 3 * COST, events: 3 })
  expect((await log.read(0)).map(({ number }) => number)).toEqual([3, 4, 5])
  expect((await log.read(4)).map(({ number }) => number)).toEqual([5])
  expect(await numbers()).toEqual([3, 4, 5])
})

it('keeps as many bytes of a stream as it may, and not one more', async () => {
  const { create, numbers } = createLogs({ streamBytes: 2 * COST })
  const log = create()
  say(log, 1, 2)
  expect(log.events).toBe(2)
  say(log, 3)
  expect([log.events, log.bytes, log.lost]).toEqual([2, 2 * COST, 1])
  await settle()
  expect(await numbers()).toEqual([2, 3])
})

it('keeps what is too long for it where somebody on another node reads it, and nowhere else', async () => {
  const { create, numbers, kept } = createLogs({ streamBytes: 10 })
  const log = create()
  say(log, 1)
  await settle()
  expect([log.events, log.lost, await numbers()]).toEqual([0, 1, []])
  const told: Json[] = []
  await kept.subscribe(NAME, (number) => void told.push(number))
  log.follow()
  expect(log.followed).toBe(true)
  say(log, 2)
  await settle()
  say(log, 3)
  await settle()
  expect([log.events, log.lost, await numbers()]).toEqual([1, 2, [3]])
  expect(told).toEqual([2, 3])
})

it('tells whoever reads it on another node that it is over', async () => {
  const { create, kept } = createLogs()
  const log = create()
  const told: Json[] = []
  await kept.subscribe(NAME, (number) => void told.push(number))
  say(log, 1)
  log.append({ number: 2, text: '', end: true })
  log.lose()
  await settle()
  expect(told).toEqual([])
  log.follow()
  await settle()
  expect(told).toEqual([OVER])
  log.tellReaders()
  expect(told).toEqual([OVER, NAME])
})

describe('of a session and in all', () => {
  it('has the stream that was silent longest make room', async () => {
    const { logs, create } = createLogs({ sessionBytes: 2 * COST })
    const [one, two, other] = [create('1'), create('2'), create('3', 'other')]
    say(other, 1)
    say(one, 1)
    say(two, 1)
    say(one, 2)
    expect([one.events, two.events, other.events]).toEqual([2, 0, 1])
    expect([two.lost, logs.bytes, logs.largestSession]).toEqual([1, 3 * COST, 2 * COST])
  })

  it('lets go of no more than has to go', () => {
    const { logs, create } = createLogs({ bytes: 3 * COST })
    const [one, two, three, four] = [create('1'), create('2', 't'), create('3', 'u'), create('4', 'v')]
    for (const log of [one, two, three]) say(log, 1)
    expect(logs.bytes).toBe(3 * COST)
    say(four, 1)
    expect([one.events, two.events, three.events, four.events]).toEqual([0, 1, 1, 1])
    expect(logs.bytes).toBe(3 * COST)
  })

  it('does not let go of what somebody on another node is about to read', () => {
    const { create } = createLogs({ sessionBytes: COST })
    const [one, two] = [create('1'), create('2')]
    two.follow()
    say(one, 1)
    say(two, 1, 2)
    expect([one.events, two.events]).toEqual([0, 2])
  })
})

it('forgets what has expired, and what of a session nobody will come back for', async () => {
  const { logs, create, kept, pass } = createLogs()
  const [one, two, other] = [create('1'), create('2'), create('3', 'other')]
  say(one, 1)
  pass(60_000)
  say(two, 1)
  say(other, 1)
  logs.sweep()
  expect(one.events).toBe(1)
  pass(1)
  logs.sweep()
  expect([one.events, one.lost, two.events]).toEqual([0, 1, 1])
  logs.drop('s')
  await settle()
  expect([two.events, other.events, logs.bytes, kept.size]).toEqual([0, 1, COST, 1])
})

it('is counted no more when it goes on elsewhere, and goes on with what is there', async () => {
  const { logs, create, numbers } = createLogs()
  const first = create()
  say(first, 1, 2)
  await settle()
  const second = create()
  expect(await second.takeOver(1)).toBe(2)
  expect([first.events, second.events, logs.bytes]).toEqual([0, 2, 2 * COST])
  expect(await create('2').takeOver(7)).toBe(7)
  first.release()
  expect(logs.bytes).toBe(2 * COST)
  expect(await numbers()).toEqual([1, 2])
})

describe('where the store fails', () => {
  it('is written when the store is there again, a second later, in the order in which it came', async () => {
    const { create, refused, failures, retries, numbers, troubles } = createLogs()
    const log = create()
    refused.add('append')
    say(log, 1)
    await settle()
    say(log, 2)
    expect([failures.length, troubles(), retries.map(({ milliseconds }) => milliseconds)]).toEqual([
      1,
      1,
      [1000],
    ])
    refused.delete('append')
    retries[0]?.run()
    await settle()
    expect(await numbers()).toEqual([1, 2])
    say(log, 3)
    await settle()
    expect(await numbers()).toEqual([1, 2, 3])
  })

  it('waits for a megabyte and no more, and is not written when it has been forgotten', async () => {
    const { create, refused, retries, asked } = createLogs({
      streamBytes: 10_000_000,
      bytes: 10_000_000,
      sessionBytes: 10_000_000,
    })
    const log = create()
    refused.add('append')
    log.append({ number: 1, text: 'x'.repeat(1024 * 1024 - 200) })
    await settle()
    expect([log.events, log.lost]).toEqual([1, 0])
    say(log, 2)
    retries.at(-1)?.run()
    await settle()
    expect([log.events, log.lost]).toEqual([0, 2])
    refused.clear()
    asked.length = 0
    retries.at(-1)?.run()
    await settle()
    expect(asked).toEqual(['delete'])
  })

  it('troubles nobody when it is only readers that are not told', async () => {
    const { create, refused, failures, troubles } = createLogs()
    const log = create()
    say(log, 1)
    await settle()
    refused.add('publish')
    log.follow()
    await settle()
    expect([failures.length, troubles()]).toEqual([1, 0])
    log.tellReaders()
    await settle()
    expect(failures).toHaveLength(2)
  })
})

it('gives the store at most a hundred events at once', async () => {
  const { create, refused, asked, retries } = createLogs({ keep: 1000 })
  const log = create()
  refused.add('append')
  say(log, ...Array.from({ length: 150 }, (_, index) => index + 1))
  await settle()
  expect(asked.filter((name) => name === 'append')).toHaveLength(100)
  refused.delete('append')
  asked.length = 0
  retries[0]?.run()
  await settle()
  expect(asked.filter((name) => name === 'append')).toHaveLength(150)
})

describe('the calls that a stream answers', () => {
  it('are written down with its first event, and once only', async () => {
    const { create, kept, asked } = createLogs()
    const log = create('1', 's', CALLS)
    say(log, 1)
    await settle()
    say(log, 2)
    await settle()
    expect((await kept.get(NAME))?.value).toEqual(CALLS)
    expect(asked.filter((name) => name === 'put' || name === 'touch')).toEqual(['put'])
  })

  it('are remembered by the store for longer when a quarter of their time has passed', async () => {
    const { logs, create, asked, pass } = createLogs()
    const log = create('1', 's', CALLS)
    say(log, 1)
    await settle()
    expect(log.toldAt).toBe(0)
    pass(15_000)
    logs.sweep()
    await settle()
    expect(asked).not.toContain('touch')
    pass(1)
    logs.sweep()
    await settle()
    expect(asked.filter((name) => name === 'put' || name === 'touch')).toEqual(['put', 'touch'])
    expect(log.toldAt).toBe(15_001)
  })

  it('are of no interest once they have been answered', async () => {
    const { logs, create, asked, pass } = createLogs()
    const log = create('1', 's', CALLS)
    say(log, 1)
    await settle()
    log.append({ number: 2, text: 'x', end: true })
    await settle()
    pass(15_001)
    logs.sweep()
    await settle()
    expect(asked).toEqual(['put', 'append', 'append'])
  })

  it('are not written down where they are answered at once', async () => {
    const { create, asked } = createLogs()
    create('1', 's', CALLS).append({ number: 1, text: 'x', end: true })
    await settle()
    expect(asked).toEqual(['append'])
  })

  it('are put down anew where the store has forgotten them', async () => {
    const { create, kept } = createLogs()
    const log = create('1', 's', CALLS)
    say(log, 1)
    await settle()
    await kept.delete(NAME)
    log.tellCalls()
    await settle()
    expect((await kept.get(NAME))?.value).toEqual(CALLS)
  })

  it('are known also when what was said has been forgotten, until they are answered', async () => {
    const { create, kept } = createLogs()
    const log = create('1', 's', CALLS)
    say(log, 1)
    await settle()
    log.lose()
    await settle()
    expect([(await kept.get(NAME))?.value, await kept.read(NAME, 0, 9)]).toEqual([CALLS, []])
    log.append({ number: 2, text: 'x', end: true })
    await settle()
    log.lose()
    await settle()
    expect(await kept.get(NAME)).toBe(undefined)
  })

  it('are forgotten with it, though nothing was said', async () => {
    const { logs, create, kept, pass, asked } = createLogs()
    const log = create('1', 's', CALLS)
    log.follow()
    log.tellCalls()
    await settle()
    expect(kept.size).toBe(1)
    log.drop()
    await settle()
    expect(kept.size).toBe(0)
    asked.length = 0
    pass(60_000)
    logs.sweep()
    await settle()
    expect([kept.size, asked]).toEqual([0, []])
  })

  it('are forgotten with it also while the store is being told of them', async () => {
    const { logs, create, kept, pass, asked } = createLogs()
    const slow = new SlowMotion().slowStore(kept)
    const log = create('1', 's', CALLS)
    log.follow()
    await Promise.resolve()
    log.drop()
    await slow.rest()
    expect(kept.size).toBe(0)
    asked.length = 0
    pass(60_000)
    logs.sweep()
    await slow.rest()
    expect(asked).toEqual([])
  })
})

it('asks nothing of the store when there is nothing to forget', async () => {
  const { create, asked } = createLogs()
  const log = create()
  log.drop()
  log.lose()
  await settle()
  expect(asked).toEqual([])
})

it('gives the store one thing after the other', async () => {
  const { kept, create } = createLogs()
  const slow = new SlowMotion().slowStore(kept)
  const asked = async () => {
    await slow.rest()
    return slow.take().map((one) => one.replaceAll(' events/…', ''))
  }
  const log = create('1', 's', CALLS)
  say(log, 1, 2)
  expect(await asked()).toEqual(['put', 'append', 'append during append'])
  log.follow()
  say(log, 3)
  expect(await asked()).toEqual(['append', 'publish'])
  say(log, 4)
  log.tellCalls()
  expect(await asked()).toEqual(['touch', 'append', 'publish'])
  log.lose()
  say(log, 5)
  expect(await asked()).toEqual(['delete', 'append', 'publish', 'put', 'publish'])
  say(log, 6)
  expect((await log.read(5)).map(({ number }) => number)).toEqual([6])
})

it('has nothing to lose where nothing of it is kept any more', async () => {
  const { logs, create, pass } = createLogs()
  const log = create()
  say(log, 1, 2)
  await settle()
  log.release()
  pass(60_001)
  logs.sweep()
  expect(log.lost).toBe(0)
})

it('does not give a store what has been forgotten while it took its time', async () => {
  const { kept, create, numbers } = createLogs()
  const given: number[] = []
  let answer = () => {}
  const append = kept.append.bind(kept)
  kept.append = async (name, value, options) => {
    given.push((value as { number: number }).number)
    await new Promise<void>((resolve) => {
      answer = resolve
    })
    return append(name, value, options)
  }
  const log = create()
  say(log, 1)
  await settle()
  say(log, ...Array.from({ length: 30 }, (_, place) => place + 2))
  kept.append = async (name, value, options) => {
    given.push((value as { number: number }).number)
    return append(name, value, options)
  }
  answer()
  await settle()
  expect(given).toEqual([1, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31])
  expect(await numbers()).toEqual([22, 23, 24, 25, 26, 27, 28, 29, 30, 31])
})
