import { expect, it, vi } from 'vitest'
import { MemoryStore } from '../../stores/memory.ts'
import type { TaskRecord } from './record.ts'
import { putTask, replaceTask } from './store.ts'

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
