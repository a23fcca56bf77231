import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { keepOffers, type Store } from '../../src/index.ts'
import type { Json } from '../../src/kernel/index.ts'
import { call, getStream, initialize, openSession, textOf } from '../http/messages.ts'
import { createSample } from '../http/sample.ts'
import { TwoNodes } from './two-nodes.ts'

const PATIENCE = { timeout: 20_000 }

/** A call on the first node that has said something, and whose client has left. */
async function beginAndLeave({ a }: TwoNodes) {
  const headers = await openSession(a)
  const coming = a.stream({ headers, body: call(1, 'talk', {}, { progressToken: 1 }) })
  const talk = await a.talk()
  talk.call.progress(1)
  const stream = await coming
  await stream.next()
  stream.destroy()
  return { headers, talk, lastId: String(stream.lastId) }
}

describe('a stream that is resumed on another node', () => {
  it('ends with its call also for a client that says it has seen more than there is', async () => {
    await using nodes = await TwoNodes.start()
    const { headers, talk, lastId } = await beginAndLeave(nodes)
    const resumed = await nodes.b.stream(getStream(headers, lastId.replace(/\d+$/, '99999')))
    await resumed.event()
    talk.finish()
    expect(await resumed.rest()).toEqual([])
  })

  it('is read event by event, however much was said before', async () => {
    let read = 0
    const wrap = (store: Store) =>
      new Proxy(store, {
        get: (target, name: keyof Store) => {
          const member = target[name]
          if (name !== 'read') return typeof member === 'function' ? member.bind(target) : member
          return async (...args: Parameters<Store['read']>) => {
            const items = await store.read(...args)
            if (args[0].startsWith('events/')) read += items.length
            return items
          }
        },
      })
    await using nodes = await TwoNodes.start({}, wrap)
    const { headers, talk, lastId } = await beginAndLeave(nodes)
    for (let number = 2; number <= 100; number++) talk.call.progress(number)
    const resumed = await nodes.b.stream(getStream(headers, lastId))
    for (let number = 2; number <= 100; number++)
      expect((await resumed.next())?.params?.['progress']).toBe(number)
    const before = read
    for (let number = 101; number <= 110; number++) {
      talk.call.progress(number)
      expect((await resumed.next())?.params?.['progress']).toBe(number)
    }
    expect(read - before).toBeLessThan(100)
    talk.finish()
    expect(textOf((await resumed.rest())[0])).toBe('done')
  })
})

describe('a stream that is resumed more than once at a time', () => {
  it('is told to the connection that came last, on whichever node', async () => {
    await using nodes = await TwoNodes.start()
    const { headers, talk, lastId } = await beginAndLeave(nodes)
    const first = await nodes.b.stream(getStream(headers, lastId))
    talk.call.progress(2)
    expect((await first.next())?.params?.['progress']).toBe(2)
    const second = await nodes.b.stream(getStream(headers, lastId))
    expect(await first.rest()).toEqual([])
    expect((await second.next())?.params?.['progress']).toBe(2)
    const third = await nodes.a.stream(getStream(headers, lastId))
    expect(await second.rest()).toEqual([])
    talk.finish()
    expect((await third.rest()).map(textOf)).toEqual([undefined, 'done'])
  })
})

describe('a notification', () => {
  it('that is for no call is nobody’s but its node’s, and of the others go no more than the calls need', async () => {
    const published: Json[] = []
    const wrap = (store: Store) =>
      new Proxy(store, {
        get: (target, name: keyof Store) => {
          const member = target[name]
          if (name !== 'publish') return typeof member === 'function' ? member.bind(target) : member
          return (topic: string, message: Json) => {
            published.push(message)
            return store.publish(topic, message)
          }
        },
      })
    await using nodes = await TwoNodes.start({}, wrap)
    const headers = await openSession(nodes.a)
    await nodes.b.send({ headers, body: call(1, 'echo') })
    const pad = 'x'.repeat(10_000)
    for (const [method, params] of [
      ['notifications/nothing', { pad }],
      ['notifications/cancelled', { requestId: pad }],
      ['notifications/cancelled', { requestId: 7, reason: pad }],
      ['notifications/progress', { progressToken: 7, progress: 1, message: pad }],
      ['notifications/roots/list_changed', { pad }],
    ] as const) {
      const sent = await nodes.b.send({ headers, body: { jsonrpc: '2.0', method, params } })
      expect(sent.status).toBe(202)
    }
    expect(JSON.stringify(published)).not.toContain(pad)
    const posted = published.flatMap(
      (one) => (one as { message?: { message?: Json } }).message?.message ?? [],
    )
    expect(posted).toMatchObject([
      { method: 'notifications/cancelled', params: { requestId: 7 } },
      { method: 'notifications/progress', params: { progressToken: 7, progress: 1 } },
      { method: 'notifications/roots/list_changed' },
    ])
  })
})

