import { expect, it } from 'vitest'
import { createTestClient, type TestClient } from '../../src/client/test-client.ts'
import type { JsonObject, Server } from '../../src/kernel/index.ts'
import { openAs } from '../setup/caller.ts'
import { talk } from '../setup/talk.ts'
import { accept, createSample, get, legacy, modern, RELATED, start, statusOf, TASKS } from './tasks-sample.ts'

const UNKNOWN = { code: -32602, message: 'Invalid params: taskId: there is no such task' }

const resultOf = (client: TestClient, taskId: string) => client.request('tasks/result', { taskId })

it('a call that asks for it is answered with a task, and its result is waited for', async () => {
  const { server, open } = createSample()
  const client = await legacy(server)
  const params = { name: 'wait', arguments: { text: 'done' }, task: { ttl: 60_000 } }
  const created = await client.request('tools/call', params)
  expect(Object.keys(created)).toEqual(['task'])
  expect(created['task']).toMatchObject({ status: 'working', ttl: 60_000, pollInterval: 500 })
  for (const member of ['ttlMs', 'pollIntervalMs', 'resultType'])
    expect(created['task']).not.toHaveProperty(member)
  const { taskId } = created['task'] as { taskId: string }
  expect(await get(client, taskId)).toMatchObject({
    taskId,
    status: 'working',
    createdAt: expect.any(String),
  })
  const result = resultOf(client, taskId)
  open()
  expect(await result).toEqual({
    content: [{ type: 'text', text: 'done' }],
    isError: false,
    _meta: { [RELATED]: { taskId } },
  })
  expect(await resultOf(client, taskId)).toEqual(await result)
  expect(await get(client, taskId)).toMatchObject({ status: 'completed' })
})

it('whoever has begun a task hears how it stands, after the answer that there is one, and nobody else does', async () => {
  const { server } = createSample()
  const to = talk(server, '2025-11-25', { elicitation: {} })
  const other = talk(server, '2025-11-25')
  const told = () => to.heard.filter(({ method }) => method === 'notifications/tasks/status')
  const begin = async (name: string) =>
    (await to.ask('tools/call', { name, arguments: {}, task: {} }))['result'] as { task: JsonObject }
  const { task: brief } = await begin('chatty')
  await expect.poll(told).toMatchObject([{ params: { taskId: brief['taskId'], status: 'completed' } }])
  const order = to.heard.map(({ method, id }) => method ?? id)
  expect(order.filter((one) => one !== 'notifications/message')).toEqual(['q1', 'notifications/tasks/status'])
  const { task } = await begin('ask')
  await expect.poll(told).toHaveLength(2)
  await to.ask('tasks/cancel', { taskId: task['taskId'] })
  await expect.poll(told).toHaveLength(3)
  const [, asking, cancelled] = told()
  expect(asking).toMatchObject({ params: { taskId: task['taskId'], status: 'input_required' } })
  expect(cancelled).toMatchObject({
    params: { ...task, status: 'cancelled', lastUpdatedAt: expect.any(String) },
  })
  expect(other.heard.filter(({ method }) => method !== undefined)).toEqual([])
  to.close()
  other.close()
})

it('a call that does not ask for it waits, and a wish that cannot be granted is refused', async () => {
  const { server, open } = createSample()
  const client = await legacy(server)
  open()
  expect(await client.callTool('wait')).toMatchObject({ content: [{ text: 'waited' }] })
  const refused = (params: JsonObject) => expect(client.request('tools/call', params)).rejects
  await refused({ name: 'fail' }).toMatchObject({
    code: -32601,
    message: expect.stringContaining('as a task only'),
  })
  await refused({ name: 'plain', task: {} }).toMatchObject({ code: -32601 })
  for (const task of [5, null, [], { ttl: -1 }, { ttl: 'long' }])
    await refused({ name: 'wait', task }).toMatchObject({ code: -32602 })
})

it('bad arguments are told as a result, and as an error to a call that cannot be answered with one', async () => {
  const client = await legacy(createSample().server)
  const params = { name: 'wait', arguments: { text: 5 } }
  expect(await client.request('tools/call', params)).toMatchObject({ isError: true })
  await expect(client.request('tools/call', { ...params, task: {} })).rejects.toMatchObject({ code: -32602 })
})

