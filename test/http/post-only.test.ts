import { once } from 'node:events'
import { describe, expect, it } from 'vitest'
import { Host } from './host.ts'
import { callModern, initialize, META, modern, openSession, printRequest, textOf } from './messages.ts'

const LISTEN_ALL = {
  toolsListChanged: true,
  resourcesListChanged: true,
  promptsListChanged: true,
  resourceSubscriptions: ['note://a', 'note://nowhere'],
}

describe('an answer of 2026-07-28', () => {
  it('is JSON when nothing is said before it', async () => {
    await using host = await Host.start()
    const answer = await host.send(callModern('echo', { text: 'hi' }))
    expect(answer.headers['content-type']).toBe('application/json')
    expect(textOf(answer.message)).toBe('hi')
  })

  it('is JSON when it comes later', async () => {
    await using host = await Host.start()
    const answer = host.send(callModern('talk'))
    ;(await host.talk()).finish('late')
    expect(textOf((await answer).message)).toBe('late')
  })

  it('is a stream without event ids when something is said before it', async () => {
    await using host = await Host.start()
    const coming = host.stream(callModern('talk', {}, { meta: { progressToken: 't' } }))
    const talk = await host.talk()
    talk.call.progress(1)
    const events = await coming
    expect(events.response.headers).toMatchObject({ 'cache-control': 'no-cache, no-transform' })
    expect(events.response.headers).toMatchObject({ 'x-accel-buffering': 'no' })
    expect(events.response.headers).not.toHaveProperty('mcp-session-id')
    const first = await events.event()
    expect(first).not.toHaveProperty('id')
    expect(JSON.parse(first?.data ?? '')).toMatchObject({ method: 'notifications/progress' })
    talk.finish('end')
    const last = await events.event()
    expect(last).not.toHaveProperty('id')
    expect(JSON.parse(last?.data ?? '')).toMatchObject({ id: 1, result: { resultType: 'complete' } })
    expect(await events.event()).toBeUndefined()
  })

  it('carries log notices only when the request asks for them', async () => {
    await using host = await Host.start()
    const quiet = await host.send(callModern('big', { notices: 2 }))
    expect(quiet.headers['content-type']).toBe('application/json')
    const loud = await host.stream(
      callModern('big', { notices: 2 }, { meta: { [`${META}logLevel`]: 'info' } }),
    )
    const methods = (await loud.rest()).map((one) => one.method)
    expect(methods).toEqual(['notifications/message', 'notifications/message', undefined])
  })

  it('may be far larger than what a reader may leave unread, also in many pieces at once', async () => {
    await using host = await Host.start({ maxUnreadBytes: 1000 })
    const meta = { [`${META}logLevel`]: 'info' }
    const events = await host.stream(callModern('big', { notices: 500, bytes: 5_000_000 }, { meta }))
    const all = await events.rest()
    expect(all).toHaveLength(501)
    expect(textOf(all.at(-1))).toHaveLength(5_000_000)
  })
})

describe('a client that closes its connection', () => {
  it('cancels a call that has said nothing yet', async () => {
    await using host = await Host.start()
    const wire = await host.dial(printRequest(host, callModern('talk')))
    const { call } = await host.talk()
    const aborted = once(call.signal, 'abort')
    wire.socket.destroy()
    await aborted
    expect(call.aborted).toBe(true)
  })

  it('cancels a call that has begun to stream', async () => {
    await using host = await Host.start()
    const coming = host.stream(callModern('talk', {}, { meta: { progressToken: 1 } }))
    const { call } = await host.talk()
    const aborted = once(call.signal, 'abort')
    call.progress(1)
    const events = await coming
    await events.next()
    events.destroy()
    await aborted
  })

  it('ends its subscription', async () => {
    await using host = await Host.start()
    const events = await host.stream(modern('subscriptions/listen', { notifications: LISTEN_ALL }))
    await events.next()
    expect(host.sample.server.listeners.size).toBe(1)
    events.destroy()
    await expect.poll(() => host.sample.server.listeners.size).toBe(0)
  })
})

