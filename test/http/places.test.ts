import { afterEach, describe, expect, it, vi } from 'vitest'
import type { BudgetName } from '../../src/kernel/index.ts'
import { apiKeys } from '../../src/transports/http/auth/api-keys.ts'
import type { Authenticator } from '../../src/transports/http/exchange.ts'
import { Host } from './host.ts'
import { call, callModern, getStream, INITIALIZED, initialize, modern, openSession } from './messages.ts'
import { createSample } from './sample.ts'

const list = { jsonrpc: '2.0', id: 2, method: 'tools/list' }
const used = (host: Host, budget: BudgetName) => host.sample.server.usage.read(budget)
const status = async (answer: Promise<{ readonly status: number }>) => (await answer).status

const alice = { authorization: 'Bearer k1' }
const bob = { authorization: 'Bearer k2' }
const KEYS = apiKeys({
  keys: [
    { name: 'alice', key: 'k1' },
    { name: 'bob', key: 'k2' },
  ],
})

/** Opens a session; used ones have called something. */
async function open(
  host: Host,
  caller: object,
  use: 'used' | 'unused',
): Promise<{ 'mcp-session-id': string }> {
  const { headers } = await host.send({ headers: { ...caller }, body: initialize() })
  const session = { 'mcp-session-id': String(headers['mcp-session-id']) }
  await host.send({ headers: { ...caller, ...session }, body: INITIALIZED })
  if (use === 'used') await host.send({ headers: { ...caller, ...session }, body: list })
  return session
}

describe('a caller that is known', () => {
  it('may have only so many calls under way, and leaves the other places to others', async () => {
    await using host = await Host.start({ authenticator: KEYS, maxCallsPerCaller: 2 })
    const pending = [1, 2].map((id) => host.send(callModern('talk', {}, { id, headers: alice })))
    const talks = [await host.talk(), await host.talk()]
    expect(used(host, 'maxCallsPerCaller')).toBe(2)
    const refused = await host.send(callModern('echo', {}, { headers: alice }))
    expect([refused.status, refused.headers['retry-after']]).toEqual([429, '1'])
    expect(refused.message.error?.message).toBe(
      'Too many requests: a caller may have 2 calls under way (--max-calls-per-caller)',
    )
    expect(await status(host.send(callModern('echo', {}, { headers: bob })))).toBe(200)
    for (const talk of talks) talk.finish()
    await Promise.all(pending)
    expect(await status(host.send(callModern('echo', {}, { headers: alice })))).toBe(200)
    expect(used(host, 'maxCallsPerCaller')).toBe(0)
  })

  it('may be told to have none', async () => {
    await using host = await Host.start({ authenticator: KEYS, maxSessionsPerCaller: 0 })
    expect(await status(host.send({ headers: alice, body: initialize() }))).toBe(429)
  })

  it('may have only so many sessions: one that was never used makes room', async () => {
    await using host = await Host.start({ authenticator: KEYS, maxSessionsPerCaller: 2 })
    const first = await open(host, alice, 'used')
    const second = await open(host, alice, 'unused')
    const third = await open(host, alice, 'used')
    const refused = await host.send({ headers: alice, body: initialize() })
    expect([refused.status, refused.headers['retry-after']]).toEqual([429, '10'])
    expect(refused.message.error?.message).toBe(
      'Too many requests: a caller may have 2 sessions (--max-sessions-per-caller)',
    )
    const found = [first, second, third].map((one) =>
      host.send({ headers: { ...alice, ...one }, body: list }),
    )
    expect((await Promise.all(found)).map((one) => one.status)).toEqual([200, 404, 200])
    expect(await status(host.send({ headers: bob, body: initialize() }))).toBe(200)
    expect([used(host, 'maxSessionsPerCaller'), used(host, 'maxSessions')]).toEqual([2, 3])
  })
})

describe('callers that nobody knows', () => {
  it('are not told apart, and have all the places', async () => {
    await using host = await Host.start({ maxCallsPerCaller: 1, maxSessionsPerCaller: 1 })
    await openSession(host)
    await openSession(host)
    const pending = [1, 2].map((id) => host.send(callModern('talk', {}, { id })))
    const talks = [await host.talk(), await host.talk()]
    expect(await status(host.send(callModern('echo')))).toBe(200)
    for (const talk of talks) talk.finish()
    await Promise.all(pending)
  })
})

