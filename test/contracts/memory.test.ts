import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { MemoryStore } from '../../src/stores/memory.ts'
import { testStore } from './store.ts'

testStore({ name: 'the store in memory', create: () => new MemoryStore(20) })

it('what has expired is let go by the sweep', async () => {
  const store = new MemoryStore(10)
  await store.put('key', 'a', { ttlMs: 1 })
  await store.append('log', 'a', { ttlMs: 1 })
  await sleep(100)
  expect(await store.get('key')).toBeUndefined()
  expect(await store.read('log', 0, 1)).toEqual([])
  await store.close()
})
