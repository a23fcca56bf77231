import { afterEach, describe, expect, it, vi } from 'vitest'
import { type Answer, Host } from './host.ts'
import { call, callModern, getStream, initialize, modern, openSession } from './messages.ts'

const list = { jsonrpc: '2.0', id: 2, method: 'tools/list' }

function expectFull(answer: Answer, status: number): void {
  expect(answer.status, answer.text).toBe(status)
  expect(answer.headers['retry-after']).toMatch(/^\d+$/)
  expect(answer.message).toMatchObject({ jsonrpc: '2.0', error: { code: -32600 } })
}

describe('there are only so many', () => {
  it('sessions', async () => {
    await using host = await Host.start({ maxSessions: 2 })
    const headers = await openSession(host)
    const other = await openSession(host)
    const calls = [headers, other].map((one) => host.send({ headers: one, body: call(1, 'talk') }))
    const talks = [await host.talk(), await host.talk()]
    expectFull(await host.send({ body: initialize() }), 503)
    expectFull(await host.send({ method: 'GET', path: '/sse' }), 503)
    expect((await host.send({ headers, body: list })).status).toBe(200)
    expect((await host.send(modern('tools/list'))).status).toBe(200)
    for (const talk of talks) talk.finish()
    await Promise.all(calls)
    await host.send({ method: 'DELETE', headers })
    expect((await host.send({ body: initialize() })).status).toBe(200)
  })

  it('streams in a session', async () => {
    await using host = await Host.start({ maxStreamsPerSession: 2 })
    const headers = await openSession(host)
    const standing = await host.stream(getStream(headers))
    const coming = host.stream({ headers, body: call(1, 'talk', {}, { progressToken: 1 }) })
    const talk = await host.talk()
    talk.call.progress(1)
    await coming
    expectFull(await host.send({ headers, body: list }), 429)
    standing.destroy()
    await expect.poll(async () => (await host.send({ headers, body: list })).status).toBe(200)
    const other = await openSession(host)
    expect((await host.send({ headers: other, body: list })).status).toBe(200)
    talk.finish()
  })

  it('streams in all', async () => {
    await using host = await Host.start({ maxStreams: 1 })
    const listen = modern('subscriptions/listen', { notifications: {} })
    const events = await host.stream(listen)
    const headers = await openSession(host)
    expectFull(await host.send(listen), 503)
    expectFull(await host.send(getStream(headers)), 503)
    expectFull(await host.send({ method: 'GET', path: '/sse' }), 503)
    expect((await host.send(callModern('echo'))).status).toBe(200)
    events.destroy()
    await expect.poll(async () => (await host.send({ headers, body: list })).status).toBe(200)
  })

  it('calls at a time', async () => {
    await using host = await Host.start({ maxCalls: 2 })
    const headers = await openSession(host)
    const pending = [host.send(callModern('talk')), host.send({ headers, body: call(1, 'talk') })]
    const talks = [await host.talk(), await host.talk()]
    expectFull(await host.send(callModern('echo')), 503)
    expectFull(await host.send({ headers, body: list }), 503)
    const cancel = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } }
    expect((await host.send({ headers, body: cancel })).status).toBe(202)
    for (const talk of talks) talk.finish()
    await Promise.all(pending)
    expect((await host.send(callModern('echo'))).status).toBe(200)
  })
})

describe('an idle session', () => {
  afterEach(() => void vi.useRealTimers())

  it('is one that nobody used, however short the use is', async () => {
    vi.useFakeTimers({ toFake: ['Date'] })
    await using host = await Host.start({ sessionIdleMs: 1000 })
    const used = await openSession(host)
    const idle = await openSession(host)
    const use = async (headers: object) => (await host.send({ headers: { ...headers }, body: list })).status
    vi.setSystemTime(Date.now() + 600)
    expect(await use(used)).toBe(200)
    vi.setSystemTime(Date.now() + 600)
    await expect.poll(() => host.sample.server.listeners.size).toBe(1)
    expect([await use(used), await use(idle)]).toEqual([200, 404])
  })

  it('expires', async () => {
    await using host = await Host.start({ sessionIdleMs: 50 })
    const headers = await openSession(host)
    const { usage } = host.sample.server
    await expect.poll(() => usage.read('maxSessions')).toBe(0)
    expect((await host.send({ headers, body: list })).status).toBe(404)
  })

  it('stays while a stream is open or a call runs, and for a while after', async () => {
    vi.useFakeTimers({ toFake: ['Date'] })
    await using host = await Host.start({ sessionIdleMs: 1000 })
    const watching = await openSession(host)
    const working = await openSession(host)
    const events = await host.stream(getStream(watching))
    const pending = host.send({ headers: working, body: call(1, 'talk') })
    const talk = await host.talk()
    const left = await openSession(host)
    const { listeners } = host.sample.server
    expect(listeners.size).toBe(3)
    vi.setSystemTime(Date.now() + 3000)
    await expect.poll(() => listeners.size).toBe(2)
    expect((await host.send({ headers: left, body: list })).status).toBe(404)
    events.destroy()
    expect((await host.send({ headers: watching, body: list })).status).toBe(200)
    talk.finish()
    expect((await pending).status).toBe(200)
    expect((await host.send({ headers: working, body: list })).status).toBe(200)
  })
})
