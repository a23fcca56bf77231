import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import type { Json, Store } from '../../src/kernel/index.ts'
import { call, getStream, INITIALIZED, initialize, openSession, textOf } from '../http/messages.ts'
import { TwoNodes } from './two-nodes.ts'

const byName = ({ headers }: { readonly headers: { readonly [name: string]: string } }) => ({
  id: headers['authorization'] ?? 'nobody',
})

const VERSIONS = ['2025-03-26', '2025-06-18', '2025-11-25']

describe('a session', () => {
  it.each(VERSIONS)('of %s goes on on another node', async (version) => {
    await using nodes = await TwoNodes.start()
    const headers = await openSession(nodes.a, version)
    const { status, message } = await nodes.b.send({ headers, body: call(1, 'echo', { text: 'there' }) })
    expect(status).toBe(200)
    expect(textOf(message)).toBe('there')
    expect((await nodes.a.send({ headers, body: listTools(2) })).status).toBe(200)
  })

  it('ends on every node when it is ended on one', async () => {
    await using nodes = await TwoNodes.start()
    const headers = await openSession(nodes.a)
    await nodes.b.send({ headers, body: listTools(1) })
    expect((await nodes.b.send({ method: 'DELETE', headers })).status).toBe(204)
    await expect.poll(async () => (await nodes.a.send({ headers, body: listTools(2) })).status).toBe(404)
    expect((await nodes.b.send({ headers, body: listTools(3) })).status).toBe(404)
  })

  it('is nobody else’s on any node', async () => {
    await using nodes = await TwoNodes.start({ authenticator: byName })
    const opened = await nodes.a.send({ headers: { authorization: 'ann' }, body: initialize() })
    const headers = { 'mcp-session-id': String(opened.headers['mcp-session-id']) }
    const bob = { ...headers, authorization: 'bob' }
    const ann = { ...headers, authorization: 'ann' }
    expect((await nodes.b.send({ headers: bob, body: listTools(1) })).status).toBe(404)
    expect((await nodes.b.send({ headers: ann, body: listTools(1) })).status).toBe(200)
  })

  it('takes its log level and its subscriptions along', async () => {
    await using nodes = await TwoNodes.start()
    const headers = await openSession(nodes.a)
    const body = { jsonrpc: '2.0', id: 1, method: 'logging/setLevel', params: { level: 'error' } }
    await nodes.a.send({ headers, body })
    await nodes.a.send({ headers, body: subscribe(2, 'note://a') })
    const standalone = await nodes.b.stream(getStream(headers))
    nodes.a.sample.server.updated('note://a')
    expect(await standalone.next()).toMatchObject({
      method: 'notifications/resources/updated',
      params: { uri: 'note://a' },
    })
    const quiet = await nodes.b.send({ headers, body: call(3, 'big', { notices: 2 }) })
    expect(quiet.headers['content-type']).toBe('application/json')
  })

  it('is told by what it has agreed on elsewhere, on a stream that was open before', async () => {
    await using nodes = await TwoNodes.start()
    const headers = await openSession(nodes.a)
    const standalone = await nodes.b.stream(getStream(headers))
    await nodes.a.send({ headers, body: subscribe(1, 'note://a') })
    await expect
      .poll(
        async () => {
          nodes.a.sample.server.updated('note://a')
          return Promise.race([standalone.next(), sleep(200)])
        },
        { timeout: 10_000 },
      )
      .toMatchObject({ method: 'notifications/resources/updated' })
  })

  it('keeps what two nodes change at the same time', async () => {
    await using nodes = await TwoNodes.start()
    const headers = await openSession(nodes.a)
    await nodes.b.send({ headers, body: listTools(1) })
    const level = { jsonrpc: '2.0', id: 2, method: 'logging/setLevel', params: { level: 'emergency' } }
    const changes = [
      nodes.a.send({ headers, body: subscribe(3, 'note://a') }),
      nodes.b.send({ headers, body: level }),
    ]
    await Promise.all(changes)
    for (const host of [nodes.a, nodes.b]) {
      await expect
        .poll(
          async () =>
            (await host.send({ headers, body: call(4, 'big', { notices: 1 }) })).headers['content-type'],
        )
        .toBe('application/json')
      const standalone = await host.stream(getStream(headers))
      nodes.a.sample.server.updated('note://a')
      expect((await standalone.next())?.method).toBe('notifications/resources/updated')
      standalone.destroy()
    }
  })

  it('counts once among all, wherever it is used', async () => {
    await using nodes = await TwoNodes.start({ maxSessions: 2 })
    const one = await openSession(nodes.a)
    const two = await openSession(nodes.b)
    await nodes.a.send({ headers: one, body: listTools(1) })
    await nodes.b.send({ headers: one, body: listTools(1) })
    await nodes.b.send({ headers: two, body: listTools(1) })
    expect((await nodes.a.send({ body: initialize() })).status).toBe(503)
    await nodes.a.send({ method: 'DELETE', headers: two })
    expect((await nodes.a.send({ body: initialize() })).status).toBe(200)
  })
})

