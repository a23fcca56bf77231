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

describe('a contract without a clock to set', () => {
  const contract = testStore({ create: () => new MemoryStore() })
  const waiting = contract.filter(({ name }) => name.includes('expire'))
  it.each(waiting)('waits: $name', ({ run }) => run())
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
