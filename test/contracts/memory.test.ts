import { setTimeout as sleep } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, it } from 'vitest'
import { MemoryStore } from '../../src/stores/memory.ts'
import { testStore } from './store.ts'

testStore({ name: 'the store in memory', create: () => new MemoryStore(20) })

/** Whether a collection of garbage leaves what a store was given to keep for a moment. */
async function keeps(sweepMs: number): Promise<readonly boolean[]> {
  const store = new MemoryStore(sweepMs)
  const kept = [await putOne(store), await appendOne(store)]
  await store.put('lasting', 'so that there is something left to sweep')
  await sleep(100) // A WeakRef holds on to what it was made of until then, too.
  await collect()
  const left = kept.map((one) => one.deref() !== undefined)
  await store.close()
  return left
}

async function putOne(store: MemoryStore): Promise<WeakRef<object>> {
  const value = { in: 'an entry' }
  await store.put('key', value, { ttlMs: 1 })
  return new WeakRef(value)
}

async function appendOne(store: MemoryStore): Promise<WeakRef<object>> {
  const value = { in: 'a log' }
  await store.append('log', value, { ttlMs: 1 })
  return new WeakRef(value)
}

async function collect(): Promise<void> {
  setFlagsFromString('--expose-gc')
  const gc: () => void = runInNewContext('gc')
  gc()
  await sleep(0)
  gc()
}

it('what has expired is let go by the sweep, and not before', async () => {
  expect(await keeps(10)).toEqual([false, false])
  expect(await keeps(60_000)).toEqual([true, true])
})
