import { expect, it } from 'vitest'
import { introduction, talk } from '../../../test/setup/talk.ts'
import { createSample, modern, start, statusOf } from '../../../test/tasks/tasks-sample.ts'
import { createTestClient, type TestClient } from '../../client/test-client.ts'
import { MemoryStore } from '../../stores/memory.ts'
import type { Call } from '../calls/call.ts'
import { NOWHERE } from '../calls/outlet.ts'
import type { Server } from '../calls/server.ts'
import type { Json, JsonObject } from '../jsonrpc/message.ts'
import { TASKS } from '../tasks/offered.ts'

const RESOURCES = ['x:a', 'x:b'].map((uri) => ({ uri, name: uri, subscribable: true, read: () => uri }))
const OFFERS = { resources: RESOURCES, prompts: [{ name: 'p', render: () => 'p' }] }

/** Listens, and gives what ends that. */
async function listen(client: TestClient, notifications: JsonObject) {
  const stop = new AbortController()
  const before = client.notices.length
  const listening = client.request('subscriptions/listen', { notifications }, { signal: stop.signal })
  await expect.poll(() => client.notices.length).toBeGreaterThan(before)
  return async () => {
    stop.abort()
    await listening.catch(() => {})
  }
}

const heardBy = ({ notices }: TestClient) =>
  notices
    .map(({ method, params }) => [method.replace('notifications/', ''), params['uri'] ?? params['taskId']])
    .filter(([method]) => method !== 'subscriptions/acknowledged')

const tellOfAnything = (server: Server) => {
  for (const listener of [...server.listeners]) listener.tell({ anything: true })
}

it('tells of all that it names when anything may have changed, and of nothing else', async () => {
  const { server, open } = createSample(OFFERS)
  const client = await modern(server)
  const [taskId, other, asking] = await Promise.all(
    ['wait', 'wait', 'ask'].map((name) => start(client, name)),
  )
  open()
  for (const id of [taskId, other]) await expect.poll(() => statusOf(client, id ?? '')).toBe('completed')
  const stop = await listen(client, {
    toolsListChanged: true,
    resourceSubscriptions: ['x:a'],
    taskIds: [taskId, asking],
  })
  await expect.poll(() => heardBy(client)).toEqual([['tasks', taskId]])
  tellOfAnything(server)
  await expect
    .poll(() => heardBy(client).slice(1))
    .toEqual([
      ['tools/list_changed', undefined],
      ['resources/updated', 'x:a'],
      ['tasks', taskId],
    ])
  await stop()
})

it('tells of the lists that it names when anything may have changed, also where it names no resource', async () => {
  const { server } = createSample(OFFERS)
  const client = await modern(server)
  const stop = await listen(client, { promptsListChanged: true })
  tellOfAnything(server)
  await expect.poll(() => heardBy(client)).toEqual([['prompts/list_changed', undefined]])
  await stop()
})

it('tells a handshake client of every list there is, and of what it subscribed to', async () => {
  const { server } = createSample(OFFERS)
  const client = await createTestClient(server, { revision: '2025-06-18' })
  await client.request('resources/subscribe', { uri: 'x:b' })
  tellOfAnything(server)
  const lists = ['tools', 'resources', 'prompts'].map((list) => [`${list}/list_changed`, undefined])
  await expect.poll(() => heardBy(client)).toEqual([...lists, ['resources/updated', 'x:b']])
  const bare = createSample().server
  const other = await createTestClient(bare, { revision: '2025-06-18' })
  tellOfAnything(bare)
  await expect.poll(() => heardBy(other)).toEqual([['tools/list_changed', undefined]])
})

/** Counts who listens to it. */
class CountingStore extends MemoryStore {
  listeners = 0

  override async subscribe(topic: string, listener: (message: Json) => void) {
    const leave = await super.subscribe(topic, listener)
    this.listeners++
    return async () => {
      this.listeners--
      await leave()
    }
  }
}

it('watches no task for a client that there is no room for', async () => {
  const store = new CountingStore()
  const { server, open } = createSample({ store, budgets: { maxHeldPerSessionBytes: 6000 } })
  const client = await modern(server)
  const taskId = await start(client, 'wait')
  open()
  await expect.poll(() => statusOf(client, taskId)).toBe('completed')
  await expect.poll(() => store.listeners).toBe(0)
  const notifications = { taskIds: [taskId], toolsListChanged: true }
  const asking = Array.from({ length: 3 }, () =>
    client.request('subscriptions/listen', { notifications }).catch((error: Error) => error.message),
  )
  expect(await Promise.race(asking)).toContain('at most 6000 bytes')
  await expect.poll(() => store.listeners).toBe(1)
  server.end()
  await Promise.all(asking)
  await expect.poll(() => store.listeners).toBe(0)
  expect(server.usage.read('maxHeldBytes')).toBe(0)
})

