import timers from 'node:timers'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { MemoryStore } from './memory.ts'

function createStore(sweepMs = 1_000_000) {
  let time = 0
  const store = new MemoryStore({ sweepMs, now: () => time })
  const pass = (milliseconds: number) => {
    time += milliseconds
  }
  return { store, pass }
}

it('holds nothing of what has been left, deleted or closed', async () => {
  const store = new MemoryStore()
  await store.enter('group', 'a', { ttlMs: 10, limit: 2 })
  await store.enter('group', 'b', { ttlMs: 10, limit: 2 })
  await store.leave('group', 'a')
  expect(store.size).toBe(1)
  await store.leave('group', 'b')
  await store.leave('group', 'b')
  expect(store.size).toBe(0)
  await store.put('key', 1)
  await store.append('key', 1)
  expect(store.size).toBe(2)
  await store.delete('key')
  expect(store.size).toBe(0)
  await store.put('key', 1, { ttlMs: 10 })
  await store.take('bucket', { perSecond: 1, burst: 1 })
  await store.close()
  expect(store.size).toBe(0)
})

it('lets go of what has expired at the next sweep', async () => {
  const { store, pass } = createStore(5)
  await store.put('for ever', 1)
  await store.put('key', 1, { ttlMs: 1000 })
  await store.append('log', 1, { ttlMs: 1000 })
  await store.enter('group', 'a', { ttlMs: 1000, limit: 2 })
  await store.enter('group', 'b', { ttlMs: 1500, limit: 2 })
  await store.take('bucket', { perSecond: 1, burst: 1 })
  await store.put('after them', 1, { ttlMs: 999 })
  pass(999)
  await expect.poll(() => store.size).toBe(5)
  pass(1)
  await expect.poll(() => store.size).toBe(2)
  pass(1000)
  await expect.poll(() => store.size).toBe(1)
  await store.delete('for ever')
  await new Promise((resolve) => setTimeout(resolve, 20))
  await store.put('key', 1, { ttlMs: 500 })
  pass(500)
  await expect.poll(() => store.size).toBe(0)
  await store.close()
})

it('sweeps for as long as it holds something, and again when there is something that expires', async () => {
  const sweeps = new Set<unknown>()
  const start = vi.spyOn(timers, 'setInterval').mockImplementation((run) => sweeps.add(run) && (run as never)) // An interval goes by what it runs.
  const stop = vi.spyOn(timers, 'clearInterval').mockImplementation((run) => void sweeps.delete(run))
  onTestFinished(() => {
    start.mockRestore()
    stop.mockRestore()
  })
  const { store, pass } = createStore()
  const sweep = () => {
    for (const run of sweeps) (run as () => void)()
  }
  await store.put('for ever', 1)
  expect(sweeps.size).toBe(0)
  await store.put('key', 1, { ttlMs: 1000 })
  pass(1000)
  sweep()
  expect([store.size, sweeps.size]).toEqual([1, 1])
  await store.delete('for ever')
  sweep()
  expect(sweeps.size).toBe(0)
  await store.put('key', 1, { ttlMs: 1000 })
  expect(sweeps.size).toBe(1)
  await store.close()
  expect(sweeps.size).toBe(0)
})

it('has members that have expired make room, before a sweep', async () => {
  const { store, pass } = createStore()
  const enter = (member: string) => store.enter('group', member, { ttlMs: 1000, limit: 1 })
  expect([await enter('a'), await enter('a'), await enter('b')]).toEqual([true, true, false])
  pass(999)
  expect(await enter('b')).toBe(false)
  pass(1)
  expect(await enter('b')).toBe(true)
})

it('has what has expired be gone at that very moment', async () => {
  const { store, pass } = createStore()
  const lengthOf = async (log: string) => (await store.read(log, 0, 9)).length
  await store.put('key', 1, { ttlMs: 1000 })
  await store.append('log', 1, { ttlMs: 1000 })
  pass(999)
  expect([await store.get('key'), await lengthOf('log')]).toEqual([{ value: 1, version: 1 }, 1])
  expect(await store.touch('key', 1000)).toBe(true)
  pass(1)
  expect([await store.get('key'), await lengthOf('log')]).toEqual([{ value: 1, version: 1 }, 0])
  pass(999)
  expect([await store.get('key'), await store.touch('key', 1)]).toEqual([undefined, false])
  expect([await store.put('key', 2), await store.append('log', 2)]).toEqual([1, 1])
})

describe('a log', () => {
  const numbers = async (store: MemoryStore, after = 0, limit = 99) =>
    (await store.read('log', after, limit)).map(({ number, value }) => [number, value])

  it('keeps the last ones, however many have come', async () => {
    const store = new MemoryStore()
    for (let number = 1; number <= 20; number++)
      expect(await store.append('log', number, { keep: 3 })).toBe(number)
    expect(await numbers(store)).toEqual([
      [18, 18],
      [19, 19],
      [20, 20],
    ])
    expect(await numbers(store, 18)).toEqual([
      [19, 19],
      [20, 20],
    ])
    expect(await numbers(store, 20)).toEqual([])
    expect(await numbers(store, 0, 2)).toEqual([
      [18, 18],
      [19, 19],
    ])
    expect(await numbers(store, 18, 1)).toEqual([[19, 19]])
    await store.append('log', 21, { keep: 0 })
    expect(await numbers(store)).toEqual([[21, 21]])
  })

  it('keeps as many bytes as it may, counting from when that was first asked', async () => {
    const store = new MemoryStore()
    for (const text of ['aaa', 'bbb', 'ccc']) await store.append('log', text)
    await store.append('log', 'ddd', { keepBytes: 15 })
    expect(await numbers(store)).toEqual([
      [2, 'bbb'],
      [3, 'ccc'],
      [4, 'ddd'],
    ])
    await store.append('log', 'eee')
    expect(await numbers(store)).toHaveLength(4)
    await store.append('log', [1], { keepBytes: 13 })
    expect(await numbers(store)).toEqual([
      [4, 'ddd'],
      [5, 'eee'],
      [6, [1]],
    ])
    await store.append('log', 'a long one', { keepBytes: 5 })
    expect(await numbers(store)).toEqual([[7, 'a long one']])
    await store.append('log', 'b', { keepBytes: 15 })
    expect(await numbers(store)).toEqual([
      [7, 'a long one'],
      [8, 'b'],
    ])
  })

  it('counts no bytes of what it had let go of before that was asked', async () => {
    const store = new MemoryStore()
    for (const text of ['aaa', 'bbb', 'ccc', 'ddd', 'eee']) await store.append('log', text, { keep: 3 })
    await store.append('log', 'fff', { keepBytes: 20 })
    expect((await numbers(store)).map(([number]) => number)).toEqual([3, 4, 5, 6])
    await store.append('log', 'ggg', { keepBytes: 15 })
    expect((await numbers(store)).map(([number]) => number)).toEqual([5, 6, 7])
  })
})

it('tells those who listen, and nobody who has left meanwhile any more', async () => {
  const store = new MemoryStore()
  const heard: unknown[] = []
  const leave = await store.subscribe('topic', (message) => heard.push(message))
  const other = await store.subscribe('topic', (message) => heard.push(message))
  await store.publish('topic', 1)
  await leave()
  await store.publish('topic', 2)
  await other()
  const again = await store.subscribe('topic', (message) => heard.push(message))
  await other()
  await store.publish('topic', 3)
  await again()
  await store.publish('topic', 4)
  expect(heard).toEqual([1, 1, 2, 3])
})
