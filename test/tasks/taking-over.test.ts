import { expect, it } from 'vitest'
import { z } from 'zod'
import { defineServer } from '../../src/authoring/define-server.ts'
import { createTestClient, type TestClient } from '../../src/client/test-client.ts'
import { defineTool } from '../../src/index.ts'
import type { Server } from '../../src/kernel/index.ts'
import { Call, type Json, type JsonObject, type Store } from '../../src/kernel/index.ts'
import { MemoryStore } from '../../src/stores/memory.ts'
import { get, start, TASKS } from './tasks-sample.ts'

const TOOL = {
  name: 'add',
  description: 'Adds, in its own time',
  input: z.object({ a: z.number(), b: z.number().default(40) }),
  task: 'required',
} as const

/** A server whose tool never ends. */
function createStuck(store: Store): Server {
  const add = defineTool({ ...TOOL, run: () => new Promise<string>(() => {}) })
  return defineServer({ name: 'stuck', version: '1', tools: [add], store })
}

/** A server whose tool ends at once. */
function createSwift(store: Store, more: JsonObject = { annotations: { idempotentHint: true } }): Server {
  const add = defineTool({ ...TOOL, ...more, run: ({ a, b }) => ({ sum: a + b }) })
  return defineServer({ name: 'swift', version: '1', tools: [add], store })
}

const connect = (server: Server) =>
  createTestClient(server, { capabilities: { extensions: { [TASKS]: {} } } })

/** As if the process that works on it had ended some time ago. */
async function abandon(
  store: Store,
  taskId: string,
  more: { readonly [key: string]: Json } = {},
): Promise<void> {
  const entry = await store.get(`tasks/${taskId}`)
  await store.put(`tasks/${taskId}`, { ...(entry?.value as object), node: 'gone', ...more })
}

async function abandoned(store: Store, more: { readonly [key: string]: Json } = {}): Promise<string> {
  const taskId = await start(await connect(createStuck(store)), 'add', { arguments: { a: 2 } })
  await abandon(store, taskId, more)
  return taskId
}

async function endOf(client: TestClient, taskId: string): Promise<JsonObject> {
  await expect.poll(async () => (await get(client, taskId))['status']).not.toBe('working')
  return get(client, taskId)
}

it('a tool that may be run again is, with its arguments as they are read', async () => {
  const store = new MemoryStore()
  const taskId = await abandoned(store)
  const client = await connect(createSwift(store))
  expect(await endOf(client, taskId)).toMatchObject({ result: { structuredContent: { sum: 42 } } })
})

it('it is run by one of several that look at the same time', async () => {
  const store = new MemoryStore()
  const taskId = await abandoned(store)
  let runs = 0
  const add = defineTool({ ...TOOL, annotations: { idempotentHint: true }, run: () => `run ${++runs}` })
  const servers = [1, 2].map(() => defineServer({ name: 'swift', version: '1', tools: [add], store }))
  const clients = await Promise.all([...servers, ...servers].map(connect))
  await Promise.all(clients.map((client) => get(client, taskId)))
  for (const client of clients) expect(await endOf(client, taskId)).toMatchObject({ status: 'completed' })
  expect(runs).toBe(1)
})

it.each<[string, JsonObject]>([
  ['may not be run again', {}],
  [
    'has other arguments by now',
    { annotations: { idempotentHint: true }, input: z.object({ c: z.string() }) },
  ],
  ['has another name by now', { annotations: { idempotentHint: true }, name: 'sum' }],
])('a tool that %s is said to have been interrupted', async (_why, more) => {
  const store = new MemoryStore()
  const taskId = await abandoned(store)
  const client = await connect(createSwift(store, more))
  const interrupted = { status: 'failed', error: { message: expect.stringContaining('interrupted') } }
  expect(await get(client, taskId)).toMatchObject(interrupted)
  expect(await get(client, taskId)).toMatchObject(interrupted)
})

it('a tool that keeps ending its server is not run for ever', async () => {
  const store = new MemoryStore()
  const taskId = await abandoned(store, { runs: 3 })
  expect(await get(await connect(createSwift(store)), taskId)).toMatchObject({ status: 'failed' })
})

it('a process that was taken for dead does not have the last word', async () => {
  const store = new MemoryStore()
  let open: (text: string) => void = () => {}
  let stopped = 0
  const slow = defineTool({
    ...TOOL,
    run: (_args, call) => {
      call.signal.addEventListener('abort', () => stopped++)
      return new Promise<string>((resolve) => {
        open = resolve
      })
    },
  })
  const client = await connect(defineServer({ name: 'slow', version: '1', tools: [slow], store }))
  const taskId = await start(client, 'add', { arguments: { a: 2 } })
  await abandon(store, taskId)
  const other = await connect(createSwift(store))
  expect(await endOf(other, taskId)).toMatchObject({ status: 'completed' })
  expect(stopped).toBe(1)
  open('too late')
  expect(await endOf(other, taskId)).toMatchObject({ result: { structuredContent: { sum: 42 } } })
})

it('a task that is run again may do what its caller may, and no more', async () => {
  const store = new MemoryStore()
  const principal = { id: 'ann', scopes: ['sums'] }
  const taskId = await abandoned(store, { principal })
  const seen: unknown[] = []
  const add = defineTool({
    ...TOOL,
    annotations: { idempotentHint: true },
    run: (_args, call) => {
      seen.push(call.principal)
      return 'run'
    },
  })
  const server = defineServer({ name: 'swift', version: '1', tools: [add], store })
  await server.tasks().find(taskId, principal)
  await expect.poll(() => seen).toEqual([principal])
})

