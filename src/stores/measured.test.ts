import { expect, it } from 'vitest'
import type { KernelEvent } from '../kernel/index.ts'
import { measured } from './measured.ts'
import { MemoryStore } from './memory.ts'

function createMeasured() {
  const kept = new MemoryStore()
  const told: KernelEvent[] = []
  return { kept, told, store: measured(kept, (event) => void told.push(event)) }
}

it('tells of everything a store has done, and how long it took', async () => {
  const { store, told } = createMeasured()
  expect([store.shared, store.place, store.trouble()]).toEqual([true, 'memory:', undefined])
  expect(await store.put('key', 1)).toBe(1)
  expect(await store.get('key')).toEqual({ value: 1, version: 1 })
  await Promise.resolve()
  expect(told).toEqual(
    ['put', 'get'].map((operation) => ({
      kind: 'stored',
      operation,
      store: 'memory:',
      durationMs: expect.any(Number),
    })),
  )
  expect(
    told.every((event) => event.kind === 'stored' && event.durationMs >= 0 && event.durationMs < 60_000),
  ).toBe(true)
})

it('tells of what has failed, and lets whoever asked know', async () => {
  const { kept, store: whole } = createMeasured()
  const failing = Object.assign(kept, { get: () => Promise.reject(new Error('away')) })
  const told: KernelEvent[] = []
  const store = measured(failing, (event) => void told.push(event))
  await expect(store.get('key')).rejects.toThrow('away')
  await Promise.resolve()
  expect(told).toMatchObject([{ kind: 'stored', operation: 'get', error: new Error('away') }])
  await whole.close()
})

it('goes on hearing after a message that could not be taken', async () => {
  const { store, told } = createMeasured()
  const heard: unknown[] = []
  await store.subscribe('topic', (message) => {
    if (message === 'bad') throw new Error('no')
    heard.push(message)
  })
  await store.publish('topic', 'bad')
  await store.publish('topic', 'good')
  expect(heard).toEqual(['good'])
  expect(told.find(({ kind }) => kind === 'crashed')).toEqual({
    kind: 'crashed',
    error: new Error('no'),
    method: 'hearing topic',
  })
})