it('tools say how they take it, and the server says what it can', async () => {
  const heard: JsonObject[] = []
  const { server } = createSample()
  const client = await legacy(server)
  const { tools } = (await client.request('tools/list')) as { tools: JsonObject[] }
  const support = Object.fromEntries(tools.map(({ name, execution }) => [String(name), execution]))
  expect(support).toMatchObject({ wait: { taskSupport: 'optional' }, fail: { taskSupport: 'required' } })
  expect(support['plain']).toBeUndefined()
  const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'x', version: '1' } }
  heard.push(await talk(server).ask('initialize', params))
  expect(heard[0]?.['result']).toMatchObject({
    capabilities: { tasks: { list: {}, cancel: {}, requests: { tools: { call: {} } } } },
  })
  expect(JSON.stringify(heard)).not.toContain(TASKS)
})

it('the extension means nothing here', async () => {
  const { server, open } = createSample()
  open()
  const client = await legacy(server, { capabilities: { extensions: { [TASKS]: {} } } })
  expect(await client.callTool('wait')).toMatchObject({ content: [{}] })
  await expect(client.callTool('fail')).rejects.toMatchObject({ code: -32601 })
  await expect(client.request('tasks/update', { taskId: 'x' })).rejects.toMatchObject({ code: -32601 })
})

it.each(['2024-11-05', '2025-03-26', '2025-06-18'])('a client of %s simply waits', async (revision) => {
  const { server, open } = createSample()
  const client = await createTestClient(server, { revision, capabilities: { extensions: { [TASKS]: {} } } })
  open()
  expect(await client.request('tools/call', { name: 'wait', task: {} })).toMatchObject({ content: [{}] })
  expect(await client.callTool('fail', { how: 'result' })).toMatchObject({ isError: true })
  await expect(client.request('tasks/get', { taskId: 'x' })).rejects.toMatchObject({ code: -32601 })
})

it('a server without such tools does not hear the wish', async () => {
  const { server } = createSample({ tools: [{ name: 'plain', description: 'Plain', run: () => 'plain' }] })
  const client = await legacy(server)
  expect(await client.request('tools/call', { name: 'plain', task: {} })).toMatchObject({ content: [{}] })
  await expect(client.request('tasks/list')).rejects.toMatchObject({ code: -32601 })
})

it('a tool that reports a failure has failed, and its result still says how', async () => {
  const client = await legacy(createSample().server)
  const ended = async (how: string) => {
    const taskId = await start(client, 'fail', { arguments: { how } })
    const result = await resultOf(client, taskId).catch((error: unknown) => error)
    return { result, task: await get(client, taskId) }
  }
  for (const how of ['throw', 'result']) {
    const { result, task } = await ended(how)
    expect(task).toMatchObject({ status: 'failed', statusMessage: expect.any(String) })
    expect(task).not.toHaveProperty('result')
    expect(result).toMatchObject({ isError: true, _meta: { [RELATED]: {} } })
  }
  const { result, task } = await ended('fault')
  expect(task).toMatchObject({ status: 'failed', statusMessage: 'Not like this' })
  expect(result).toMatchObject({ code: -32602, message: 'Not like this', data: { why: 'because' } })
  expect((await ended('bigint')).result).toMatchObject({ code: -32603 })
})

it('cancelling reaches the function, and whoever waits for the result', async () => {
  const { server, open, seen } = createSample()
  const client = await legacy(server)
  const taskId = await start(client, 'wait')
  const waiting = resultOf(client, taskId)
  expect(await client.request('tasks/cancel', { taskId })).toMatchObject({ taskId, status: 'cancelled' })
  await expect(waiting).rejects.toMatchObject({ code: -32600, message: 'The task was cancelled' })
  expect(seen.stopped).toBe(1)
  open()
  await expect(client.request('tasks/cancel', { taskId })).rejects.toMatchObject({ code: -32602 })
  expect(await statusOf(client, taskId)).toBe('cancelled')
  const done = await start(client, 'wait')
  await resultOf(client, done)
  await expect(client.request('tasks/cancel', { taskId: done })).rejects.toMatchObject({ code: -32602 })
  await expect(client.request('tasks/cancel', { taskId: 'x' })).rejects.toMatchObject(UNKNOWN)
})

