import { expect, it, vi } from 'vitest'
import { MemoryStore } from '../../stores/memory.ts'
import { Fault } from '../faults.ts'
import type { TaskRecord } from './record.ts'
import { putTask, readTask, replaceTask, unlessForeign } from './store.ts'

it.each([
  [1000, 400, 600],
  [1000, 999, 1],
  [1000, 5000, 1],
  [null, 5000, undefined],
])(
  'a task of %s ms that is replaced after %d is kept for what is left, or a moment',
  async (ttlMs, now, left) => {
    const store = new MemoryStore()
    const record = { id: 't', createdAt: 0, ttlMs } as TaskRecord // They look at nothing else.
    await putTask(store, record)
    const { version } = (await store.get('tasks/t')) ?? { version: 0 }
    const put = vi.spyOn(store, 'put')
    expect(await replaceTask(store, { record, version }, now)).toBe(true)
    expect(put.mock.calls.map(([, , options]) => options?.ttlMs)).toEqual([left])
  },
)

it('passes over what a server of another version has begun, and over no other failure', async () => {
  const store = new MemoryStore()
  await store.put('tasks/t', { v: 2 })
  const error = await readTask(store, 't').catch((thrown: unknown) => thrown)
  expect(error).toMatchObject({ message: expect.stringContaining('begun by a server of another version') })
  expect(unlessForeign(error)).toBe(undefined)
  const others = [new Fault('internalError', 'away'), new Error((error as Fault).message), 'away']
  for (const other of others) expect(() => unlessForeign(other)).toThrow(other as Error)
})