describe('a session that was opened on one node and is used on another', () => {
  it('does not have to make room as one that nobody uses would', async () => {
    await using nodes = await TwoNodes.start({ maxSessions: 2 })
    const [used, unused] = [await openSession(nodes.a), await openSession(nodes.a)]
    await nodes.b.send({ headers: used, body: listTools(1) })
    await sleep(300) // The other node hears of it.
    expect((await nodes.a.send({ body: initialize() })).status).toBe(200)
    expect((await nodes.b.send({ headers: used, body: listTools(2) })).status).toBe(200)
    expect((await nodes.a.send({ headers: unused, body: listTools(3) })).status).toBe(404)
  })
})

describe('a warm session', () => {
  it('is answered without a look at the store', async () => {
    let operations = 0
    const counted = (store: Store): Store =>
      new Proxy(store, {
        get(target, name) {
          const value = Reflect.get(target, name)
          if (typeof value !== 'function') return value
          return (...given: unknown[]) => {
            if (name !== 'trouble') operations++
            return Reflect.apply(value, target, given)
          }
        },
      })
    await using nodes = await TwoNodes.start({}, counted)
    const headers = await openSession(nodes.a)
    await nodes.a.send({ headers, body: call(1, 'echo', { text: 'a' }) })
    const before = operations
    expect(before).toBeGreaterThan(0)
    const { message } = await nodes.a.send({ headers, body: call(2, 'echo', { text: 'b' }) })
    expect(textOf(message)).toBe('b')
    expect(operations - before).toBeLessThanOrEqual(1) // A node renews its lease now and then.
  })
})

describe('a stream that broke', () => {
  it.each(VERSIONS)('goes on on another node while its call runs, in %s', async (version) => {
    await using nodes = await TwoNodes.start()
    const headers = await openSession(nodes.a, version)
    const coming = nodes.a.stream({ headers, body: call(1, 'talk', {}, { progressToken: 1 }) })
    const talk = await nodes.a.talk()
    talk.call.progress(1)
    const events = await coming
    expect((await events.next())?.params?.['progress']).toBe(1)
    events.destroy()
    for (const step of [2, 3]) talk.call.progress(step)
    const again = await nodes.b.stream(getStream(headers, events.lastId))
    for (const step of [2, 3]) expect((await again.next())?.params?.['progress']).toBe(step)
    talk.call.progress(4)
    expect((await again.next())?.params?.['progress']).toBe(4)
    talk.finish('end')
    expect((await again.rest()).map(textOf)).toEqual(['end'])
  })

  it('is on one node at a time', async () => {
    await using nodes = await TwoNodes.start()
    const headers = await openSession(nodes.a)
    const coming = nodes.a.stream({ headers, body: call(1, 'talk', {}, { progressToken: 1 }) })
    const talk = await nodes.a.talk()
    talk.call.progress(1)
    const events = await coming
    await events.next()
    const again = await nodes.b.stream(getStream(headers, events.lastId))
    expect(await events.next()).toBeUndefined()
    talk.finish('end')
    expect((await again.rest()).map(textOf)).toEqual(['end'])
  })
})