describe('when all sessions are taken', () => {
  afterEach(() => void vi.useRealTimers())

  it('the oldest that was never used makes room', async () => {
    await using host = await Host.start({ maxSessions: 3 })
    const sessions = [
      await open(host, {}, 'used'),
      await open(host, {}, 'unused'),
      await open(host, {}, 'unused'),
    ]
    expect(await status(host.send({ body: initialize() }))).toBe(200)
    const found = sessions.map((headers) => host.send({ headers, body: list }))
    expect((await Promise.all(found)).map((one) => one.status)).toEqual([200, 404, 200])
    expect(used(host, 'maxSessions')).toBe(3)
  })

  it('that of nobody known which has been silent longest makes room, rather than one that is connected', async () => {
    vi.useFakeTimers({ toFake: ['Date'] })
    await using host = await Host.start({ maxSessions: 3 })
    const connected = await open(host, {}, 'used')
    const standing = await host.stream(getStream(connected))
    const silent = await open(host, {}, 'used')
    const speaking = await open(host, {}, 'used')
    vi.setSystemTime(Date.now() + 1) // Two that spoke in the same millisecond are equally silent.
    expect(await status(host.send({ headers: silent, body: list }))).toBe(200)
    const fourth = await open(host, {}, 'used')
    const found = [connected, silent, speaking, fourth].map((headers) => host.send({ headers, body: list }))
    expect((await Promise.all(found)).map((one) => one.status)).toEqual([200, 200, 404, 200])
    standing.destroy()
  })

  it('those who only stay connected make room, the first who fell silent first', async () => {
    await using host = await Host.start({ maxSessions: 3 })
    const sessions = [await open(host, {}, 'used'), await open(host, {}, 'used')]
    const standing = []
    for (const headers of sessions) standing.push(await host.stream(getStream(headers)))
    const pair = await host.stream({ method: 'GET', path: '/sse' })
    await pair.event()
    for (const one of standing) {
      await open(host, {}, 'used').then(async (headers) => host.stream(getStream(headers)))
      expect(await one.rest()).toEqual([])
    }
    await open(host, {}, 'used')
    expect(await pair.event()).toBe(undefined)
    expect(used(host, 'maxSessions')).toBe(3)
  })

  it('one in which a call is under way does not, nor does one of a caller that is known', async () => {
    await using host = await Host.start({ maxSessions: 1 })
    const headers = await open(host, {}, 'used')
    const answer = host.send({ headers, body: call(1, 'talk') })
    const talk = await host.talk()
    expect(await status(host.send({ body: initialize() }))).toBe(503)
    talk.finish()
    expect((await answer).status).toBe(200)
    await using known = await Host.start({ authenticator: KEYS, maxSessions: 1 })
    await open(known, alice, 'used')
    expect(await status(known.send({ headers: bob, body: initialize() }))).toBe(503)
  })
})

describe('a call that asks its client', () => {
  const asking = { elicitation: {} }

  it('takes no place of those at work', async () => {
    await using host = await Host.start({ maxCalls: 1 })
    const headers = await openSession(host, '2025-11-25', asking)
    const events = await host.stream({ headers, body: call(1, 'ask') })
    const question = await events.next()
    expect([used(host, 'maxCalls'), used(host, 'maxQuestions')]).toEqual([0, 1])
    expect(await status(host.send(callModern('echo')))).toBe(200)
    const content = { name: 'Ada' }
    await host.send({
      headers,
      body: { jsonrpc: '2.0', id: question?.id, result: { action: 'accept', content } },
    })
    await events.rest()
    expect([used(host, 'maxCalls'), used(host, 'maxQuestions')]).toEqual([0, 0])
  })

  it('has a budget of its own, and makes room when its client has left', async () => {
    await using host = await Host.start({ maxQuestions: 1 })
    const headers = await openSession(host, '2025-11-25', asking)
    const events = await host.stream({ headers, body: call(1, 'ask') })
    await events.next()
    const refused = await host.send(callModern('echo'))
    expect([refused.status, refused.message.error?.message]).toEqual([
      503,
      'Service unavailable: too many calls wait for their clients (--max-questions)',
    ])
    events.destroy()
    await expect.poll(() => status(host.send(callModern('echo')))).toBe(200)
    expect(used(host, 'maxQuestions')).toBe(0)
  })
})

