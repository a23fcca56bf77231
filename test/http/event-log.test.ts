import { describe, expect, it } from 'vitest'
import type { Store } from '../../src/kernel/index.ts'
import { openStore } from '../../src/stores/index.ts'
import { MemoryStore } from '../../src/stores/memory.ts'
import { EventLog } from '../../src/transports/http/streams/event-log.ts'
import { logOf, readEvents } from '../../src/transports/http/streams/logged-events.ts'

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
  const log = logs.open({ session: 's', stream: '1', calls: undefined, troubled: () => {} })
  comesMeanwhile = () => log.append({ number: 2, text: 'the answer', end: true })
  log.follow()
  log.append({ number: 1, text: 'a step' })
  await expect.poll(() => readEvents(logs, logOf('s', '1'), 0)).toHaveLength(2)
})

describe('the calls of a stream', () => {
  const calls = { calls: [{ id: 1, retry: true }] }
  const name = logOf('s', '1')

  function createLog(bounds = {}) {
    let time = 0
    const store = new MemoryStore({ now: () => time })
    const logs = new EventLog(store, { ...options, ...bounds, now: () => time })
    const log = logs.open({ session: 's', stream: '1', calls, troubled: () => {} })
    const pass = async (milliseconds: number) => {
      for (const until = time + milliseconds; time < until; ) {
        time += 1000
        logs.sweep()
        await new Promise(setImmediate)
      }
    }
    return { store, log, pass }
  }

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
    const log = logs.open({ session: 's', stream: '1', calls: undefined, troubled: () => {} })
    log.append({ number: 1, text: 'x'.repeat(2000), end: true })
    await new Promise(setImmediate)
    expect(logs.bytes).toBe(0)
    expect(store.size).toBe(0)
  },
)
