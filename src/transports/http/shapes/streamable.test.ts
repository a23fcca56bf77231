import { describe, expect, it } from 'vitest'
import { initialize } from '../../../../test/http/messages.ts'
import { createReader } from '../../../../test/http/reader.ts'
import { ANN, createSites, firstOf, openSession, settled } from '../../../../test/http/sites.ts'
import type { Principal } from '../../../kernel/index.ts'
import { parseBody } from '../post.ts'
import type { HttpSettings } from '../settings.ts'
import { closeSession, openStream, receiveStreamable } from './streamable.ts'

const PING = { jsonrpc: '2.0', id: 5, method: 'ping' }
const step = (number: number) => ({ jsonrpc: '2.0', method: `step ${number}` }) as const

/** A session, and those who ask for it. */
async function begin(settings: Partial<HttpSettings> = {}) {
  const created = createSites(1, settings)
  const site = firstOf(created.sites)
  const session = await openSession(site, 's')
  const headersOf = (id: string | undefined, more: object) => ({
    accept: 'text/event-stream',
    ...(id !== undefined && { 'mcp-session-id': id }),
    ...more,
  })
  const get = async (lastEventId?: string, id: string | undefined = 's', principal: Principal = ANN) => {
    const named = lastEventId === undefined ? {} : { 'last-event-id': lastEventId }
    const client = createReader({ headers: headersOf(id, named) })
    openStream(site, client.exchange, principal)
    await settled()
    return client
  }
  const post = async (body: object, headers: object = {}, principal: Principal = ANN) => {
    const client = createReader({ headers: headersOf('s', headers), body })
    const incoming = parseBody(site, client.exchange, JSON.stringify(body))
    if (incoming !== undefined) receiveStreamable(site, { incoming, exchange: client.exchange, principal })
    await settled()
    return client
  }
  const openCall = () => {
    const reader = createReader()
    const stream = session.openStream(reader.exchange, undefined, undefined)
    stream.send(step(1))
    return { reader, stream }
  }
  return { ...created, site, session, get, post, openCall }
}

const refused = (status: number, words: string) => [
  expect.objectContaining({ status, body: expect.stringContaining(words) }),
]

describe('a stream that is resumed', () => {
  it.each([
    ['a session', 'maxStreamsPerSession', 'in this session'],
    ['a caller', 'maxStreamsPerCaller', 'a caller may have 1'],
  ])('takes the place of the one before, where %s may have no more', async (_who, budget, words) => {
    const { get, openCall, session } = await begin({ [budget]: 1 })
    const { reader, stream } = openCall()
    const again = await get(`${stream.id}:1`)
    expect([again.answers, reader.heard.at(-1), session.openStreams]).toEqual([[], 'end', 1])
    expect((await get()).answers).toEqual(refused(429, words))
    again.leave()
    const standalone = await get()
    expect([standalone.answers, session.openStreams]).toEqual([[], 1])
    expect((await get(`${stream.id}:1`)).answers).toEqual(refused(429, words))
    expect((await get()).answers).toEqual(refused(409, 'has its stream open already'))
    expect((await get('0:0')).answers).toEqual([])
    expect(standalone.heard).toEqual(['end'])
  })

  it('is one of the session, after an event that there was', async () => {
    const { get, openCall } = await begin()
    const { stream } = openCall()
    const none = refused(400, 'expected the id of an event of this session')
    expect((await get(`${stream.id}:2`)).answers).toEqual(none)
    expect((await get('0:1')).answers).toEqual(none)
    expect((await get('garbage')).answers).toEqual(none)
    expect((await get(`${stream.id}:1`)).answers).toEqual([])
    expect((await get('0:0')).answers).toEqual([])
  })

  it('is refused where its end is not kept, or nobody knows it', async () => {
    const { get, openCall } = await begin({ maxKeptPerStreamBytes: 300 })
    const { stream, reader } = openCall()
    reader.leave()
    stream.end({ jsonrpc: '2.0', id: 1, result: { text: 'x'.repeat(500) } })
    const lost = refused(400, 'the answer after it is not kept any more')
    expect((await get(`${stream.id}:1`)).answers).toEqual(lost)
    expect((await get('99:1')).answers).toEqual(lost)
    expect((await get(`${stream.id}:2`)).heard).toEqual(['end'])
  })
})