describe('calls whose clients have left', () => {
  it('end when others need their places, those who left first first, and say so to who comes back', async () => {
    await using host = await Host.start({ maxCalls: 2 })
    const headers = await openSession(host)
    const begin = async (id: number) => {
      const coming = host.stream({ headers, body: call(id, 'talk', {}, { progressToken: id }) })
      const talk = await host.talk()
      talk.call.progress(1)
      const events = await coming
      await events.next()
      return { talk, events }
    }
    const [one, two] = [await begin(1), await begin(2)]
    expect(await status(host.send(callModern('echo')))).toBe(503)
    const streams = used(host, 'maxStreams')
    two.events.destroy()
    await expect.poll(() => used(host, 'maxStreams')).toBe(streams - 1)
    one.events.destroy()
    await expect.poll(() => used(host, 'maxStreams')).toBe(streams - 2)
    const pending = host.send(callModern('talk'))
    const third = await host.talk()
    expect([one.talk.call.aborted, two.talk.call.aborted, third.call.aborted]).toEqual([false, true, false])
    const back = await host.stream(getStream(headers, two.events.lastId))
    expect((await back.rest()).at(-1)?.error?.message).toBe(
      'Service unavailable: the client had left, and others needed the place',
    )
    const stays = await host.stream(getStream(headers, one.events.lastId))
    expect(await status(host.send(callModern('echo')))).toBe(503)
    one.talk.finish()
    third.finish()
    await Promise.all([stays.rest(), pending])
    expect(used(host, 'maxCalls')).toBe(0)
  })

  it('end with their session, which nobody has been connected to for long', async () => {
    vi.useFakeTimers({ toFake: ['Date'] })
    await using host = await Host.start({ sessionIdleMs: 1000 })
    const [left, stayed] = [await openSession(host), await openSession(host)]
    const lost = await host.dial()
    lost.write(printPost(host, left))
    const first = await host.talk()
    const waiting = host.send({ headers: stayed, body: call(1, 'talk') })
    const second = await host.talk()
    lost.socket.destroy()
    await expect.poll(() => lost.socket.destroyed).toBe(true)
    await expect
      .poll(() => {
        vi.setSystemTime(Date.now() + 600)
        return first.call.aborted
      })
      .toBe(true)
    expect(second.call.aborted).toBe(false)
    expect(await status(host.send({ headers: left, body: list }))).toBe(404)
    second.finish()
    expect(await status(waiting)).toBe(200)
  })
  afterEach(() => void vi.useRealTimers())
})

function printPost(host: Host, headers: object): string {
  const body = JSON.stringify(call(1, 'talk'))
  const lines = Object.entries({
    host: `127.0.0.1:${host.port}`,
    'content-type': 'application/json',
    ...headers,
  })
  return `POST /mcp HTTP/1.1\r\n${lines.map((line) => `${line.join(': ')}\r\n`).join('')}content-length: ${body.length}\r\n\r\n${body}`
}

describe('a batch', () => {
  const batch = (count: number) => Array.from({ length: count }, (_, id) => call(id + 10, 'talk'))

  it('takes a place for each of its requests', async () => {
    await using host = await Host.start({ maxCalls: 3 })
    const headers = await openSession(host, '2025-03-26')
    expect(await status(host.send({ headers, body: batch(4) }))).toBe(503)
    const pending = host.send({ headers, body: [...batch(3), INITIALIZED] })
    const talks = [await host.talk(), await host.talk(), await host.talk()]
    expect(used(host, 'maxCalls')).toBe(3)
    expect(await status(host.send(callModern('echo')))).toBe(503)
    expect(await status(host.send({ headers, body: [INITIALIZED] }))).toBe(202)
    for (const talk of talks) talk.finish()
    expect((await pending).message).toHaveLength(3)
    expect(used(host, 'maxCalls')).toBe(0)
  })

  it('on a pair of endpoints, too', async () => {
    await using host = await Host.start({ maxCalls: 3 })
    const stream = await host.stream({ method: 'GET', path: '/sse' })
    const path = String((await stream.event())?.data)
    await host.send({ path, body: initialize('2025-03-26') })
    await stream.next()
    await host.send({ path, body: INITIALIZED })
    const refused = await host.send({ path, body: batch(4) })
    expect([refused.status, refused.message.error?.message]).toEqual([
      503,
      'Service unavailable: too many calls under way (--max-calls)',
    ])
    expect(await status(host.send({ path, body: batch(3) }))).toBe(202)
    expect(used(host, 'maxCalls')).toBe(3)
    for (let id = 0; id < 3; id++) (await host.talk()).finish()
    await stream.next()
    expect(used(host, 'maxCalls')).toBe(0)
  })
})

