import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { SlowMotion } from '../../test/setup/slow-motion.ts'
import type { Store } from '../kernel/index.ts'
import { MemoryStore } from './memory.ts'
import { openLater } from './opened-later.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

function createLate() {
  let [tries, away] = [0, false]
  const kept = new MemoryStore()
  const troubled = Object.assign(kept, { trouble: () => 'full' }) as unknown as Store // A memory has none by itself.
  const store = openLater(async () => {
    tries++
    if (away) throw new Error('away')
    return troubled
  }, 'somewhere:')
  const setAway = (value: boolean) => {
    away = value
  }
  return { store, kept, setAway, tries: () => tries }
}

it('is opened when it is first used, and once', async () => {
  const { store, kept, tries } = createLate()
  expect([store.shared, store.place, store.trouble(), tries()]).toEqual([true, 'somewhere:', undefined, 0])
  expect(await store.put('key', 1, { ifVersion: 0 })).toBe(1)
  expect(await store.put('key', 1, { ifVersion: 0 })).toBe(undefined)
  expect(await store.get('key')).toEqual({ value: 1, version: 1 })
  expect(await store.touch('key', 1000)).toBe(true)
  expect(await store.append('log', 'a', { keep: 1 })).toBe(1)
  expect(await store.append('log', 'b', { keep: 1 })).toBe(2)
  expect(await store.read('log', 0, 9)).toEqual([{ number: 2, value: 'b' }])
  const heard: unknown[] = []
  const leave = await store.subscribe('topic', (message) => heard.push(message))
  await store.publish('topic', 'hi')
  await leave()
  expect(heard).toEqual(['hi'])
  const rate = { perSecond: 1, burst: 1 }
  expect([await store.take('bucket', rate), await store.take('bucket', rate)]).toEqual([0, 1000])
  const options = { ttlMs: 1000, limit: 1 }
  expect([await store.enter('g', 'a', options), await store.enter('g', 'b', options)]).toEqual([true, false])
  await store.leave('g', 'a')
  expect(await store.enter('g', 'b', options)).toBe(true)
  await store.delete('key')
  expect(await kept.get('key')).toBe(undefined)
  expect([store.trouble(), tries()]).toEqual(['full', 1])
})

it('is tried again every second while it cannot be opened, and says why it cannot', async () => {
  const { store, setAway, tries } = createLate()
  setAway(true)
  await expect(store.get('a')).rejects.toThrow('away')
  await expect(store.get('b')).rejects.toThrow('away')
  expect([store.trouble(), tries()]).toEqual(['away', 2])
  await vi.advanceTimersByTimeAsync(999)
  expect(tries()).toBe(2)
  await vi.advanceTimersByTimeAsync(1)
  expect(tries()).toBe(3)
  await vi.advanceTimersByTimeAsync(1000)
  expect([tries(), vi.getTimerCount()]).toEqual([4, 1])
  setAway(false)
  await vi.advanceTimersByTimeAsync(1000)
  expect([store.trouble(), tries(), vi.getTimerCount()]).toEqual(['full', 5, 0])
})

it('is not opened any more once it has been closed', async () => {
  const { store, setAway, tries } = createLate()
  setAway(true)
  await expect(store.get('a')).rejects.toThrow('away')
  await store.close()
  await vi.advanceTimersByTimeAsync(5000)
  expect(tries()).toBe(1)
  await expect(store.get('a')).rejects.toThrow('The store has been closed')
  expect(tries()).toBe(1)
})

it('closes what it has opened, and opens nothing for that', async () => {
  const unused = createLate()
  await unused.store.close()
  expect(unused.tries()).toBe(0)
  const { store, kept } = createLate()
  await store.put('key', 1)
  await store.close()
  expect(kept.size).toBe(0)
})

it('is closed when what it has opened is', async () => {
  vi.useRealTimers()
  const { store, kept } = createLate()
  const slow = new SlowMotion().slow(kept, ['close'])
  await store.put('key', 1)
  await store.close()
  expect([slow.asked, slow.underWay]).toEqual([['close'], []])
})

it('is not tried again where it was closed while it was being opened', async () => {
  const { store, setAway, tries } = createLate()
  setAway(true)
  const asked = expect(store.get('a')).rejects.toThrow('away')
  await store.close()
  await asked
  await vi.advanceTimersByTimeAsync(5000)
  expect(tries()).toBe(1)
})
