import { expect, it } from 'vitest'
import {
  accept,
  createSample,
  get,
  legacy,
  modern,
  start,
  statusOf,
} from '../../../test/tasks/tasks-sample.ts'
import { createTestClient } from '../../client/test-client.ts'
import { MemoryStore } from '../../stores/memory.ts'
import { elicit, Needs } from '../asking/needs.ts'
import type { TasksElsewhere } from '../definitions/relayed.ts'
import { Fault } from '../faults.ts'
import type { Json } from '../jsonrpc/message.ts'
import { TaskElsewhere } from './task-elsewhere.ts'

const NAME = { type: 'object', properties: { name: { type: 'string' } } } as const
const WHO = { name: elicit({ message: 'Who?', schema: NAME }) }
const answers = { 'elicitation/create': () => accept('Ann') }
const said = (text: string) => ({ content: [{ type: 'text', text }] })

const begun = (state: Json, ttlMs: number | null = null, abandon = () => {}) =>
  new TaskElsewhere({ state, ttlMs, abandon })

/** A server with a tool of another one, whose tasks are as given. */
function relay(tasks: Partial<TasksElsewhere>, more: Parameters<typeof createSample>[0] = {}) {
  const abandoned: string[] = []
  const { server } = createSample(more)
  server.tools.add({
    relayed: { name: 'far', inputSchema: { type: 'object' } },
    task: 'optional',
    tasks: {
      begin: () => begun('there', null, () => void abandoned.push('there')),
      follow: async () => said('done'),
      ...tasks,
    },
    answer: () => said('answered'),
  })
  return { server, abandoned }
}

it.each([
  ['2026-07-28', modern],
  ['2025-11-25', legacy],
])('in %s a task goes with that of another server, by what finds it again', async (_revision, open) => {
  const seen: unknown[] = []
  let end = () => {}
  const follow: TasksElsewhere['follow'] = (call, tell) => {
    seen.push(call.state, call.answers)
    tell('half of it')
    tell('half of it')
    return new Promise((resolve) => {
      end = () => resolve(said('all of it'))
    })
  }
  const { server } = relay({ begin: () => begun({ id: 't1' }), follow })
  const client = await open(server)
  const taskId = await start(client, 'far')
  expect(seen).toEqual([{ id: 't1' }, {}])
  await expect
    .poll(() => get(client, taskId))
    .toMatchObject({ status: 'working', statusMessage: 'half of it' })
  end()
  await expect.poll(() => statusOf(client, taskId)).toBe('completed')
})

it.each([
  [1000, 500, 500],
  [500, 1000, 500],
  [1000, null, 1000],
  [Number.POSITIVE_INFINITY, 700, 700],
  [Number.POSITIVE_INFINITY, null, null],
])('a task that is kept for %d ms here and %d there is kept for %d', async (taskTtlMs, there, kept) => {
  const { server } = relay({ begin: () => begun('t', there) }, { taskTtlMs })
  const client = await modern(server)
  expect(await client.request('tools/call', { name: 'far' })).toMatchObject({ ttlMs: kept })
})

it('what is answered at once is no task, but for a client that can read nothing else', async () => {
  const { server } = relay({ begin: () => said('at once') })
  const young = await modern(server)
  expect(await young.request('tools/call', { name: 'far' })).toMatchObject({
    resultType: 'complete',
    content: [{ text: 'at once' }],
  })
  expect(server.usage.read('maxTasksKept')).toBe(0)
  const old = await legacy(server)
  const taskId = await start(old, 'far')
  expect(await old.request('tasks/result', { taskId })).toMatchObject({ content: [{ text: 'at once' }] })
})

it('what is answered at once and cannot be told makes no task', async () => {
  const { server } = relay({ begin: () => said('at once') }, { budget: { tokens: 1000 } })
  const bound = () => Promise.reject(new Fault('internalError', 'There is no room'))
  Object.assign(server, { bounds: () => ({ bound }) })
  await expect(start(await legacy(server), 'far')).rejects.toThrow('There is no room')
  expect(server.usage.read('maxTasksKept')).toBe(0)
})

