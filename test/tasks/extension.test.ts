import { expect, it } from 'vitest'
import { createTestClient } from '../../src/client/test-client.ts'
import { MemoryStore } from '../../src/stores/memory.ts'
import { accept, createSample, get, modern, start, statusOf, TASKS } from './tasks-sample.ts'

const UNKNOWN = { code: -32602, message: 'Invalid params: taskId: there is no such task' }

it('a long call is answered with a task, which can be looked at from then on', async () => {
  const { server, open } = createSample()
  const client = await modern(server)
  const created = await client.request('tools/call', { name: 'wait', arguments: { text: 'done' } })
  expect(created).toMatchObject({
    resultType: 'task',
    status: 'working',
    ttlMs: 3_600_000,
    pollIntervalMs: 500,
  })
  for (const member of ['task', 'result', 'error', 'inputRequests', 'requestState', 'ttl', 'content'])
    expect(created).not.toHaveProperty(member)
  const taskId = String(created['taskId'])
  expect(taskId).toMatch(/^[0-9a-f-]{36}$/)
  expect(await get(client, taskId)).toMatchObject({ resultType: 'complete', taskId, status: 'working' })
  open()
  await expect
    .poll(() => get(client, taskId))
    .toMatchObject({
      resultType: 'complete',
      status: 'completed',
      result: { content: [{ type: 'text', text: 'done' }], isError: false },
    })
  expect((await get(client, taskId))['result']).not.toHaveProperty('_meta')
})

it('a task goes on when the client that began it has left', async () => {
  const { server, open, seen } = createSample()
  const first = await modern(server)
  const taskId = await start(first, 'wait')
  first.close()
  open()
  await expect.poll(async () => statusOf(await modern(server), taskId)).toBe('completed')
  expect(seen.stopped).toBe(0)
})

it('the extension is declared as such, and the tasks of the revision before are not', async () => {
  const client = await modern(createSample().server)
  const { capabilities } = await client.request('server/discover')
  expect(capabilities).toMatchObject({ extensions: { [TASKS]: {} } })
  expect(capabilities).not.toHaveProperty('tasks')
  for (const method of ['tasks/result', 'tasks/list'])
    await expect(client.request(method, { taskId: 'x' })).rejects.toMatchObject({ code: -32601 })
})

it('a client without the extension waits, or is told that it needs it', async () => {
  const { server, open } = createSample()
  // What the revision before called so counts for nothing.
  const client = await createTestClient(server, {
    capabilities: { tasks: { requests: { tools: { call: {} } } } },
  })
  open()
  const params = { name: 'wait', arguments: {}, task: { ttl: 1000 } }
  expect(await client.request('tools/call', params)).toMatchObject({ resultType: 'complete', content: [{}] })
  const data = { requiredCapabilities: { extensions: { [TASKS]: {} } } }
  for (const [method, more] of [
    ['tools/call', { name: 'fail', arguments: { how: 'throw' } }],
    ['tasks/get', { taskId: 'x' }],
    ['tasks/update', { taskId: 'x', inputResponses: {} }],
    ['tasks/cancel', { taskId: 'x' }],
    ['subscriptions/listen', { notifications: { taskIds: ['x'] } }],
  ] as const)
    await expect(client.request(method, more), method).rejects.toMatchObject({ code: -32021, data })
})

it('a tool that knows no tasks never becomes one, and a legacy wish is not heard', async () => {
  const client = await modern(createSample({ taskTtlMs: 5000 }).server)
  expect(await client.request('tools/call', { name: 'plain', task: {} })).toMatchObject({ content: [{}] })
  const created = await client.request('tools/call', { name: 'fail', task: { ttl: 7 } })
  expect(created).toMatchObject({ resultType: 'task', ttlMs: 5000 })
})

it('a result that says it failed has completed; only an error of the protocol has failed', async () => {
  const client = await modern(createSample().server)
  const ended = async (how: string) => {
    const taskId = await start(client, 'fail', { arguments: { how } })
    await expect.poll(() => statusOf(client, taskId)).not.toBe('working')
    return get(client, taskId)
  }
  for (const how of ['throw', 'result']) {
    const task = await ended(how)
    expect(task).toMatchObject({ status: 'completed', result: { isError: true } })
    expect(task).not.toHaveProperty('error')
  }
  const failed = await ended('fault')
  expect(failed).toMatchObject({
    status: 'failed',
    statusMessage: 'Not like this',
    error: { code: -32602, message: 'Not like this', data: { why: 'because' } },
  })
  expect(failed).not.toHaveProperty('result')
  expect(await ended('bigint')).toMatchObject({ status: 'failed', error: { code: -32603 } })
})

