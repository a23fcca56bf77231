import { describe, expect, it } from 'vitest'
import type { Authenticator } from '../../src/transports/http/exchange.ts'
import { Host } from './host.ts'
import { call, getStream, HANDSHAKES, INITIALIZED, initialize, openSession, textOf } from './messages.ts'
import { createSample } from './sample.ts'

const list = { jsonrpc: '2.0', id: 2, method: 'tools/list' }
const ping = (id: number) => ({ jsonrpc: '2.0', id, method: 'ping' })

describe('a session', () => {
  it.each(HANDSHAKES)('is opened by initialize in %s', async (version) => {
    await using host = await Host.start()
    const answer = await host.send({ body: initialize(version) })
    expect(answer.message.result).toMatchObject({ protocolVersion: version })
    expect(answer.headers['mcp-session-id']).toMatch(/^[\x21-\x7e]{20,}$/)
    const session = { 'mcp-session-id': String(answer.headers['mcp-session-id']) }
    const accepted = await host.send({ headers: session, body: INITIALIZED })
    expect([accepted.status, accepted.text]).toEqual([202, ''])
    const listed = await host.send({ headers: session, body: list })
    expect(listed.message).toMatchObject({ id: 2, result: { tools: { length: 6 } } })
  })

  it('speaks the newest revision with a handshake to a client that asks for one without', async () => {
    await using host = await Host.start()
    const answer = await host.send({ body: initialize('2026-07-28') })
    expect(answer.message.result).toMatchObject({ protocolVersion: '2025-11-25' })
  })

  it('takes the place of a call while it is being opened', async () => {
    let open = () => {}
    const gate = new Promise<void>((resolve) => {
      open = resolve
    })
    const sample = createSample({ middleware: [async (asked, next) => gate.then(() => next(asked))] })
    await using host = await Host.start({}, sample)
    const opening = host.send({ body: initialize() })
    await expect.poll(() => sample.server.usage.read('maxCalls')).toBe(1)
    open()
    expect((await opening).status).toBe(200)
    expect(sample.server.usage.read('maxCalls')).toBe(0)
  })

  it('is named by every request but the first', async () => {
    await using host = await Host.start()
    const answer = await host.send({ body: list })
    expect(answer.status).toBe(400)
    expect(answer.message).toMatchObject({ id: 2, error: { code: -32600 } })
    expect((await host.send({ body: INITIALIZED })).status).toBe(400)
    expect((await host.send({ body: { jsonrpc: '2.0', id: 1, result: {} } })).status).toBe(400)
    expect((await host.send(getStream({}))).status).toBe(400)
    expect((await host.send({ method: 'DELETE' })).status).toBe(400)
  })

  it('that nobody knows is not found', async () => {
    await using host = await Host.start()
    const headers = { 'mcp-session-id': 'unknown' }
    expect((await host.send({ headers, body: list })).message).toMatchObject({ id: 2 })
    for (const asked of [
      { headers, body: list },
      { headers, body: initialize() },
      getStream(headers),
      { method: 'DELETE', headers },
    ])
      expect((await host.send(asked)).status).toBe(404)
  })

  it('ends with DELETE', async () => {
    await using host = await Host.start()
    const headers = await openSession(host)
    const deleted = await host.send({ method: 'DELETE', headers })
    expect([deleted.status, deleted.text]).toEqual([204, ''])
    expect((await host.send({ headers, body: list })).status).toBe(404)
    expect((await host.send({ method: 'DELETE', headers })).status).toBe(404)
    expect(host.sample.server.listeners.size).toBe(0)
  })

  it('has its calls and streams ended with it', async () => {
    await using host = await Host.start()
    const headers = await openSession(host)
    const events = await host.stream(getStream(headers))
    const pending = host.send({ headers, body: call(1, 'talk') })
    const talk = await host.talk()
    await host.send({ method: 'DELETE', headers })
    expect(await events.rest()).toEqual([])
    expect(talk.call.aborted).toBe(true)
    const { status, message } = await pending
    expect([status, message.id, message.error?.message]).toEqual([
      404,
      1,
      'Not found: the session has ended, and with it this call; send initialize again',
    ])
  })

  it('is opened once', async () => {
    await using host = await Host.start()
    const headers = await openSession(host, '2025-06-18')
    const answer = await host.send({ headers, body: initialize('2025-03-26') })
    expect(answer.status).toBe(400)
    expect(answer.message).toMatchObject({ id: 'open', error: { code: -32600 } })
    expect((await host.send({ headers, body: list })).status).toBe(200)
  })

  it('is not opened by an initialize that fails', async () => {
    await using host = await Host.start({ maxSessions: 1 })
    const body = { jsonrpc: '2.0', id: 1, method: 'initialize', params: {} }
    const answer = await host.send({ body })
    expect(answer.message.error?.code).toBe(-32602)
    expect(answer.headers).not.toHaveProperty('mcp-session-id')
    expect((await host.send({ body: initialize() })).status).toBe(200)
  })

  it('belongs to whoever opened it', async () => {
    const authenticator: Authenticator = {
      authenticate: (exchange) => ({ id: exchange.headers['x-user'] ?? '' }),
    }
    await using host = await Host.start({ authenticator })
    const answer = await host.send({ headers: { 'x-user': 'anna' }, body: initialize() })
    const id = { 'mcp-session-id': String(answer.headers['mcp-session-id']) }
    const anna = { ...id, 'x-user': 'anna' }
    const otto = { ...id, 'x-user': 'otto' }
    expect((await host.send({ headers: otto, body: list })).status).toBe(404)
    expect((await host.send(getStream(otto))).status).toBe(404)
    expect((await host.send({ method: 'DELETE', headers: otto })).status).toBe(404)
    expect((await host.send({ headers: anna, body: list })).status).toBe(200)
  })

  it('takes any version header that is known, and refuses others', async () => {
    await using host = await Host.start()
    const headers = await openSession(host, '2025-06-18')
    const ask = (version: string) =>
      host.send({ headers: { ...headers, 'mcp-protocol-version': version }, body: list })
    expect((await ask('2025-06-18')).status).toBe(200)
    expect((await ask('2025-03-26')).status).toBe(200)
    const refused = await ask('2099-01-01')
    expect(refused.status).toBe(400)
    expect(refused.message).toMatchObject({ id: 2, error: { code: -32022 } })
    expect((await ask('2026-07-28')).message.error?.code).toBe(-32602)
  })

  it('goes on with a call whose connection was dropped', async () => {
    await using host = await Host.start()
    const headers = await openSession(host)
    const coming = host.stream({ headers, body: call(1, 'talk', {}, { progressToken: 1 }) })
    const talk = await host.talk()
    talk.call.progress(1)
    const events = await coming
    await events.next()
    events.destroy()
    await host.send({ headers, body: list })
    expect(talk.call.aborted).toBe(false)
    talk.finish()
  })

  it('has its calls cancelled by notice', async () => {
    await using host = await Host.start()
    const headers = await openSession(host)
    const pending = host.send({ headers, body: call(1, 'talk') })
    const talk = await host.talk()
    const params = { requestId: 1 }
    await host.send({ headers, body: { jsonrpc: '2.0', method: 'notifications/cancelled', params } })
    expect((await pending).text).toBe('')
    expect(talk.call.aborted).toBe(true)
  })
})

