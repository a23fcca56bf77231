import { expect, it, type TestContext } from 'vitest'
import { defineServer } from '../../src/authoring/define-server.ts'
import { taskList } from '../../src/modules/task-list/index.ts'
import type { TaskStore } from '../../src/modules/task-list/task-store.ts'
import { talk } from '../setup/talk.ts'
import { aTask } from './contract.ts'

export interface Lockable {
  readonly store: TaskStore
  /** Has every write wait until the function given back is called. */
  lock(): Promise<() => Promise<void>>
  /** Resolves when so many writes wait. */
  waiting(count: number): Promise<void>
}

/** A call that is cancelled while it waits for a lock changes nothing once the lock is gone. */
export function describeCancelling(name: string, open: (context: TestContext) => Promise<Lockable>): void {
  it(`a cancelled create, update and delete change nothing in ${name}`, async (context) => {
    const { store, lock, waiting } = await open(context)
    const [changed, deleted] = [aTask(), aTask({ description: 'stays' })]
    await store.add(changed)
    await store.add(deleted)
    const { watched, settled } = watch(store)
    const server = defineServer({ name: 's', version: '1', modules: [taskList({ store: watched })] })
    const to = talk(server, '2025-03-26')
    const unlock = await lock()
    const calls = [
      ['create_task', { description: 'never' }],
      ['update_task', { id: changed.id, description: 'never' }],
      ['complete_task', { id: changed.id }],
      ['claim_task', { id: changed.id, agent: 'never' }],
      ['delete_task', { id: deleted.id }],
    ] as const
    for (const [id, [tool, args]] of calls.entries()) {
      to.send({ jsonrpc: '2.0', id, method: 'tools/call', params: { name: tool, arguments: args } })
    }
    await waiting(calls.length)
    for (const requestId of calls.keys()) {
      to.send({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId } })
    }
    await unlock()
    await settled()
    expect((await store.list({}, { limit: 10 })).tasks).toEqual([deleted, changed])
    expect(to.heard).toEqual([])
    expect(await store.delete({ id: deleted.id, at: deleted.createdAt })).toEqual(deleted)
    await store.close()
  })
}

/** The same store, and a way to know when its writes are over. */
function watch(store: TaskStore): { watched: TaskStore; settled: () => Promise<unknown> } {
  const writes: Promise<unknown>[] = []
  const noted = <T>(write: Promise<T>) => {
    writes.push(write)
    return write
  }
  return {
    watched: {
      get: (id) => store.get(id),
      list: (...args) => store.list(...args),
      history: (id) => store.history(id),
      restore: (...args) => noted(store.restore(...args)),
      claim: (...args) => noted(store.claim(...args)),
      close: () => store.close(),
      add: (...args) => noted(store.add(...args)),
      update: (...args) => noted(store.update(...args)),
      delete: (...args) => noted(store.delete(...args)),
    },
    settled: () => Promise.allSettled(writes),
  }
}