it('cancelling reaches the function, and what it still gives changes nothing', async () => {
  const { server, open, seen } = createSample()
  const client = await modern(server)
  const taskId = await start(client, 'wait')
  const ack = await client.request('tasks/cancel', { taskId })
  expect(Object.keys(ack).sort()).toEqual(['_meta', 'resultType'])
  expect(seen.stopped).toBe(1)
  open()
  expect(await get(client, taskId)).not.toHaveProperty('result')
  expect(await statusOf(client, taskId)).toBe('cancelled')
  // A second wish is as good as the first, and so is one that comes too late.
  expect(await client.request('tasks/cancel', { taskId })).toMatchObject({ resultType: 'complete' })
  const done = await start(client, 'wait')
  await expect.poll(() => statusOf(client, done)).toBe('completed')
  expect(await client.request('tasks/cancel', { taskId: done })).toMatchObject({ resultType: 'complete' })
  expect(await statusOf(client, done)).toBe('completed')
})

it('cancelling the request that began a task does not cancel the task', async () => {
  const { server, seen } = createSample()
  const client = await modern(server)
  const taskId = await start(client, 'wait')
  client.notify('notifications/cancelled', { requestId: 1 })
  expect(await statusOf(client, taskId)).toBe('working')
  expect(seen.stopped).toBe(0)
})

it('a task asks by its status, and takes answers one by one', async () => {
  const client = await modern(createSample().server)
  const taskId = await start(client, 'ask')
  await expect.poll(() => statusOf(client, taskId)).toBe('input_required')
  const asking = await get(client, taskId)
  expect(asking).toMatchObject({
    inputRequests: {
      first: { method: 'elicitation/create', params: { message: 'First?' } },
      second: { method: 'elicitation/create', params: { message: 'Second?' } },
    },
  })
  expect(asking).not.toHaveProperty('requestState')
  const update = (inputResponses: object) => client.request('tasks/update', { taskId, inputResponses })
  const wrong = update({ first: { action: 'accept', content: { name: 5 } } })
  await expect(wrong).rejects.toMatchObject({
    code: -32602,
    message: expect.stringContaining('inputResponses.first'),
  })
  expect(await get(client, taskId)).toEqual(asking)
  expect(await update({ nobody: accept('x'), asked: 5 })).toMatchObject({ resultType: 'complete' })
  expect(await get(client, taskId)).toEqual(asking)

  expect(Object.keys(await update({ first: accept('Ann') })).sort()).toEqual(['_meta', 'resultType'])
  expect(Object.keys((await get(client, taskId))['inputRequests'] as object)).toEqual(['second'])
  // What has been answered stays answered.
  await update({ first: accept('Bob') })
  await update({ second: accept('Eve') })
  await expect
    .poll(() => get(client, taskId))
    .toMatchObject({ status: 'completed', result: { content: [{ text: 'Ann and Eve' }] } })
  expect(await get(client, taskId)).not.toHaveProperty('inputRequests')
  expect(await update({ first: accept('Zoe') })).toMatchObject({ resultType: 'complete' })
})

it('a key is never used twice', async () => {
  const client = await modern(createSample().server)
  const taskId = await start(client, 'insist')
  const keys: string[] = []
  for (let round = 0; round < 3; round++) {
    await expect.poll(() => statusOf(client, taskId)).toBe('input_required')
    const [key = ''] = Object.keys((await get(client, taskId))['inputRequests'] as object)
    keys.push(key)
    const answer = round === 2 ? accept('Ann') : { action: 'decline' }
    await client.request('tasks/update', { taskId, inputResponses: { [key]: answer } })
  }
  expect(keys).toEqual(['name', 'name-2', 'name-3'])
  await expect
    .poll(() => get(client, taskId))
    .toMatchObject({ result: { content: [{ text: 'Hello, Ann' }] } })
})

it('a task that asks what the client cannot answer has failed', async () => {
  const client = await createTestClient(createSample().server, {
    capabilities: { extensions: { [TASKS]: {} } },
  })
  const taskId = await start(client, 'insist')
  await expect
    .poll(() => get(client, taskId))
    .toMatchObject({ status: 'failed', error: { code: -32021, data: { requiredCapabilities: {} } } })
})

it('a task that is asking can be cancelled', async () => {
  const client = await modern(createSample().server)
  const taskId = await start(client, 'ask')
  await expect.poll(() => statusOf(client, taskId)).toBe('input_required')
  await client.request('tasks/cancel', { taskId })
  expect(await get(client, taskId)).not.toHaveProperty('inputRequests')
  expect(await statusOf(client, taskId)).toBe('cancelled')
})

it('what must be known before a task begins is asked before it begins', async () => {
  const { server } = createSample()
  const asked: string[] = []
  const answers = {
    'elicitation/create': (params: object) => {
      asked.push((params as { message: string }).message)
      return accept('Ann')
    },
  }
  const client = await modern(server, { answers })
  const created = await client.request('tools/call', { name: 'first' })
  expect(asked).toEqual(['Your name?'])
  expect(created).toMatchObject({ resultType: 'task', status: 'working' })
  await expect
    .poll(() => get(client, String(created['taskId'])))
    .toMatchObject({ result: { content: [{ text: 'Hello, Ann' }] } })
})

