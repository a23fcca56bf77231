import { expect, it, onTestFinished } from 'vitest'
import { type Client, connect } from '../../src/client/index.ts'
import { apiKeys, type ServeHttpOptions, serveHttp } from '../../src/index.ts'
import { createSample, RELATED, type Sample, TASKS } from './tasks-sample.ts'

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

const TASKING = { elicitation: {}, extensions: { [TASKS]: {} } }

/** Connects as somebody; the client ends with the test. */
async function open(url: string, revision: string, headers: Record<string, string> = {}): Promise<Client> {
  const client = await connect(url, { revision, headers, capabilities: TASKING })
  onTestFinished(() => client.close())
  return client
}

const modern = (url: string, headers = {}) => open(url, '2026-07-28', headers)
const legacy = (url: string, headers = {}) => open(url, '2025-11-25', headers)

/** The id of a task that a call has become. */
async function begin(client: Client, name: string): Promise<string> {
  return String((await client.tasks.start(name)).taskId)
}

const bearer = (letter: string) => ({ authorization: `Bearer ${letter.repeat(32)}` })

it('a task outlives the request that began it', async () => {
  const { url, open } = await serve()
  const client = await modern(url)
  const taskId = await begin(client, 'wait')
  expect(await client.tasks.get(taskId)).toMatchObject({ status: 'working' })
  open()
  await expect.poll(() => client.tasks.get(taskId)).toMatchObject({ status: 'completed' })
  const absent = client.request('tasks/result', { taskId })
  await expect(absent).rejects.toMatchObject({ status: 404, code: -32601 })
})

it('in the revision before, its result is waited for', async () => {
  const { url, open } = await serve()
  const client = await legacy(url)
  const taskId = await begin(client, 'wait')
  const waiting = client.tasks.result(taskId)
  open()
  expect(await waiting).toMatchObject({ content: [{}], _meta: { [RELATED]: { taskId } } })
})

it('somebody else’s task looks like none', async () => {
  const { url } = await serve(KEYS)
  const [ann, bob] = [await modern(url, bearer('a')), await modern(url, bearer('b'))]
  const taskId = await begin(ann, 'wait')
  expect(await ann.tasks.get(taskId)).toMatchObject({ status: 'working' })
  const never = await bob.tasks.get('never').catch((error) => error)
  for (const [method, more] of [
    ['tasks/get', {}],
    ['tasks/update', { inputResponses: {} }],
    ['tasks/cancel', {}],
  ] as const)
    expect(await bob.request(method, { taskId, ...more }).catch((error) => error)).toEqual(never)
  expect(never).toMatchObject({ code: -32602 })
  expect(await ann.tasks.get(taskId)).toMatchObject({ status: 'working' })
})

it('a caller lists its own tasks only', async () => {
  const { url } = await serve(KEYS)
  const [ann, again, bob] = [
    await legacy(url, bearer('a')),
    await legacy(url, bearer('a')),
    await legacy(url, bearer('b')),
  ]
  await begin(ann, 'fail')
  expect(await ann.tasks.list()).toHaveLength(1)
  expect(await again.tasks.list()).toHaveLength(1)
  expect(await bob.tasks.list()).toEqual([])
})

it('callers without a name do not see each other’s tasks', async () => {
  const { url } = await serve()
  const [one, other] = [await legacy(url), await legacy(url)]
  await begin(one, 'fail')
  await begin(await modern(url), 'fail')
  expect(await one.tasks.list()).toHaveLength(1)
  expect(await other.tasks.list()).toEqual([])
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
  const client = await modern(url)
  const taskId = await begin(client, 'wait')
  expect(await client.tasks.get(taskId)).toMatchObject({ taskId })
  scopes.now = ['other']
  await expect(client.tasks.get(taskId)).rejects.toMatchObject({ status: 403 })
  expect(server.tools.size).toBe(1)
})