it('has whoever asks elsewhere for a resource told that somebody wants to hear of it, and no longer does', async () => {
  const { server } = createSample(OFFERS)
  const told: string[] = []
  server.relaying.interest.add({
    begin: (uri) => void told.push(`+${uri}`),
    end: (uri) => void told.push(`-${uri}`),
  })
  const client = await modern(server)
  const stop = await listen(client, { resourceSubscriptions: ['x:a', 'x:b', 'x:c'] })
  expect(told).toEqual(['+x:a', '+x:b'])
  await stop()
  await expect.poll(() => told.slice(2)).toEqual(['-x:a', '-x:b'])
  expect(server.listeners.size).toBe(0)
})

it('tells of a resource on one conversation what has changed for that one alone', async () => {
  const { server } = createSample(OFFERS)
  const links: object[] = []
  server.relaying.interest.add({ begin: (_uri, link) => void links.push(link), end: () => {} })
  const [old, other] = await Promise.all(
    [1, 2].map(() => createTestClient(server, { revision: '2025-06-18' })),
  )
  const young = await modern(server)
  for (const client of [old, other]) await client?.request('resources/subscribe', { uri: 'x:a' })
  const stop = await listen(young, { resourceSubscriptions: ['x:a'] })
  const heard = () => [old, other, young].map((client) => client && heardBy(client).length)
  for (const [at, counts] of [
    [0, [1, 0, 0]],
    [2, [1, 0, 1]],
    [undefined, [2, 1, 2]],
  ] as const) {
    server.updated('x:a', at === undefined ? undefined : links[at])
    await expect.poll(heard).toEqual(counts)
  }
  await stop()
})

it('watches no task for a client that has left before its tasks were found', async () => {
  const store = new CountingStore()
  const { server } = createSample({ store })
  const client = await modern(server)
  const taskId = await start(client, 'ask')
  await expect.poll(() => statusOf(client, taskId)).toBe('input_required')
  const stop = new AbortController()
  const get = store.get.bind(store)
  store.get = async (key) => {
    stop.abort()
    return get(key)
  }
  const params = { notifications: { taskIds: [taskId] } }
  await client.request('subscriptions/listen', params, { signal: stop.signal }).catch(() => {})
  await client.request('tasks/cancel', { taskId })
  await expect.poll(() => store.listeners).toBe(0)
})

it('holds nothing for a client that has left before its filter was read', async () => {
  const { server } = createSample()
  const rested: number[] = []
  const link = server.open({ outlet: NOWHERE, rested: (_link, _reason, change) => void rested.push(change) })
  const notifications = { toolsListChanged: true, taskIds: ['t'] }
  const params = { notifications, _meta: introduction({ extensions: { [TASKS]: {} } }) }
  const replied = new Promise((resolve) => {
    link.receive({ kind: 'request', id: 1, method: 'subscriptions/listen', params, length: 100 }, resolve)
  })
  link.receive(
    { kind: 'notification', method: 'notifications/cancelled', params: { requestId: 1 } },
    () => {},
  )
  expect(await replied).toBeUndefined()
  await new Promise(setImmediate)
  expect([server.listeners.size, server.held.total, link.busy, rested]).toEqual([0, 0, 0, []])
})

it('counts each that listens by what that costs, however little it names', async () => {
  const { server } = createSample({ budgets: { maxHeldPerSessionBytes: 20_000 } })
  const to = talk(server)
  const params = { notifications: { toolsListChanged: true }, _meta: introduction() }
  for (let id = 1; id <= 6; id++) to.send({ jsonrpc: '2.0', id, method: 'subscriptions/listen', params })
  expect(to.heard.filter(({ error }) => error !== undefined)).toMatchObject([
    { id: 5, error: { code: 429, message: expect.stringContaining('at most 20000 bytes') } },
    { id: 6 },
  ])
  to.close()
  expect(server.held.total).toBe(0)
})

it('is something to be written down when it begins and when it ends, and not when nothing changes', async () => {
  const links: Call['link'][] = []
  const look = { name: 'look', run: (_args: unknown, { link }: Call) => `${links.push(link)}` }
  const to = talk(createSample({ ...OFFERS, tools: [look] }).server, '2025-11-25')
  await to.ask('tools/call', { name: 'look' })
  const [link] = links
  if (link === undefined) throw new Error('there is no link')
  const isWritten = async (method: string) => {
    link.unsaved = false
    await to.ask(method, { uri: 'x:a' })
    return link.unsaved
  }
  expect([await isWritten('resources/subscribe'), await isWritten('resources/subscribe')]).toEqual([
    true,
    false,
  ])
  expect([await isWritten('resources/unsubscribe'), await isWritten('resources/unsubscribe')]).toEqual([
    true,
    false,
  ])
})