it('what goes wrong there is told as the tool’s failure, and a refusal as one', async () => {
  const broken = relay({ begin: () => Promise.reject(new Error('not today')) })
  const client = await modern(broken.server)
  expect(await client.request('tools/call', { name: 'far' })).toMatchObject({
    isError: true,
    content: [{ text: 'not today' }],
  })
  const refusing = relay({
    begin: () => {
      throw new Fault('invalidParams', 'Not like this')
    },
  })
  await expect(start(await modern(refusing.server), 'far')).rejects.toMatchObject({ code: -32602 })
})

it.each([
  ['by a result', modern],
  ['by a request', legacy],
])('what the other server wants to know first is asked %s, before there is a task', async (_way, open) => {
  const told: unknown[] = []
  const begin: TasksElsewhere['begin'] = (call) => {
    told.push(call.answers)
    return 'name' in call.answers ? begun('t') : new Needs(WHO)
  }
  const { server } = relay({ begin, follow: async (call) => said(JSON.stringify(call.answers)) })
  const client = await open(server, { answers })
  const taskId = await start(client, 'far')
  expect(told).toEqual([{}, { name: accept('Ann') }])
  await expect.poll(() => statusOf(client, taskId)).toBe('completed')
  // What the other server was told to begin is no answer to what its task asks.
  const result = open === modern ? (await get(client, taskId))['result'] : undefined
  expect(result ?? (await client.request('tasks/result', { taskId }))).toMatchObject({
    content: [{ text: '{}' }],
  })
})

it('a task that asks is followed further with the answers', async () => {
  const follow: TasksElsewhere['follow'] = async (call) =>
    'name' in call.answers
      ? said(`${JSON.stringify(call.answers['name'])} ${call.state}`)
      : new Needs(WHO, { state: 'asked' })
  const { server } = relay({ follow })
  const client = await modern(server)
  const taskId = await start(client, 'far')
  await expect.poll(() => statusOf(client, taskId)).toBe('input_required')
  await client.request('tasks/update', { taskId, inputResponses: { name: accept('Ann') } })
  await expect
    .poll(() => get(client, taskId))
    .toMatchObject({ result: { content: [{ text: `${JSON.stringify(accept('Ann'))} asked` }] } })
})

it('a task that there is no room for, or that cannot be kept, is abandoned there', async () => {
  const full = relay({}, { budgets: { maxTasksKept: 1 } })
  const client = await modern(full.server)
  await start(client, 'far')
  await expect(start(client, 'far')).rejects.toThrow('at most 1, got 2')
  expect(full.abandoned).toEqual(['there'])
  const store = new MemoryStore()
  const away = relay({}, { store })
  store.put = () => Promise.reject(new Error('away'))
  await expect(start(await modern(away.server), 'far')).rejects.toThrow('tasks cannot be kept')
  expect(away.abandoned).toEqual(['there'])
  expect([away.server.usage.read('maxTasks'), away.server.usage.read('maxTasksKept')]).toEqual([0, 0])
})

it('a task that is cancelled here is not followed any further', async () => {
  let stopped = 0
  const follow: TasksElsewhere['follow'] = ({ signal }) =>
    new Promise(() => signal.addEventListener('abort', () => stopped++))
  const { server, abandoned } = relay({ follow })
  const client = await modern(server)
  const taskId = await start(client, 'far')
  await client.request('tasks/cancel', { taskId })
  expect([stopped, await statusOf(client, taskId), abandoned]).toEqual([1, 'cancelled', []])
})

it('a task whose server is gone is followed by another one, and not begun again', async () => {
  const store = new MemoryStore()
  const first = relay({ begin: () => begun({ id: 't1' }), follow: () => new Promise(() => {}) }, { store })
  const taskId = await start(await modern(first.server), 'far')
  const entry = await store.get(`tasks/${taskId}`)
  await store.put(`tasks/${taskId}`, { ...(entry?.value as object), node: 'gone' })
  const again: string[] = []
  const second = relay(
    {
      begin: () => again.push('begun'),
      follow: async (call) => said(JSON.stringify(call.state)),
    },
    { store },
  )
  const client = await modern(second.server)
  await expect
    .poll(() => get(client, taskId))
    .toMatchObject({ status: 'completed', result: { content: [{ text: '{"id":"t1"}' }] } })
  expect(again).toEqual([])
})

it('a client that knows no tasks is answered as if there were none', async () => {
  const client = await createTestClient(relay({}).server)
  expect(await client.callTool('far')).toMatchObject({ content: [{ text: 'answered' }] })
})
