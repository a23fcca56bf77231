import { expect, it, onTestFinished } from 'vitest'
import { defineTool, serveHttp } from '../../src/index.ts'
import type { Budgets } from '../../src/kernel/index.ts'
import { openAs } from '../setup/caller.ts'
import { introduction } from '../setup/talk.ts'
import { accept, createSample, get, legacy, modern, start, statusOf, TASKS } from './tasks-sample.ts'

const speak = defineTool({
  name: 'speak',
  task: 'required',
  input: { type: 'object', properties: { length: { type: 'integer' } } },
  run: ({ length = 0 }) => 'x'.repeat(length),
})

function create(budgets: Partial<Budgets>) {
  const sample = createSample({ budgets })
  sample.server.tools.add(speak)
  return sample
}

it('so many tasks are at work, and no more until one has ended', async () => {
  const { server, open, seen } = create({ maxTasks: 2 })
  const client = await modern(server)
  const first = await start(client, 'wait')
  await start(client, 'wait')
  expect(server.usage.read('maxTasks')).toBe(2)
  await expect(client.callTool('wait')).rejects.toMatchObject({
    code: 429,
    message: expect.stringContaining('at most 2, got 3 (--max-tasks)'),
  })
  expect(seen.begun).toBe(2)
  open()
  await expect.poll(() => statusOf(client, first)).toBe('completed')
  await expect.poll(() => server.usage.read('maxTasks')).toBe(0)
  await start(client, 'wait')
})

it('so many tasks of one caller are at work, and another caller has its own', async () => {
  const { server } = create({ maxTasksPerCaller: 1 })
  const begin = async (id: string) => {
    const { error } = await openAs(server, { id }).ask('tools/call', { name: 'wait', task: {} })
    return error?.message ?? 'begun'
  }
  expect(await begin('ann')).toBe('begun')
  expect(await begin('ann')).toContain('at most 1, got 2 (--max-tasks-per-caller)')
  expect(await begin('bob')).toBe('begun')
})

it('a task that waits for its client is not at work', async () => {
  const { server } = create({ maxTasks: 1 })
  const client = await modern(server)
  const taskId = await start(client, 'ask')
  await expect.poll(() => statusOf(client, taskId)).toBe('input_required')
  expect(server.usage.read('maxTasks')).toBe(0)
  await start(client, 'insist')
  const inputResponses = { first: accept('Ann'), second: accept('Bob') }
  await client.request('tasks/update', { taskId, inputResponses })
  await expect.poll(() => statusOf(client, taskId)).toBe('completed')
})

it('a call that asks before it becomes a task, or is refused, takes no place', async () => {
  const { server } = create({})
  const client = await modern(server, { answers: { 'elicitation/create': () => ({ action: 'decline' }) } })
  const silent = openAs(server)
  await silent.ask('tools/call', { name: 'first', task: {} })
  await start(client, 'first')
  await expect.poll(() => server.usage.read('maxTasks')).toBe(0)
  expect(server.usage.read('maxTasksKept')).toBe(1)
})

it('so many tasks are kept, and their places are free when they have expired', async () => {
  const { server } = create({ maxTasksKept: 2 })
  const client = await legacy(server)
  const short = await start(client, 'speak', { task: { ttl: 1 } })
  await start(client, 'speak')
  expect(short).not.toBe('')
  await expect
    .poll(() => start(client, 'speak').catch((error: Error) => error.message))
    .not.toContain('at most')
  await expect(start(client, 'speak')).rejects.toThrow('at most 2, got 3 (--max-tasks-kept)')
})

it('a result that is too large is not kept, and the task says so', async () => {
  const { server } = create({ maxTaskResultBytes: 1000 })
  const client = await modern(server)
  const small = await start(client, 'speak', { arguments: { length: 500 } })
  await expect.poll(() => statusOf(client, small)).toBe('completed')
  const large = await start(client, 'speak', { arguments: { length: 5000 } })
  await expect.poll(() => statusOf(client, large)).toBe('failed')
  expect((await get(client, large))['error']).toMatchObject({
    code: -32603,
    message: expect.stringMatching(
      /^The result of the task could not be kept: .*at most 1000 bytes, got 5\d{3} \(--max-task-result\)$/,
    ),
  })
})

it('nothing waits for a tool that has given its result, so nothing holds on to it', async () => {
  const { server } = create({})
  const { platform } = server
  const { after } = platform
  const waiting = new Set<object>()
  platform.after = (milliseconds, run) => {
    const one = {}
    if (milliseconds === 0) waiting.add(one)
    const callOff = after(milliseconds, run)
    return () => {
      waiting.delete(one)
      callOff()
    }
  }
  await start(await modern(server), 'speak')
  expect(waiting.size).toBe(0)
})

it('results are kept while there is room for them, for each caller and in all', async () => {
  const { server } = create({ maxTaskStoreBytes: 8000 })
  const client = await modern(server)
  const first = await start(client, 'speak', { arguments: { length: 3000 } })
  await expect.poll(() => statusOf(client, first)).toBe('completed')
  expect(server.usage.read('maxTaskStoreBytes')).toBeGreaterThan(3000)
  const second = await start(client, 'speak', { arguments: { length: 3000 } })
  await expect.poll(() => statusOf(client, second)).toBe('failed')
  expect((await get(client, second))['error']).toMatchObject({
    message: expect.stringContaining('--max-task-store)'),
  })
  await expect(start(client, 'speak')).rejects.toThrow('what tasks take with their results: at most 8000')
})

it('answers that are too large for what tasks may take are refused, and the task goes on waiting', async () => {
  const { server } = create({ maxTaskStoreBytes: 8000 })
  const client = await modern(server)
  const taskId = await start(client, 'insist')
  await expect.poll(() => statusOf(client, taskId)).toBe('input_required')
  const answer = (name: string) =>
    client.request('tasks/update', { taskId, inputResponses: { name: accept(name) } })
  await expect(answer('x'.repeat(9000))).rejects.toMatchObject({ code: 429 })
  expect(await statusOf(client, taskId)).toBe('input_required')
  await answer('Ann')
  await expect.poll(() => statusOf(client, taskId)).toBe('completed')
})

it('over HTTP tasks at work leave the places of calls alone', async () => {
  const { server } = create({ maxCalls: 1, maxTasks: 2 })
  const http = await serveHttp(server, { port: 0 })
  onTestFinished(async () => void (await http.close()))
  const call = async (name: string) => {
    const meta = introduction({ extensions: { [TASKS]: {} } })
    const response = await fetch(http.url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        'mcp-protocol-version': '2026-07-28',
        'mcp-method': 'tools/call',
        'mcp-name': name,
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, _meta: meta } }),
    })
    await response.text()
    return response.status
  }
  expect(await call('plain')).toBe(200)
  expect(await call('wait')).toBe(200)
  expect(await call('wait')).toBe(200)
  expect([server.usage.read('maxTasks'), server.usage.read('maxCalls')]).toEqual([2, 0])
  expect(await call('plain')).toBe(200)
})

it('a task keeps of its request what it needs, and nothing that stands beside it', async () => {
  const { server } = create({})
  let seen: unknown
  server.tools.add(
    defineTool({
      name: 'look',
      task: 'required',
      run: (_, call) => {
        seen = call.params
        return new Promise<string>(() => {})
      },
    }),
  )
  const to = openAs(server, { id: 'ann' })
  await to.ask('tools/call', { name: 'look', arguments: {}, task: {}, junk: 'x'.repeat(10_000) })
  expect(seen).toEqual({ name: 'look', arguments: {}, _meta: {} })
  expect(server.usage.read('maxUnderwayBytes')).toBe(0)
})