describe('a call on one node', () => {
  it('gets the answer to its question from another', async () => {
    await using nodes = await TwoNodes.start()
    const headers = await openSession(nodes.a, '2025-11-25', { elicitation: {} })
    const events = await nodes.a.stream({ headers, body: call(1, 'ask') })
    const question = await events.next()
    expect(question?.method).toBe('elicitation/create')
    const result = { action: 'accept', content: { name: 'Ann' } }
    const answer = { jsonrpc: '2.0', id: question?.id, result }
    expect((await nodes.b.send({ headers, body: answer })).status).toBe(202)
    expect((await events.rest()).map(textOf)).toEqual(['Hello, Ann'])
  })

  it('is cancelled from another', async () => {
    await using nodes = await TwoNodes.start()
    const headers = await openSession(nodes.a)
    const waiting = nodes.a.send({ headers, body: call(7, 'talk') })
    const talk = await nodes.a.talk()
    const body = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 7 } }
    expect((await nodes.b.send({ headers, body })).status).toBe(202)
    await expect.poll(() => talk.call.aborted).toBe(true)
    await waiting
  })
})

describe('what changes on one node', () => {
  it('is heard by those who listen on another, in 2026-07-28 too', async () => {
    await using nodes = await TwoNodes.start()
    const headers = await openSession(nodes.b)
    const standalone = await nodes.b.stream(getStream(headers))
    nodes.a.sample.server.tools.add({ name: 'new', description: 'New', run: () => 'new' })
    expect((await standalone.next())?.method).toBe('notifications/tools/list_changed')
  })
})

describe('the pair of 2024-11-05', () => {
  it('is nobody else’s, whatever has become of what the nodes share', async () => {
    await using nodes = await TwoNodes.start({ authenticator: byName })
    const as = (name: string) => ({ authorization: name })
    const stream = await nodes.a.stream({
      method: 'GET',
      path: '/sse',
      headers: { accept: 'text/event-stream', ...as('ann') },
    })
    const path = String((await stream.event())?.data)
    const post = async (name: string, body: unknown = initialize()) =>
      (await nodes.b.send({ path, headers: as(name), body })).status
    expect(await post('bob')).toBe(404)
    expect(await post('ann', 'x'.repeat(2_000_000))).toBe(413)
    expect(await post('ann', '{')).toBe(400)
    await nodes.b.sample.server.platform.store.put(`pair/${path.split('=').at(-1)}`, 'bob')
    expect(await post('bob')).toBe(404)
  })

  it('may post to another node than it listens on', async () => {
    await using nodes = await TwoNodes.start()
    const stream = await nodes.a.stream({
      method: 'GET',
      path: '/sse',
      headers: { accept: 'text/event-stream' },
    })
    const path = (await stream.event())?.data
    const post = (body: unknown) => nodes.b.send({ path: String(path), body })
    const params = {
      protocolVersion: '2024-11-05',
      capabilities: {},
      clientInfo: { name: 'pair', version: '1' },
    }
    expect((await post({ jsonrpc: '2.0', id: 1, method: 'initialize', params })).status).toBe(202)
    expect(await stream.next()).toMatchObject({ id: 1, result: { protocolVersion: '2024-11-05' } })
    await post(INITIALIZED)
    await post(call(2, 'echo', { text: 'over there' }))
    expect(textOf(await stream.next())).toBe('over there')
    stream.destroy()
    await expect.poll(async () => (await post(listTools(3))).status).toBe(404)
  })
})

function listTools(id: number): object {
  return { jsonrpc: '2.0', id, method: 'tools/list' }
}

function subscribe(id: number, uri: string): object {
  return { jsonrpc: '2.0', id, method: 'resources/subscribe', params: { uri } }
}

describe('a session whose record cannot be read', () => {
  it.each([
    ['of a newer version', (record: object) => ({ ...record, v: 2 })],
    ['of an unknown shape', () => 'something else'],
    [
      'of a revision that is not spoken here',
      (record: { agreement?: { introduction?: object } }) => ({
        ...record,
        agreement: {
          ...record.agreement,
          introduction: { ...record.agreement?.introduction, revision: '3000-01-01' },
        },
      }),
    ],
  ])('%s is refused with the reason, and its client can begin anew', async (_what, change) => {
    await using nodes = await TwoNodes.start()
    const headers = await openSession(nodes.a)
    const { store } = nodes.a.sample.server.platform
    const key = `session/${(headers as { 'mcp-session-id': string })['mcp-session-id']}`
    const entry = await store.get(key)
    await store.put(key, change(entry?.value as object) as Json)
    const answer = await nodes.b.send({ headers, body: listTools(1) })
    expect(answer.status).toBe(404)
    expect(answer.message.error?.message).toContain('opened by a server of another version')
    expect((await nodes.b.send({ headers: await openSession(nodes.b), body: listTools(2) })).status).toBe(200)
  })
})
