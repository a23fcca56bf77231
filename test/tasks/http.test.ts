import { expect, it, onTestFinished } from 'vitest'
import { apiKeys, type ServeHttpOptions, serveHttp } from '../../src/index.ts'
import type { JsonObject } from '../../src/kernel/index.ts'
import { introduction } from '../setup/talk.ts'
import { createSample, RELATED, type Sample, TASKS } from './sample.ts'

const KEYS = {
  authenticator: apiKeys({
    keys: [
      { name: 'ann', key: 'a'.repeat(32) },
      { name: 'bob', key: 'b'.repeat(32) },
    ],
  }),
}

async function serve(settings: ServeHttpOptions = {}, sample: Sample = createSample()) {
  const http = await serveHttp(sample.server, settings)
  onTestFinished(async () => void (await http.close()))
  return { ...sample, url: http.url }
}

interface Told {
  readonly status: number
  readonly result: JsonObject
  readonly error: JsonObject
  readonly response: Response
}

/** Posts a message and gives the last one of the answer. */
async function post(url: string, message: JsonObject, headers: Record<string, string> = {}): Promise<Told> {
  const response = await fetch(url, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...headers,
    },
    body: JSON.stringify({ jsonrpc: '2.0', ...message }),
  })
  const text = await response.text()
  const data = text.startsWith('{')
    ? text
    : (text
        .match(/^data: (.+)$/gm)
        ?.at(-1)
        ?.slice(6) ?? '{}')
  const { result, error } = JSON.parse(data)
  return { status: response.status, result, error, response }
}

function modern(url: string, headers: Record<string, string> = {}) {
  return (method: string, params: JsonObject = {}) => {
    const _meta = introduction({ elicitation: {}, extensions: { [TASKS]: {} } })
    const name = params['taskId'] ?? params['name']
    return post(
      url,
      { id: 1, method, params: { ...params, _meta } },
      {
        'mcp-protocol-version': '2026-07-28',
        'mcp-method': method,
        ...(name !== undefined && { 'mcp-name': String(name) }),
        ...headers,
      },
    )
  }
}

async function legacy(url: string, headers: Record<string, string> = {}) {
  const params = {
    protocolVersion: '2025-11-25',
    capabilities: {},
    clientInfo: { name: 'test', version: '1' },
  }
  const { response } = await post(url, { id: 0, method: 'initialize', params }, headers)
  const session = { 'mcp-session-id': String(response.headers.get('mcp-session-id')), ...headers }
  await post(url, { method: 'notifications/initialized' }, session)
  let lastId = 0
  return (method: string, params: JsonObject = {}) => post(url, { id: ++lastId, method, params }, session)
}

const bearer = (letter: string) => ({ authorization: `Bearer ${letter.repeat(32)}` })

it('a task outlives the request that began it', async () => {
  const { url, open } = await serve()
  const ask = modern(url)
  const { result } = await ask('tools/call', { name: 'wait' })
  const taskId = String(result['taskId'])
  expect((await ask('tasks/get', { taskId })).result).toMatchObject({ status: 'working' })
  open()
  await expect
    .poll(async () => (await ask('tasks/get', { taskId })).result)
    .toMatchObject({ status: 'completed' })
  const absent = await ask('tasks/result', { taskId })
  expect(absent).toMatchObject({ status: 404, error: { code: -32601 } })
})

it('in the revision before, its result is waited for', async () => {
  const { url, open } = await serve()
  const ask = await legacy(url)
  const { result } = await ask('tools/call', { name: 'wait', task: {} })
  const { taskId } = result['task'] as { taskId: string }
  const waiting = ask('tasks/result', { taskId })
  open()
  expect((await waiting).result).toMatchObject({ content: [{}], _meta: { [RELATED]: { taskId } } })
})

it('somebody else’s task looks like none', async () => {
  const { url } = await serve(KEYS)
  const [ann, bob] = [modern(url, bearer('a')), modern(url, bearer('b'))]
  const { result } = await ann('tools/call', { name: 'wait' })
  const taskId = String(result['taskId'])
  expect((await ann('tasks/get', { taskId })).result).toMatchObject({ status: 'working' })
  const never = (await bob('tasks/get', { taskId: 'never' })).error
  for (const [method, more] of [
    ['tasks/get', {}],
    ['tasks/update', { inputResponses: {} }],
    ['tasks/cancel', {}],
  ] as const)
    expect((await bob(method, { taskId, ...more })).error).toEqual(never)
  expect(never).toMatchObject({ code: -32602 })
  expect((await ann('tasks/get', { taskId })).result).toMatchObject({ status: 'working' })
})

it('a caller lists its own tasks only', async () => {
  const { url } = await serve(KEYS)
  const [ann, again, bob] = [
    await legacy(url, bearer('a')),
    await legacy(url, bearer('a')),
    await legacy(url, bearer('b')),
  ]
  await ann('tools/call', { name: 'fail', task: {} })
  expect((await ann('tasks/list')).result['tasks']).toHaveLength(1)
  expect((await again('tasks/list')).result['tasks']).toHaveLength(1)
  expect((await bob('tasks/list')).result['tasks']).toEqual([])
})

it('callers without a name do not see each other’s tasks', async () => {
  const { url } = await serve()
  const [one, other] = [await legacy(url), await legacy(url)]
  await one('tools/call', { name: 'fail', task: {} })
  await modern(url)('tools/call', { name: 'fail' })
  expect((await one('tasks/list')).result['tasks']).toHaveLength(1)
  expect((await other('tasks/list')).result['tasks']).toEqual([])
})

it('a caller that has lost a scope has lost the tasks of its tool', async () => {
  const tool = {
    name: 'wait',
    description: 'Waits',
    task: 'required',
    scopes: ['long'],
    run: () => 'done',
  } as const
  const sample = createSample({ tools: [tool] })
  const { server } = sample
  const scopes = { now: ['long'] }
  const authenticator = { ...KEYS.authenticator, authenticate: () => ({ id: 'ann', scopes: scopes.now }) }
  const { url } = await serve({ authenticator }, sample)
  const ask = modern(url)
  const taskId = String((await ask('tools/call', { name: 'wait' })).result['taskId'])
  expect((await ask('tasks/get', { taskId })).status).toBe(200)
  scopes.now = ['other']
  expect(await ask('tasks/get', { taskId })).toMatchObject({ status: 403 })
  expect(server.tools.size).toBe(1)
})