describe('a token that expires', () => {
  /** Knows everybody for as long as they say. */
  const trusting: Authenticator = {
    authenticate: (exchange) => ({ id: 'alice', expires: Date.now() + Number(exchange.headers['x-ms']) }),
    header: 'X-Ms',
  }
  const brief = { 'x-ms': '100' }
  const long = { 'x-ms': '100000' }

  it('ends the streams that were opened with it', async () => {
    await using host = await Host.start({ authenticator: trusting })
    const session = await open(host, long, 'used')
    const listening = await host.stream(
      modern('subscriptions/listen', { notifications: {} }, { headers: brief }),
    )
    const pair = await host.stream({ method: 'GET', path: '/sse', headers: brief })
    const standing = await host.stream(getStream({ ...session, ...brief }))
    expect((await listening.rest()).length).toBeLessThanOrEqual(2)
    expect(await pair.event()).toMatchObject({ event: 'endpoint' })
    expect(await pair.event()).toBeUndefined()
    expect(await standing.rest()).toEqual([])
    await expect.poll(() => used(host, 'maxStreams')).toBe(0)
    expect(used(host, 'maxSessions')).toBe(1)
    const again = await host.stream(getStream({ ...session, ...long }))
    again.destroy()
  })

  it('does not end them when its caller has come with a newer one, nor a call that was let in', async () => {
    const soon = { 'x-ms': '3000' }
    await using host = await Host.start({ authenticator: trusting })
    const session = await open(host, long, 'used')
    const standing = await host.stream(getStream({ ...session, ...soon }))
    const headers = { ...session, ...soon }
    const coming = host.stream({ headers, body: call(1, 'talk', {}, { progressToken: 1 }) })
    const talk = await host.talk()
    talk.call.progress(1)
    const events = await coming
    const other = await open(host, long, 'used')
    const ends = await host.stream(getStream({ ...other, ...soon }))
    await host.send({ headers: { ...session, ...long }, body: list })
    expect(await ends.rest()).toEqual([])
    host.sample.server.tools.add({ name: 'extra', run: () => '' })
    expect(await standing.next()).toMatchObject({ method: 'notifications/tools/list_changed' })
    talk.finish()
    expect((await events.rest()).at(-1)).toMatchObject({ id: 1, result: {} })
  }, 30_000)
})

const JSON_POST = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' }

const listenAs = (headers: object) => {
  const asked = modern('subscriptions/listen', { notifications: { toolsListChanged: true } })
  return { ...asked, headers: { ...asked.headers, ...headers } }
}

describe('streams', () => {
  it('are shared: a caller that is known has only so many', async () => {
    await using host = await Host.start({ authenticator: KEYS, maxStreamsPerCaller: 2 })
    await host.stream(listenAs(alice))
    await host.stream(listenAs(alice))
    const refused = await host.send(listenAs(alice))
    expect([refused.status, refused.message.error?.message]).toEqual([
      429,
      'Too many requests: a caller may have 2 open streams (--max-streams-per-caller)',
    ])
    expect([used(host, 'maxStreamsPerCaller'), used(host, 'maxStreams')]).toEqual([2, 2])
    const other = await host.stream(listenAs(bob))
    other.destroy()
    await expect.poll(() => used(host, 'maxStreams')).toBe(2)
  })

  it('that are all taken refuse no call: it is answered, and nothing is said before', async () => {
    await using host = await Host.start({ maxStreams: 1 })
    const headers = await openSession(host)
    await host.stream(listenAs({}))
    const pending = host.send({ headers, body: call(7, 'talk', {}, { progressToken: 1 }) })
    const talk = await host.talk()
    talk.call.progress(1)
    talk.finish('end')
    const answer = await pending
    expect([answer.status, answer.message.id]).toEqual([200, 7])
    expect(answer.headers['content-type']).toContain('application/json')
    expect(await status(host.send(getStream(headers)))).toBe(503)
  })
})

describe('what callers make us hold', () => {
  it('is shared: one that is known takes only so much of it', async () => {
    const sample = createSample({ budgets: { maxHeldPerCallerBytes: 300 } })
    await using host = await Host.start({ authenticator: KEYS }, sample)
    const opened = await Promise.all(
      Array.from({ length: 20 }, () => host.send({ headers: alice, body: initialize() })),
    )
    expect(opened.filter((one) => one.message.error?.code === 429).length).toBeGreaterThan(0)
    expect(used(host, 'maxHeldPerCallerBytes')).toBeGreaterThan(0)
    expect(used(host, 'maxHeldPerCallerBytes')).toBeLessThanOrEqual(300)
    expect((await host.send({ headers: bob, body: initialize() })).message.result).toBeDefined()
  })

  it('with calls that nobody waits for any more gives way to whoever is there', async () => {
    const sample = createSample({ budgets: { maxUnderwayBytes: 25_000 } })
    await using host = await Host.start({}, sample)
    const headers = await openSession(host)
    const large = (id: number) => ({ headers, body: call(id, 'talk', {}, { junk: 'x'.repeat(10_000) }) })
    for (const id of [1, 2]) {
      const body = JSON.stringify(large(id).body)
      const sent = { host: `127.0.0.1:${host.port}`, ...JSON_POST, ...headers, 'content-length': body.length }
      const lines = Object.entries(sent).map(([name, value]) => `${name}: ${value}\r\n`)
      const lost = await host.dial(`POST /mcp HTTP/1.1\r\n${lines.join('')}\r\n${body}`)
      await host.talk()
      lost.socket.destroy()
    }
    expect(used(host, 'maxUnderwayBytes')).toBeGreaterThan(20_000)
    await expect.poll(() => used(host, 'maxConnections')).toBe(0)
    const pending = host.send(large(3))
    const talk = await host.talk()
    talk.finish('end')
    expect((await pending).status).toBe(200)
  })
})