describe('the GET stream', () => {
  it('must be acceptable', async () => {
    await using host = await Host.start()
    const headers = { ...(await openSession(host)), accept: 'application/json' }
    const answer = await host.send({ method: 'GET', headers })
    expect(answer.status).toBe(406)
  })

  it('is one to a session, and can be opened again', async () => {
    await using host = await Host.start()
    const headers = await openSession(host)
    const events = await host.stream(getStream(headers))
    expect(events.response.headers['mcp-session-id']).toBe(headers['mcp-session-id'])
    await events.event()
    expect((await host.send(getStream(headers))).status).toBe(409)
    events.destroy()
    await expect
      .poll(async () => {
        const coming = host.stream(getStream(headers))
        return coming.then(() => 'open').catch(() => 'refused')
      })
      .toBe('open')
  })

  it.each(HANDSHAKES)('carries notices that belong to no call, once, in %s', async (version) => {
    await using host = await Host.start()
    const { server } = host.sample
    const headers = await openSession(host, version)
    const params = { uri: 'note://a' }
    await host.send({ headers, body: { jsonrpc: '2.0', id: 3, method: 'resources/subscribe', params } })
    server.updated('note://a')
    server.tools.add({ name: 'first', run: () => '' })
    await host.send({ headers, body: list })
    const events = await host.stream(getStream(headers))
    expect(await events.next()).toMatchObject({ method: 'notifications/resources/updated', params })
    expect(await events.next()).toMatchObject({ method: 'notifications/tools/list_changed' })
    const other = host.stream({ headers, body: call(4, 'talk', {}, { progressToken: 1 }) })
    const talk = await host.talk()
    talk.call.progress(1)
    server.updated('note://a')
    talk.call.link.log('error', 'for nobody in particular')
    expect(await events.next()).toMatchObject({ method: 'notifications/resources/updated' })
    expect(await events.next()).toMatchObject({ method: 'notifications/message' })
    talk.finish()
    const told = await (await other).rest()
    expect(told.map((one) => one.method)).toEqual(['notifications/progress', undefined])
    await host.send({ method: 'DELETE', headers })
    expect(await events.rest()).toEqual([])
  })
})

