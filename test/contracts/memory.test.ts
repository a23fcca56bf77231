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
  const values = [{ in: 'an entry' }, { in: 'a log' }]
  const [entry, item] = values as [object & { in: string }, object & { in: string }]
  await store.put('key', entry, { ttlMs: 1 })
  await store.append('log', item, { ttlMs: 1 })
  await store.put('lasting', 'so that there is something left to sweep')
  const kept = values.map((value) => new WeakRef(value))
  values.length = 0
  await sleep(100) // A WeakRef holds on to what it gave until then, too.
  return collectThen(() => kept.map((one) => one.deref() !== undefined)).finally(() => store.close())
}

async function collectThen<Value>(look: () => Value): Promise<Value> {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  collect()
  await sleep(0)
  collect()
  return look()
}

it('what has expired is let go by the sweep, and not before', async () => {
  expect(await keeps(10)).toEqual([false, false])
  expect(await keeps(60_000)).toEqual([true, true])
})