it('a task asks whoever waits for its result', async () => {
  const asked: JsonObject[] = []
  const answers = {
    'elicitation/create': (params: JsonObject) => {
      asked.push(params)
      return accept(params['message'] === 'First?' ? 'Ann' : 'Bob')
    },
  }
  const client = await legacy(createSample().server, { answers })
  const taskId = await start(client, 'ask')
  await expect.poll(() => statusOf(client, taskId)).toBe('input_required')
  expect(asked).toEqual([])
  expect(await resultOf(client, taskId)).toMatchObject({ content: [{ text: 'Ann and Bob' }] })
  expect(asked).toHaveLength(2)
  for (const params of asked) expect(params['_meta']).toEqual({ [RELATED]: { taskId } })
})

it('a client that does not want to answer ends the task', async () => {
  const client = await legacy(createSample().server)
  const taskId = await start(client, 'ask')
  expect(await resultOf(client, taskId)).toMatchObject({ isError: true })
  expect(await statusOf(client, taskId)).toBe('failed')
})

it('a client that cannot be asked is told so, and the task goes on waiting for one that can', async () => {
  const { server } = createSample()
  const able = await legacy(server, { answers: { 'elicitation/create': () => accept('Ann') } })
  const taskId = await start(able, 'insist')
  const unable = await createTestClient(server, { revision: '2025-11-25' })
  await expect(resultOf(unable, taskId)).rejects.toThrow('The client lacks a capability')
  expect(await statusOf(able, taskId)).toBe('input_required')
  expect(await resultOf(able, taskId)).toMatchObject({ content: [{ text: 'Hello, Ann' }] })
})

/** A client that waits for a task's result, is asked by it, and says nothing. */
async function askInVain(server: Server) {
  const silent = talk(server, '2025-11-25', { elicitation: {} })
  const created = await silent.ask('tools/call', { name: 'insist', task: {} })
  const { taskId } = (created['result'] as { task: { taskId: string } }).task
  silent.send({ jsonrpc: '2.0', id: 'wait', method: 'tasks/result', params: { taskId } })
  await expect.poll(() => silent.heard.some(({ method }) => method === 'elicitation/create')).toBe(true)
  return { silent, taskId }
}

it('a client that leaves while it is asked can come back', async () => {
  const { server } = createSample()
  const { silent, taskId } = await askInVain(server)
  silent.close()
  const client = await legacy(server, { answers: { 'elicitation/create': () => accept('Ann') } })
  expect(await statusOf(client, taskId)).toBe('input_required')
  expect(await resultOf(client, taskId)).toMatchObject({ content: [{ text: 'Hello, Ann' }] })
})

it('a question that somebody else has answered is withdrawn', async () => {
  const { server } = createSample()
  const { silent, taskId } = await askInVain(server)
  const other = await modern(server)
  await other.request('tasks/update', { taskId, inputResponses: { name: accept('Ann') } })
  await expect.poll(() => silent.notices('notifications/cancelled')).toHaveLength(1)
  await expect
    .poll(() => silent.heard.find(({ id }) => id === 'wait'))
    .toMatchObject({ result: { content: [{ text: 'Hello, Ann' }] } })
})

it('what must be known before a task begins is asked on the call itself', async () => {
  const { server } = createSample()
  const asked: JsonObject[] = []
  const answers = {
    'elicitation/create': (params: JsonObject) => {
      asked.push(params)
      return accept('Ann')
    },
  }
  const client = await legacy(server, { answers })
  const taskId = await start(client, 'first')
  expect(asked).toHaveLength(1)
  expect(asked[0]).not.toHaveProperty('_meta')
  expect(await resultOf(client, taskId)).toMatchObject({ content: [{ text: 'Hello, Ann' }] })
  const refusing = await legacy(server)
  expect(await resultOf(refusing, await start(refusing, 'first'))).toMatchObject({ isError: true })
  const unable = await createTestClient(server, { revision: '2025-11-25' })
  await expect(start(unable, 'first')).rejects.toThrow('The client lacks a capability')
})