describe('questions of the server', () => {
  const capabilities = { elicitation: {}, sampling: {} }

  it('come on the stream of their call and are answered by a POST of their own', async () => {
    await using host = await Host.start()
    const headers = await openSession(host, '2025-06-18', capabilities)
    const standing = await host.stream(getStream(headers))
    const form = await host.stream({ headers, body: call(1, 'ask') })
    const model = await host.stream({ headers, body: call(2, 'think') })
    const question = await form.next()
    expect(question?.method).toBe('elicitation/create')
    const request = await model.next()
    expect(request?.method).toBe('sampling/createMessage')
    const thought = { role: 'assistant', model: 'm', content: { type: 'text', text: 'Hm' } }
    const told = await host.send({ headers, body: { jsonrpc: '2.0', id: request?.id, result: thought } })
    expect([told.status, told.text]).toEqual([202, ''])
    const result = { action: 'accept', content: { name: 'Ada' } }
    await host.send({ headers, body: { jsonrpc: '2.0', id: question?.id, result } })
    expect((await form.rest()).map(textOf)).toEqual(['Hello, Ada'])
    expect((await model.rest()).map(textOf)).toEqual(['Hm'])
    await host.send({ method: 'DELETE', headers })
    expect(await standing.rest()).toEqual([])
  })

  it('can be answered however many calls and streams there are', async () => {
    await using host = await Host.start({ maxCalls: 1, maxStreamsPerSession: 1, maxStreams: 1 })
    const headers = await openSession(host, '2025-06-18', capabilities)
    const form = await host.stream({ headers, body: call(1, 'ask') })
    const question = await form.next()
    const result = { action: 'accept', content: { name: 'Ada' } }
    const told = await host.send({ headers, body: { jsonrpc: '2.0', id: question?.id, result } })
    expect(told.status).toBe(202)
    expect((await form.rest()).map(textOf)).toEqual(['Hello, Ada'])
  })
})

describe('a batch', () => {
  it('is answered by an array in 2025-03-26', async () => {
    await using host = await Host.start()
    const headers = await openSession(host, '2025-03-26')
    const body = [ping(1), { jsonrpc: '2.0', method: 'notifications/anything' }, ping(2), { id: 3 }]
    const answer = await host.send({ headers, body })
    expect(answer.status).toBe(200)
    expect(answer.message).toMatchObject([
      { id: 1, result: {} },
      { id: 2, result: {} },
      { id: 3, error: { code: -32600 } },
    ])
  })

  it('is answered when all of its calls are', async () => {
    await using host = await Host.start()
    const headers = await openSession(host, '2025-03-26')
    const answer = host.send({ headers, body: [call(1, 'talk'), call(2, 'echo', { text: 'hi' })] })
    ;(await host.talk()).finish('late')
    const replies = (await answer).message as unknown as Parameters<typeof textOf>[0][]
    expect(replies.map(textOf)).toEqual(['late', 'hi'])
  })

  it('of notices or answers has no answer', async () => {
    await using host = await Host.start()
    const headers = await openSession(host, '2025-03-26')
    const notice = { jsonrpc: '2.0', method: 'notifications/anything' }
    for (const body of [[notice, notice], [{ jsonrpc: '2.0', id: 9, result: {} }]]) {
      const answer = await host.send({ headers, body })
      expect([answer.status, answer.text]).toEqual([202, ''])
    }
  })

  it.each(['2024-11-05', '2025-06-18', '2025-11-25'])('does not exist in %s', async (version) => {
    await using host = await Host.start()
    const headers = await openSession(host, version)
    const answer = await host.send({ headers, body: [ping(1)] })
    expect(answer.status).toBe(400)
    expect(answer.message.error?.code).toBe(-32600)
  })

  it.each([
    ['nothing', []],
    ['a message of the newest revision', [ping(1), modernPing()]],
  ])('may not hold %s', async (_what, body) => {
    await using host = await Host.start()
    const headers = await openSession(host, '2025-03-26')
    const answer = await host.send({ headers, body })
    expect(answer.status).toBe(400)
    expect(answer.message.error?.code).toBe(-32600)
  })

  it('may not hold an initialize', async () => {
    await using host = await Host.start()
    expect((await host.send({ body: [initialize('2025-03-26')] })).status).toBe(400)
    const headers = await openSession(host, '2025-03-26')
    const answer = await host.send({ headers, body: [initialize('2025-03-26')] })
    expect(answer.message).toMatchObject([{ id: 'open', error: { code: -32600 } }])
  })
})

function modernPing(): object {
  const _meta = { 'io.modelcontextprotocol/protocolVersion': '2026-07-28' }
  return { jsonrpc: '2.0', id: 2, method: 'tools/list', params: { _meta } }
}
