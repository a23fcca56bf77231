import { describe, expect, it } from 'vitest'
import type { Store } from '../../src/kernel/index.ts'
import { openStore } from '../../src/stores/index.ts'
import { MemoryStore } from '../../src/stores/memory.ts'
import { EventLog } from '../../src/transports/http/streams/event-log.ts'
import { logOf, readEvents } from '../../src/transports/http/streams/logged-events.ts'
import { StreamLog } from '../../src/transports/http/streams/stream-log.ts'

const options = {
  keep: 10,
  ttlMs: 60_000,
  streamBytes: 1_000_000,
  sessionBytes: 1_000_000,
  bytes: 1_000_000,
  now: () => 0,
  after: () => () => {},
  failed: (error: unknown) => expect.unreachable(String(error)),
}

it('writes what comes while others are being told of what came before', async () => {
  const kept = openStore('memory:')
  let comesMeanwhile: (() => void) | undefined
  const store: Store = new Proxy(kept, {
    get: (target, name: keyof Store) =>
      name === 'publish'
        ? async (...told: Parameters<Store['publish']>) => {
            await kept.publish(...told)
            comesMeanwhile?.()
            comesMeanwhile = undefined
          }
        : (target[name] as (...args: unknown[]) => unknown).bind(target), // Every member of a store is a method.
  })
  const logs = new EventLog(store, options)
  const log = new StreamLog(logs, { session: 's', stream: '1', calls: undefined, troubled: () => {} })
  comesMeanwhile = () => log.append({ number: 2, text: 'the answer', end: true })
  log.follow()
  log.append({ number: 1, text: 'a step' })
  await expect.poll(() => readEvents(logs, logOf('s', '1'), 0)).toHaveLength(2)
})

describe('the calls of a stream', () => {
  const calls = { v: 1, calls: [{ id: 1, retry: true }] } as const
  const name = logOf('s', '1')

  function createLog(bounds = {}) {
    let time = 0
    const store = new MemoryStore({ now: () => time })
    const logs = new EventLog(store, { ...options, ...bounds, now: () => time })
    const log = new StreamLog(logs, { session: 's', stream: '1', calls, troubled: () => {} })
    const pass = async (milliseconds: number) => {
      for (const until = time + milliseconds; time < until; ) {
        time += 1000
        logs.sweep()
        await new Promise(setImmediate)
      }
    }
    return { store, logs, log, pass }
  }

  it('are not written down when they have been answered before anything was', async () => {
    const { log, store, logs } = createLog()
    log.append({ number: 1, text: 'a step' })
    log.append({ number: 2, text: 'the answer', end: true })
    await expect.poll(() => readEvents(logs, name, 0)).toHaveLength(2)
    expect(await store.get(name)).toBeUndefined()
  })

  it('are known to other nodes for as long as they are under way', async () => {
    const { store, log, pass } = createLog()
    log.append({ number: 1, text: 'a step' })
    await pass(10 * options.ttlMs)
    expect((await store.get(name))?.value).toEqual(calls)
    log.append({ number: 2, text: 'the answer', end: true })
    await pass(2 * options.ttlMs)
    expect(store.size).toBe(0)
  })

  it('are known though nothing of what was said is kept', async () => {
    const { store, log, pass } = createLog({ streamBytes: 1000 })
    log.append({ number: 1, text: 'x'.repeat(2000) })
    await pass(1000)
    expect((await store.get(name))?.value).toEqual(calls)
  })

  it('are forgotten with the stream', async () => {
    const { store, log, pass } = createLog({ streamBytes: 1000 })
    log.append({ number: 1, text: 'x'.repeat(2000) })
    await pass(1000)
    log.drop()
    await pass(1000)
    expect(store.size).toBe(0)
    await pass(options.ttlMs)
    expect(store.size).toBe(0)
  })
})

it.each([{ streamBytes: 1000 }, { sessionBytes: 1000 }, { bytes: 1000 }])(
  'has the store keep nothing that is more than may be kept: %o',
  async (bounds) => {
    const store = new MemoryStore()
    const logs = new EventLog(store, { ...options, ...bounds })
    const log = new StreamLog(logs, { session: 's', stream: '1', calls: undefined, troubled: () => {} })
    log.append({ number: 1, text: 'x'.repeat(2000), end: true })
    await new Promise(setImmediate)
    expect(logs.bytes).toBe(0)
    expect(store.size).toBe(0)
  },
)

it('is given to the store at once when several events wait', async () => {
  const store = new MemoryStore()
  const { append } = store
  let together = 0
  let most = 0
  store.append = async (...given: Parameters<Store['append']>) => {
    most = Math.max(most, ++together)
    await new Promise(setImmediate)
    together--
    return append.apply(store, given)
  }
  const logs = new EventLog(store, options)
  const log = new StreamLog(logs, { session: 's', stream: '1', calls: undefined, troubled: () => {} })
  for (let number = 1; number <= 5; number++) log.append({ number, text: `step ${number}` })
  await expect.poll(() => readEvents(logs, logOf('s', '1'), 0)).toHaveLength(5)
  expect(most).toBe(5)
})

it('is read once even if the store was given an event twice', async () => {
  const store = new MemoryStore()
  const name = logOf('s', '1')
  for (const number of [1, 2, 1, 2, 3]) await store.append(name, { number, text: `step ${number}` })
  const read = await readEvents(new EventLog(store, options), name, 0)
  expect(read.map(({ number }) => number)).toEqual([1, 2, 3])
})