it('a task goes on telling of its progress, and says which task it is', async () => {
  const client = await legacy(createSample().server)
  const { task } = await client.request(
    'tools/call',
    { name: 'chatty', task: {} },
    { meta: { progressToken: 'p' } },
  )
  const { taskId } = task as { taskId: string }
  await resultOf(client, taskId)
  const _meta = { [RELATED]: { taskId } }
  const related = client.notices.filter(({ method }) => method !== 'notifications/tasks/status')
  expect(related).toEqual([
    { method: 'notifications/progress', params: { progressToken: 'p', progress: 1, total: 2, _meta } },
    { method: 'notifications/message', params: { level: 'error', logger: 'long', data: 'halfway', _meta } },
  ])
})

it('lists tasks page by page, without those that have expired', async () => {
  const client = await legacy(createSample({ pageSize: 2 }).server)
  const ids: string[] = []
  for (let count = 0; count < 5; count++) ids.push(await start(client, 'fail'))
  // A task that lives briefly does not take the list with it.
  await start(client, 'fail', { task: { ttl: 1 } })
  await expect.poll(() => listAll(client)).toEqual([ids.slice(0, 2), ids.slice(2, 4), ids.slice(4)])
  for (const cursor of ['x', '-1', '', 5])
    await expect(client.request('tasks/list', { cursor })).rejects.toMatchObject({ code: -32602 })
})

it('lists no tasks to callers who can neither be told apart nor have a session', async () => {
  const to = openAs(createSample().server, { id: 'anybody', anonymous: true })
  await to.ask('tools/call', { name: 'fail', task: {} })
  expect((await to.ask('tasks/list')).result).toEqual({ tasks: [] })
})

/** The ids on each page. */
async function listAll(client: TestClient, cursor?: string): Promise<string[][]> {
  const page = await client.request('tasks/list', cursor === undefined ? {} : { cursor })
  const { tasks, nextCursor } = page as { tasks: { taskId: string }[]; nextCursor?: string }
  const rest = nextCursor === undefined ? [] : await listAll(client, nextCursor)
  return [tasks.map(({ taskId }) => taskId), ...rest]
}

it('keeps a task no longer than it may, and no longer than was wished', async () => {
  const client = await legacy(createSample({ taskTtlMs: 1000 }).server)
  const ttl = async (task: JsonObject) => {
    const created = await client.request('tools/call', { name: 'fail', task })
    return (created['task'] as JsonObject)['ttl']
  }
  expect(await ttl({})).toBe(1000)
  expect(await ttl({ ttl: null })).toBe(1000)
  expect(await ttl({ ttl: 9e15 })).toBe(1000)
  expect(await ttl({ ttl: 500.5 })).toBe(500)
  expect(await ttl({ ttl: 0 })).toBe(1)
  const brief = await start(client, 'wait', { task: { ttl: 50 } })
  await expect(resultOf(client, brief), 'whoever waits is told').rejects.toMatchObject(UNKNOWN)
  const endless = await legacy(createSample({ taskTtlMs: Number.POSITIVE_INFINITY }).server)
  expect(await get(endless, await start(endless, 'fail'))).toMatchObject({ ttl: null })
  const wished = await start(endless, 'fail', { task: { ttl: 60_000 } })
  expect(await get(endless, wished)).toMatchObject({ ttl: 60_000 })
})

it('a question is withdrawn when the request for the result that put it is cancelled', async () => {
  const { silent, taskId } = await askInVain(createSample().server)
  silent.send({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 'wait' } })
  const asked = silent.heard.find(({ method }) => method === 'elicitation/create')
  await expect
    .poll(() => silent.notices('notifications/cancelled'))
    .toMatchObject([{ params: { requestId: asked?.['id'] } }])
  expect((await silent.ask('tasks/get', { taskId }))['result']).toMatchObject({ status: 'input_required' })
})