describe('a session', () => {
  it('is used by whoever asks or listens, and not by a notice', async () => {
    const { session, post, get, site } = await begin()
    expect(site.places.unused(ANN)).toBe('s')
    await post({ jsonrpc: '2.0', method: 'notifications/roots/list_changed' })
    expect([session.used, site.places.unused(ANN)]).toEqual([false, 's'])
    await post(PING)
    expect([session.used, site.places.unused(ANN)]).toEqual([true, undefined])
    const other = await begin()
    await other.get()
    expect([other.session.used, other.site.places.unused(ANN)]).toEqual([true, undefined])
    expect((await get()).answers).toEqual([])
  })

  it('has been seen when it was asked last, and its record is kept alive every quarter of its time', async () => {
    const { session, post, pass } = await begin()
    pass(2500)
    await post(PING)
    expect([session.lastSeen, session.touchedAt]).toEqual([3500, 1000])
    pass(1)
    await post(PING)
    expect([session.lastSeen, session.touchedAt]).toEqual([3501, 3501])
  })

  it('is the same for its caller with another token, and none for others', async () => {
    const { session, post, get } = await begin()
    const newer: Principal = { id: 'ann', scopes: ['more'] }
    await post(PING, {}, newer)
    expect(session.link.principal).toBe(newer)
    const bob: Principal = { id: 'bob' }
    const [answer] = (await post(PING, {}, bob)).answers
    expect([answer?.status, JSON.parse(answer?.body ?? '').id]).toEqual([404, 5])
    expect((await get(undefined, 's', bob)).answers).toEqual(refused(404, 'there is no such session'))
    expect(session.link.principal).toBe(newer)
  })

  it('of a server of another version cannot be gone on with', async () => {
    const { kept, get } = await begin()
    await kept.put('session/c', { v: 2 })
    expect((await get(undefined, 'c')).answers).toEqual(refused(404, 'a server of another version'))
  })

  it('is refused a version that nobody knows, in the name of the request', async () => {
    const { post } = await begin()
    const [answer] = (await post(PING, { 'mcp-protocol-version': '2099-01-01' })).answers
    expect([answer?.status, JSON.parse(answer?.body ?? '')]).toMatchObject([
      400,
      { id: 5, error: { code: -32022 } },
    ])
  })

  it('is not listened to while what is kept of its stream cannot be had', async () => {
    const { kept, get, session } = await begin()
    session.standalone.restored(false)
    kept.read = () => Promise.reject(new Error('away'))
    expect((await get()).answers).toEqual(refused(503, 'cannot be had right now'))
    expect(session.openStreams).toBe(0)
  })

  it('that its client has yet to use hears what belongs to no call, once it is answered', async () => {
    const { site, post, get } = await begin()
    const opened = await post(initialize(), { 'mcp-session-id': undefined })
    const id = opened.answers[0]?.headers['mcp-session-id'] ?? ''
    const { heard } = await get(undefined, id)
    site.sessions.warm.get(id)?.link.notify('notifications/x')
    expect(heard.join()).toContain('notifications/x')
  })

  it('ends with DELETE, for its caller alone', async () => {
    const { site } = await begin()
    const end = async (principal: Principal) => {
      const client = createReader({ headers: { 'mcp-session-id': 's' } })
      closeSession(site, client.exchange, principal)
      await settled()
      return client.answers[0]?.status
    }
    expect(await end({ id: 'bob' })).toBe(404)
    expect(site.sessions.has('s')).toBe(true)
    expect([await end(ANN), site.sessions.has('s')]).toEqual([204, false])
  })
})

describe('without a session, where that is served', () => {
  async function ask(body: object, headers: object = {}, settings: Partial<HttpSettings> = {}) {
    const site = firstOf(createSites(1, { sessionless: 'served', ...settings }).sites)
    const client = createReader({ headers: { accept: 'text/event-stream', ...headers }, body })
    const incoming = parseBody(site, client.exchange, JSON.stringify(body))
    if (incoming !== undefined)
      receiveStreamable(site, { incoming, exchange: client.exchange, principal: ANN })
    await settled()
    const [answer] = client.answers
    return [answer?.status, answer?.body === undefined ? undefined : JSON.parse(answer.body)]
  }

  it('a call is answered, and a notice is taken', async () => {
    expect(await ask(PING)).toEqual([200, { jsonrpc: '2.0', id: 5, result: {} }])
    expect(await ask({ jsonrpc: '2.0', method: 'notifications/cancelled' })).toEqual([202, undefined])
  })

  it('a batch all of whose calls it cancels itself is taken', async () => {
    const called = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'talk', arguments: {} } }
    const cancelled = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } }
    const version = { 'mcp-protocol-version': '2025-03-26' }
    expect(await ask([called, cancelled], version)).toEqual([202, undefined])
  })

  it('a call says nothing before its answer', async () => {
    const big = { name: 'big', arguments: { notices: 2, bytes: 3 } }
    const [status, answer] = await ask({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: big })
    expect([status, answer]).toMatchObject([200, { result: { content: [{ text: 'xxx' }] } }])
  })

  it('a batch is of the revision that has batches, unless another is named', async () => {
    expect(await ask([PING, { ...PING, id: 6 }])).toMatchObject([200, [{ id: 5 }, { id: 6 }]])
    expect(await ask([PING], { 'mcp-protocol-version': '2025-03-26' })).toMatchObject([200, [{ id: 5 }]])
    const [status, answer] = await ask([PING], { 'mcp-protocol-version': '2025-06-18' })
    expect([status, answer.error.message]).toEqual([
      400,
      'Invalid request: there are no batches in 2025-06-18',
    ])
  })

  it('there is no question to answer', async () => {
    const [status, answer] = await ask({ jsonrpc: '2.0', id: 1, result: {} })
    expect([status, answer.error.message]).toEqual([
      400,
      'Invalid request: without a session there is no question to answer',
    ])
  })

  it('a version that nobody knows is refused, and so is one call too many', async () => {
    expect(await ask(PING, { 'mcp-protocol-version': '2099-01-01' })).toMatchObject([
      400,
      { id: 5, error: { code: -32022 } },
    ])
    expect(await ask(PING, {}, { maxCallsPerCaller: 0 })).toMatchObject([429, { id: 5 }])
  })

  it('nothing is served where that is not said', async () => {
    expect(await ask(PING, {}, { sessionless: 'refused' })).toMatchObject([
      400,
      {
        id: 5,
        error: { message: 'Bad request: the Mcp-Session-Id header is missing; send initialize first' },
      },
    ])
  })
})