describe('subscriptions/listen', () => {
  it('is acknowledged first, with what can be honoured', async () => {
    await using host = await Host.start()
    const events = await host.stream(
      modern('subscriptions/listen', { notifications: LISTEN_ALL }, { id: 'mine' }),
    )
    expect(await events.next()).toEqual({
      jsonrpc: '2.0',
      method: 'notifications/subscriptions/acknowledged',
      params: {
        notifications: {
          toolsListChanged: true,
          resourcesListChanged: true,
          resourceSubscriptions: ['note://a'],
        },
        _meta: { [`${META}subscriptionId`]: 'mine' },
      },
    })
  })

  it('tells each client what it asked for, under its own id', async () => {
    await using host = await Host.start()
    const { server } = host.sample
    const listen = (id: number, notifications: object) =>
      host.stream(modern('subscriptions/listen', { notifications }, { id }))
    const tools = await listen(5, { toolsListChanged: true })
    const notes = await listen(6, { resourceSubscriptions: ['note://a'] })
    await tools.next()
    await notes.next()
    server.updated('note://a')
    server.tools.add({ name: 'extra', run: () => 'extra' })
    expect(await tools.next()).toMatchObject({
      method: 'notifications/tools/list_changed',
      params: { _meta: { [`${META}subscriptionId`]: 5 } },
    })
    expect(await notes.next()).toMatchObject({
      method: 'notifications/resources/updated',
      params: { uri: 'note://a', _meta: { [`${META}subscriptionId`]: 6 } },
    })
  })

  it('is kept alive by comments', async () => {
    await using host = await Host.start({ keepAliveMs: 20 })
    const events = await host.stream(modern('subscriptions/listen', { notifications: LISTEN_ALL }))
    await events.event()
    expect(await events.event()).toEqual({ comment: 'keep-alive' })
    expect(await events.event()).toEqual({ comment: 'keep-alive' })
  })

  it('ends with a result when the server closes', async () => {
    await using host = await Host.start()
    const events = await host.stream(modern('subscriptions/listen', { notifications: LISTEN_ALL }, { id: 9 }))
    await events.next()
    expect(await host.http.close()).toBe(true)
    expect(await events.rest()).toMatchObject([
      { id: 9, result: { resultType: 'complete', _meta: { [`${META}subscriptionId`]: 9 } } },
    ])
  })

  it('is no call at work: it takes no place from calls', async () => {
    await using host = await Host.start({ maxCalls: 1 })
    const events = await host.stream(modern('subscriptions/listen', { notifications: LISTEN_ALL }))
    await events.next()
    const answer = host.send(callModern('talk'))
    ;(await host.talk()).finish()
    expect((await answer).status).toBe(200)
  })
})

describe('one URL', () => {
  it('serves both eras at the same time, also with the same ids', async () => {
    await using host = await Host.start()
    const session = await openSession(host)
    const old = host.send({
      headers: session,
      body: { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'talk' } },
    })
    const oldTalk = await host.talk()
    const recent = host.send(callModern('talk', {}, { id: 1 }))
    const recentTalk = await host.talk()
    oldTalk.finish('old')
    recentTalk.finish('recent')
    expect(textOf((await old).message)).toBe('old')
    expect(textOf((await recent).message)).toBe('recent')
    expect((await recent).message.result).toHaveProperty('resultType')
    expect((await old).message.result).not.toHaveProperty('resultType')
  })

  it('takes an initialize with the headers of the newest revision for a handshake', async () => {
    await using host = await Host.start()
    const headers = { 'mcp-method': 'initialize', 'mcp-protocol-version': '2026-07-28' }
    const answer = await host.send({ headers, body: initialize('2025-06-18') })
    expect(answer.message.result).toMatchObject({ protocolVersion: '2025-06-18' })
  })
})
