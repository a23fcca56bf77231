import timers from 'node:timers'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { afterAll, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { MemoryStore } from '../../src/stores/memory.ts'
import { testStore } from '../../src/testing/index.ts'
import { runContract } from '../testing/run-contract.ts'

describe('the store in memory', () => {
  let time = 0
  const contract = testStore({
    create: () => new MemoryStore({ now: () => time }),
    pass: (milliseconds) => {
      time += milliseconds
    },
  })
  runContract(contract)
})

it('is waited for where no clock can be set', async () => {
  const contract = testStore({ create: () => new MemoryStore() })
  await contract.find(({ name }) => name === 'entries expire')?.run()
  expect(contract.map(({ name }) => name)).toContain('entries expire')
})

it('takes the clocks of whatever it runs in where that is no Node', async () => {
  const store = new MemoryStore({ sweepMs: 1, now: () => 0 })
  onTestFinished(() => {
    vi.unstubAllGlobals()
  })
  const setInterval = vi.fn(() => 5)
  const clearInterval = vi.fn()
  for (const [name, stub] of Object.entries({ process: undefined, setInterval, clearInterval }))
    vi.stubGlobal(name, stub)
  await store.put('brief', 'a', { ttlMs: 10 })
  await store.close()
  expect([setInterval.mock.calls.length, clearInterval.mock.calls]).toEqual([1, [[5]]])
})

it('says what it expected instead of a number', () => {
  expect(() => new MemoryStore(20 as never)).toThrow(
    'MemoryStore: expected options, an object, got the number 20',
  )
})

it('what has expired is let go by the sweep, and nothing else', async () => {
  let time = 0
  const store = new MemoryStore({ sweepMs: 1, now: () => time })
  onTestFinished(() => store.close())
  await store.put('brief', 'a', { ttlMs: 10 })
  await store.append('brief', 'a', { ttlMs: 10 })
  await store.put('longer', 'a', { ttlMs: 11 })
  await store.append('lasting', 'a')
  time = 10
  await expect.poll(() => store.size).toBe(2)
  expect(await store.get('longer')).toBeDefined()
  expect(await store.read('lasting', 0, 10)).toHaveLength(1)
  time = 11
  await expect.poll(() => store.size).toBe(1)
})

it('a log that is written to for ever takes no more room than what is kept of it', async () => {
  setFlagsFromString('--expose-gc')
  const gc: () => void = runInNewContext('gc')
  const store = new MemoryStore()
  onTestFinished(() => store.close())
  const append = async (times: number) => {
    for (let time = 0; time < times; time++) await store.append('log', time, { keep: 2, keepBytes: 100 })
    gc()
    return process.memoryUsage().heapUsed
  }
  const before = await append(1000)
  expect((await append(500_000)) - before).toBeLessThan(2_000_000)
  expect(await store.read('log', 0, 10)).toEqual([
    { number: 500_999, value: 499_998 },
    { number: 501_000, value: 499_999 },
  ])
})

describe('the sweep', () => {
  const set = vi.spyOn(timers, 'setInterval')
  const cleared = vi.spyOn(timers, 'clearInterval')
  afterAll(() => vi.restoreAllMocks())
  beforeEach(() => vi.clearAllMocks())
  const running = () => {
    const ended = cleared.mock.calls.map(([timer]) => timer)
    return set.mock.results.filter(({ value }) => !ended.includes(value)).length
  }

  it('goes on for as long as something is kept that may expire', async () => {
    let time = 0
    const store = new MemoryStore({ sweepMs: 1, now: () => time })
    await store.put('lasting', 'a')
    expect(running()).toBe(0)
    await store.delete('lasting')
    await store.put('brief', 'a', { ttlMs: 10 })
    await store.enter('group', 'member', { ttlMs: 20, limit: 1 })
    time = 10
    await expect.poll(() => store.size).toBe(1)
    expect(running()).toBe(1)
    time = 20
    await expect.poll(running).toBe(0)
    expect(store.size).toBe(0)
  })

  it('ends with the store', async () => {
    const store = new MemoryStore()
    await store.put('brief', 'a', { ttlMs: 10 })
    await store.close()
    expect([store.size, running()]).toEqual([0, 0])
  })
})
