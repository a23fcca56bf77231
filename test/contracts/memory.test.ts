import { describe, expect, it, onTestFinished } from 'vitest'
import { MemoryStore } from '../../src/stores/memory.ts'
import { testStore } from '../../src/testing/index.ts'
import { runContract } from './run-contract.ts'

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
