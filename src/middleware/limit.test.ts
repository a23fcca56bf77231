import { expect, it } from 'vitest'
import { defineServer } from '../authoring/define-server.ts'
import { createTestClient, defineTool, type ErrorReply } from '../index.ts'
import { type Middleware, NOWHERE, type Principal } from '../kernel/index.ts'
import { MemoryStore } from '../stores/memory.ts'
import { type RateLimitOptions, rateLimit } from './limit.ts'

/** A limit, a clock to turn, and callers by name. */
function limited(options: RateLimitOptions) {
  const clock = { now: 1_000_000 }
  const layer = rateLimit(options)
  const platform = { now: () => clock.now, store: new MemoryStore() }
  const link = {}
  const call = (principal?: Principal, method = 'tools/call', from: object = link) => {
    const asked = {
      method,
      principal,
      link: from,
      outlet: NOWHERE,
      server: { platform },
    } as unknown as Parameters<Middleware>[0]
    try {
      return layer(asked, () => ({ ran: true }))
    } catch (error) {
      return (error as { data: unknown }).data
    }
  }
  return { clock, call }
}

const RAN = { ran: true }
const ALICE = { id: 'alice' }
const BOB = { id: 'bob' }

it('lets a burst through and then says when to come back', () => {
  const { call } = limited({ perSecond: 2, burst: 3 })
  expect([call(ALICE), call(ALICE), call(ALICE)]).toEqual([RAN, RAN, RAN])
  expect(call(ALICE)).toEqual({ retryAfterMs: 500 })
})

it('fills up as time goes by, and never over the burst', () => {
  const { call, clock } = limited({ perMinute: 60, burst: 2 })
  call(ALICE)
  call(ALICE)
  clock.now += 1000
  expect([call(ALICE), call(ALICE)]).toEqual([RAN, { retryAfterMs: 1000 }])
  clock.now += 3_600_000
  expect([call(ALICE), call(ALICE), call(ALICE)]).toEqual([RAN, RAN, { retryAfterMs: 1000 }])
})

it('counts each caller by itself', () => {
  const { call } = limited({ perMinute: 1 })
  expect([call(ALICE), call(BOB)]).toEqual([RAN, RAN])
  expect([call(ALICE), call(BOB)]).toEqual([{ retryAfterMs: 60_000 }, { retryAfterMs: 60_000 }])
})

it('counts callers that nobody knows by their conversation', () => {
  const { call } = limited({ perMinute: 1 })
  const [one, other] = [{}, {}]
  expect(call(undefined, 'tools/call', one)).toEqual(RAN)
  expect(call(undefined, 'tools/call', one)).toEqual({ retryAfterMs: 60_000 })
  expect(call(undefined, 'tools/call', other)).toEqual(RAN)
})

it('counts what does work, and only that', () => {
  const { call } = limited({ perMinute: 1 })
  call(ALICE)
  expect(call(ALICE, 'tools/list')).toEqual(RAN)
  expect(call(ALICE, 'resources/read')).toEqual({ retryAfterMs: 60_000 })
})

it('counts the methods it is told to', () => {
  const { call } = limited({ perMinute: 1, methods: ['tools/list'] })
  expect([call(ALICE, 'tools/call'), call(ALICE, 'tools/call')]).toEqual([RAN, RAN])
  expect([call(ALICE, 'tools/list'), call(ALICE, 'tools/list')]).toEqual([RAN, { retryAfterMs: 60_000 }])
})

it('is not confused by a clock that is set back', () => {
  const { call, clock } = limited({ perMinute: 1 })
  call(ALICE)
  clock.now -= 1_000_000
  expect(call(ALICE)).toEqual({ retryAfterMs: 60_000 })
  clock.now += 60_000
  expect(call(ALICE)).toEqual(RAN)
})

it('remembers a bounded number of callers, those that called last', () => {
  const { call } = limited({ perMinute: 1 })
  for (let number = 0; number <= 10_000; number++) call({ id: String(number) })
  expect(call({ id: '10000' })).toEqual({ retryAfterMs: 60_000 })
  expect(call({ id: '1' })).toEqual({ retryAfterMs: 60_000 })
  expect(call({ id: '0' })).toEqual(RAN)
})

it.each([{ perSecond: 0 }, { perMinute: Number.NaN }, { perSecond: 1, burst: 0 }])(
  'refuses %j at the start',
  (options) => {
    expect(() => rateLimit(options)).toThrow(TypeError)
  },
)

it.each(['2024-11-05', '2025-11-25', '2026-07-28'])('is an error to a client of %s', async (revision) => {
  const server = defineServer({
    name: 'limited',
    version: '1.0.0',
    middleware: [rateLimit({ perMinute: 1 })],
    tools: [{ name: 'hello', run: () => 'hello' }],
  })
  const client = await createTestClient(server, { revision })
  await client.callTool('hello')
  const error = await client.callTool('hello').catch((reason: ErrorReply) => reason)
  const message = expect.stringMatching(
    /^Too many requests: a caller may make 1 call a minute \(rateLimit\): try again in \d+ s$/,
  )
  expect(error).toMatchObject({ code: 429, message })
})

it.each([
  [{ perSecond: 1 }, 'a caller may make 1 call a second (rateLimit): try again in 1 s'],
  [{ perSecond: 10, burst: 1 }, 'a caller may make 10 calls a second (rateLimit): try again in 1 s'],
  [{ perMinute: 4, burst: 1 }, 'a caller may make 4 calls a minute (rateLimit): try again in 15 s'],
])('says of %j how much a caller may do, and when to come back', async (options, words) => {
  const server = defineServer({
    name: 'limited',
    version: '1',
    middleware: [rateLimit(options)],
    tools: [{ name: 'hello', run: () => 'hello' }],
  })
  server.platform.now = () => 0
  const client = await createTestClient(server, { principal: ALICE })
  await client.callTool('hello')
  await expect(client.callTool('hello')).rejects.toThrow(`Too many requests: ${words}`)
})

/** A store as two servers see it, which can be taken away from them. */
class SharedMemory extends MemoryStore {
  override readonly shared: boolean = true
  away: 'not' | 'known' | 'unknown' = 'not'

  override trouble(): undefined {
    return (this.away === 'known' ? 'away' : undefined) as undefined // A real one has words for it.
  }

  override async take(...args: Parameters<MemoryStore['take']>): Promise<number> {
    if (this.away !== 'not') throw new Error('away')
    return super.take(...args)
  }
}

async function serversThatShare(store: SharedMemory) {
  const open = async () => {
    const server = defineServer({
      name: 'sharing',
      version: '1',
      store,
      tools: [defineTool({ name: 'ping', description: 'Answers.', run: () => 'pong' })],
      middleware: [rateLimit({ perMinute: 2 })],
    })
    const client = await createTestClient(server, { principal: ALICE })
    return async () => {
      const reply = await client.callTool('ping').then(
        () => 'pong',
        (error: ErrorReply) => String(error.code),
      )
      return reply
    }
  }
  return [await open(), await open()] as const
}

it('counts what a caller does on all servers that share a store', async () => {
  const [here, there] = await serversThatShare(new SharedMemory())
  expect([await here(), await there(), await here(), await there()]).toEqual(['pong', 'pong', '429', '429'])
})

it.each(['known', 'unknown'] as const)(
  'counts on each server while the store is away, which is %s',
  async (away) => {
    const store = new SharedMemory()
    const [here, there] = await serversThatShare(store)
    store.away = away
    expect([await here(), await here(), await here()]).toEqual(['pong', 'pong', '429'])
    expect(await there()).toBe('pong')
  },
)