it('somebody else and an expired task look like no task at all', async () => {
  const { server, open } = createSample({ taskTtlMs: 60 })
  const client = await modern(server)
  const taskId = await start(client, 'wait')
  open()
  await expect.poll(() => get(client, taskId).catch((error: unknown) => error)).toMatchObject(UNKNOWN)
  for (const [method, more] of [
    ['tasks/get', {}],
    ['tasks/update', { inputResponses: {} }],
    ['tasks/cancel', {}],
  ] as const)
    for (const id of [taskId, 'never', '__proto__'])
      await expect(client.request(method, { taskId: id, ...more })).rejects.toMatchObject(UNKNOWN)
  await expect(client.request('tasks/get', { taskId: 5 })).rejects.toMatchObject({ code: -32602 })
})

it('a function whose task has expired is told to stop', async () => {
  const { server, seen } = createSample({ taskTtlMs: 30 })
  await start(await modern(server), 'wait')
  await expect.poll(() => seen.stopped).toBe(1)
})

it('who listens is told of every change of its own tasks, and of no other', async () => {
  const { server, open } = createSample()
  const client = await modern(server)
  const [taskId, other] = [await start(client, 'ask'), await start(client, 'wait')]
  await expect.poll(() => statusOf(client, taskId)).toBe('input_required')
  const notifications = { taskIds: [taskId, 'nobodys'] }
  const stop = new AbortController()
  const listening = client.request('subscriptions/listen', { notifications }, { signal: stop.signal })
  await expect
    .poll(() => client.notices)
    .toMatchObject([{ params: { notifications: { taskIds: [taskId] } } }])
  await client.request('tasks/update', { taskId, inputResponses: { first: accept('Ann') } })
  await client.request('tasks/update', { taskId, inputResponses: { second: accept('Bob') } })
  open()
  await expect.poll(() => statusOf(client, other)).toBe('completed')
  await expect.poll(() => statusOf(client, taskId)).toBe('completed')
  expect(client.notices.slice(1)).toMatchObject([
    {
      method: 'notifications/tasks',
      params: { taskId, status: 'input_required', inputRequests: { second: {} } },
    },
    { method: 'notifications/tasks', params: { taskId, status: 'working' } },
    { method: 'notifications/tasks', params: { taskId, status: 'completed', result: { content: [{}] } } },
  ])
  const meta = client.notices.map(({ params }) => (params['_meta'] as object | undefined) ?? {})
  for (const one of meta) expect(one).toHaveProperty(['io.modelcontextprotocol/subscriptionId'])
  stop.abort()
  await expect(listening).rejects.toThrow('aborted')
})

it('who begins to listen when a task is over is told so', async () => {
  const { server, open } = createSample()
  const client = await modern(server)
  const taskId = await start(client, 'wait')
  open()
  await expect.poll(() => statusOf(client, taskId)).toBe('completed')
  const stop = new AbortController()
  const params = { notifications: { taskIds: [taskId] } }
  const listening = client.request('subscriptions/listen', params, { signal: stop.signal })
  await expect.poll(() => client.notices).toMatchObject([{}, { params: { taskId, status: 'completed' } }])
  stop.abort()
  await expect(listening).rejects.toThrow('aborted')
})

it('a task tells nothing of its progress', async () => {
  const client = await modern(createSample().server)
  const meta = { progressToken: 'p', 'io.modelcontextprotocol/logLevel': 'debug' }
  const { taskId } = await client.request('tools/call', { name: 'chatty' }, { meta })
  await expect.poll(() => statusOf(client, String(taskId))).toBe('completed')
  expect(client.notices).toEqual([])
})

it('a task outlives its tool', async () => {
  const { server } = createSample()
  const client = await modern(server, { principal: { id: 'ann', scopes: ['any'] } })
  const taskId = await start(client, 'fleeting')
  for (const { key } of [...server.tools]) server.tools.remove(key)
  await expect
    .poll(() => get(client, taskId))
    .toMatchObject({ status: 'completed', result: { content: [{ text: 'still done' }] } })
})

it('two servers on one store work on each other’s tasks', async () => {
  const store = new MemoryStore()
  const [here, there] = [createSample({ store }), createSample({ store })]
  const [client, other] = [await modern(here.server), await modern(there.server)]
  const asking = await start(client, 'ask')
  await expect.poll(() => statusOf(other, asking)).toBe('input_required')
  const inputResponses = { first: accept('Ann'), second: accept('Bob') }
  await other.request('tasks/update', { taskId: asking, inputResponses })
  await expect
    .poll(() => get(other, asking))
    .toMatchObject({ result: { content: [{ text: 'Ann and Bob' }] } })
  const waiting = await start(client, 'wait')
  await other.request('tasks/cancel', { taskId: waiting })
  expect(here.seen.stopped).toBe(1)
  expect(await statusOf(client, waiting)).toBe('cancelled')
})