it('whoever was too late to take a task over holds nothing of it', async () => {
  const store = new MemoryStore()
  const stuck = createStuck(store)
  const taskId = await start(await connect(stuck), 'add', { arguments: { a: 2 } })
  const record = await stuck.tasks().find(taskId, undefined)
  const late = createSwift(store, {})
  const client = await connect(late)
  const call = new Call(
    { kind: 'request', id: 1, method: 'tools/call', params: {}, length: 0 },
    late.open({ outlet: { send() {} } }),
    { send() {} },
  )
  call.peer = { revision: client.revision, capabilities: {}, info: undefined, logLevel: undefined }
  expect(await late.tasks().adopt({ ...record, node: 'somebody who is gone' }, call)).toBeUndefined()
  expect(late.usage.read('maxTasks')).toBe(0)
  await store.delete(`task-nodes/${record.node}`)
  expect(await get(client, taskId)).toMatchObject({ status: 'failed' })
})

it('a server that has no room leaves a task to whoever has, and takes it when it has room', async () => {
  const store = new MemoryStore()
  const taskId = await abandoned(store)
  let open = () => {}
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  const hold = defineTool({ name: 'hold', task: 'required', run: () => opened })
  const add = defineTool({ ...TOOL, annotations: { idempotentHint: true }, run: () => 'done' })
  const full = defineServer({
    name: 'full',
    version: '1',
    tools: [hold, add],
    store,
    budgets: { maxTasks: 1 },
  })
  const client = await connect(full)
  await start(client, 'hold')
  expect(await get(client, taskId)).toMatchObject({ status: 'working' })
  expect(await full.tasks().find(taskId, undefined)).toMatchObject({ node: 'gone', runs: 1 })
  open()
  await expect.poll(() => full.usage.read('maxTasks')).toBe(0)
  expect(await endOf(client, taskId)).toMatchObject({ status: 'completed' })
})

it('a task that could not be taken over takes no place, and is taken over when the store is back', async () => {
  const store = new MemoryStore()
  const taskId = await abandoned(store)
  const server = createSwift(store)
  const client = await connect(server)
  const { put } = store
  store.put = (key, ...rest) =>
    key.startsWith('tasks/') ? Promise.reject(new Error('away')) : put.call(store, key, ...rest)
  await expect(get(client, taskId)).rejects.toThrow('tasks cannot be kept')
  expect([server.usage.read('maxTasks'), server.usage.read('maxTasksKept')]).toEqual([0, 0])
  store.put = put
  expect(await endOf(client, taskId)).toMatchObject({ status: 'completed' })
})

it('what a server was at work on when it was closed is taken over at once', async () => {
  const store = new MemoryStore()
  const stuck = createStuck(store)
  const taskId = await start(await connect(stuck), 'add', { arguments: { a: 2 } })
  await stuck.close()
  expect(stuck.usage.read('maxTasks')).toBe(0)
  const client = await connect(createSwift(store))
  expect(await endOf(client, taskId)).toMatchObject({ status: 'completed' })
})

it('nothing is kept of a caller but who it is and what it may', async () => {
  const principal = { id: 'ann', scopes: ['sums'], expires: 5 }
  const server = createStuck(new MemoryStore())
  const capabilities = { extensions: { [TASKS]: {} } }
  const ann = await createTestClient(server, { capabilities, principal })
  const taskId = await start(ann, 'add', { arguments: { a: 2 } })
  const kept = (await server.tasks().find(taskId, principal)).principal
  expect(kept).toEqual({ id: 'ann', scopes: ['sums'] })
  const bob = await createTestClient(server, { capabilities, principal: { id: 'bob' } })
  await expect(get(bob, taskId)).rejects.toThrow('there is no such task')
  await expect(get(await connect(server), taskId)).rejects.toThrow('there is no such task')
})

it('a task that a server of another version has begun is refused with that, and left out of lists', async () => {
  const store = new MemoryStore()
  const server = createSwift(store)
  const client = await createTestClient(server, { revision: '2025-11-25' })
  const [foreign, own] = [
    await start(client, 'add', { arguments: { a: 1 } }),
    await start(client, 'add', { arguments: { a: 2 } }),
  ]
  const kept = (await store.get(`tasks/${foreign}`))?.value as JsonObject
  expect(kept['v']).toBe(1)
  const newer = { v: 2, id: foreign, told: 'in other words' }
  await store.put(`tasks/${foreign}`, newer)
  const another = 'begun by a server of another version'
  await expect(get(client, foreign)).rejects.toThrow(another)
  await expect(client.request('tasks/cancel', { taskId: foreign })).rejects.toThrow(another)
  const { tasks } = await client.request('tasks/list')
  expect(tasks).toMatchObject([{ taskId: own }])
  expect((await store.get(`tasks/${foreign}`))?.value).toEqual(newer)
})

it('a task that was begun before records had a version is one like any other', async () => {
  const store = new MemoryStore()
  const client = await connect(createSwift(store))
  const taskId = await start(client, 'add', { arguments: { a: 1 } })
  const kept = await store.get(`tasks/${taskId}`)
  const { v, ...older } = { v: undefined, ...(kept?.value as object) }
  expect(v).toBe(1)
  await store.put(`tasks/${taskId}`, older)
  expect(await get(client, taskId)).toMatchObject({ taskId })
})