describe('a node that was taken for gone', () => {
  it('does not answer a call a second time that others have answered for it', async () => {
    await using nodes = await TwoNodes.start()
    const { headers, talk, lastId } = await beginAndLeave(nodes)
    const { store } = nodes.b.sample.server.platform
    const [stream = '', number] = lastId.split(':')
    const error = { jsonrpc: '2.0', id: 1, error: { code: -32603, message: 'gone' } }
    const answered = { number: Number(number) + 1, text: JSON.stringify(error), end: true }
    const log = `events/${headers['mcp-session-id']}/${stream}`
    await expect.poll(() => store.read(log, 0, 10), PATIENCE).toHaveLength(1)
    await store.append(log, answered)
    talk.call.progress(2)
    talk.finish()
    for (const node of [nodes.a, nodes.b, nodes.a]) {
      const resumed = await node.stream(getStream(headers, lastId))
      expect(await resumed.rest()).toEqual([error])
    }
  })
})

describe('a pair of 2024-11-05', () => {
  it('has as many calls under way as its node allows, wherever they are posted', async () => {
    await using nodes = await TwoNodes.start({ maxCalls: 2 })
    const stream = await nodes.a.stream({
      method: 'GET',
      path: '/sse',
      headers: { accept: 'text/event-stream' },
    })
    const path = String((await stream.event())?.data)
    const post = (body: unknown) => nodes.b.send({ path, body })
    await post(initialize('2024-11-05'))
    await stream.next()
    for (const id of [1, 2, 3]) expect((await post(call(id, 'talk'))).status).toBe(202)
    expect(await stream.next()).toMatchObject({
      id: 3,
      error: { message: expect.stringContaining('--max-calls') },
    })
    for (let talks = 0; talks < 2; talks++) (await nodes.a.talk()).finish()
    expect(textOf(await stream.next())).toBe('done')
  })
})

describe('a session whose record is no longer what was written', () => {
  it.each<[string, (record: { readonly [key: string]: Json }) => Json]>([
    ['is empty but for its version', ({ v = 1 }) => ({ v })],
    ['has no owner', (record) => ({ ...record, principal: null })],
    ['has no agreement', (record) => ({ ...record, agreement: {} })],
    [
      'has subscriptions that are none',
      (record) => ({ ...record, agreement: { ...(record['agreement'] as object), subscriptions: 5 } }),
    ],
    [
      'has a level that there is not',
      (record) => ({ ...record, agreement: { ...(record['agreement'] as object), logLevel: {} } }),
    ],
  ])('because it %s is not there, and its client begins anew', async (_what, change) => {
    await using nodes = await TwoNodes.start()
    const headers = await openSession(nodes.a)
    const { store } = nodes.a.sample.server.platform
    const key = `session/${headers['mcp-session-id']}`
    const entry = await store.get(key)
    await store.put(key, change(entry?.value as { readonly [key: string]: Json }))
    expect((await nodes.b.send({ headers, body: call(1, 'echo') })).status).toBe(404)
  })
})

it('a node that cannot renew its lease is not ready, though its store is there', async () => {
  let full = false
  const wrap = (store: Store) =>
    new Proxy(store, {
      get: (target, name: keyof Store) => {
        const member = target[name]
        if (name === 'put')
          return (...args: Parameters<Store['put']>) =>
            full ? Promise.reject(new Error('The store is full')) : store.put(...args)
        return typeof member === 'function' ? member.bind(target) : member
      },
    })
  await using nodes = await TwoNodes.start({ readiness: '/readyz' }, wrap)
  const ready = () => nodes.a.send({ method: 'GET', path: '/readyz' })
  expect((await ready()).status).toBe(200)
  full = true
  await expect.poll(async () => (await ready()).status, PATIENCE).toBe(503)
  expect(JSON.parse((await ready()).text).reason).toBe('The store is full')
  full = false
  await expect.poll(async () => (await ready()).status, PATIENCE).toBe(200)
}, 30_000)

it('offers that could not be read at first are listened for once', async () => {
  let [listeners, broken] = [0, true]
  const wrap = (store: Store) =>
    new Proxy(store, {
      get: (target, name: keyof Store) => {
        if (name === 'subscribe')
          return async (...args: Parameters<Store['subscribe']>) => {
            const leave = await store.subscribe(...args)
            if (args[0].startsWith('kept/')) listeners++
            return async () => {
              if (args[0].startsWith('kept/')) listeners--
              await leave()
            }
          }
        if (name === 'get')
          return async (key: string) => {
            if (broken && key.startsWith('kept/')) throw new Error('it cannot be read')
            return store.get(key)
          }
        const member = target[name]
        return typeof member === 'function' ? member.bind(target) : member
      },
    })
  await using nodes = await TwoNodes.start({}, wrap, (given) => {
    const made = keepOffers({
      name: 'made',
      list: 'prompts',
      define: (name: string) => ({ name, description: name, render: () => name }),
    })
    return createSample({ ...given, modules: [{ name: 'made', ...made.module }] })
  })
  const headers = await openSession(nodes.a)
  const list = () => nodes.a.send({ headers, body: { jsonrpc: '2.0', id: 1, method: 'prompts/list' } })
  for (let tries = 0; tries < 5; tries++) await list()
  expect(listeners).toBe(0)
  broken = false
  await list()
  await sleep(0)
  expect(listeners).toBe(1)
})
