import { describe, expect, it } from 'vitest'
import { defineServer } from '../../src/authoring/define-server.ts'
import type { Budgets } from '../../src/kernel/budgets/budgets.ts'
import { SUBSCRIPTION } from '../../src/kernel/calls/interest.ts'
import type { Server } from '../../src/kernel/calls/server.ts'
import type { JsonObject } from '../../src/kernel/jsonrpc/message.ts'
import { introduction, talk } from '../setup/talk.ts'

const NEW = '2025-11-25'
const long = (bytes: number) => 'x'.repeat(bytes)

function create(budgets: Partial<Budgets> = {}): Server {
  return defineServer({
    name: 's',
    version: '1',
    budgets,
    tools: [
      {
        name: 'work',
        run: (_: never, call) => {
          call.progress(1)
          return 'done'
        },
      },
    ],
    templates: [
      {
        uriTemplate: 'x://{+id}',
        name: 'x',
        subscribable: true,
        complete: { id: (value: string) => [value] },
        read: () => '',
      },
    ],
  })
}

const initialize = (more: JsonObject) => ({
  protocolVersion: NEW,
  capabilities: {},
  clientInfo: { name: 'c', version: '1' },
  ...more,
})

it('a batch of more messages than there may be, and one that is too deep, name the flag', async () => {
  const server = create({ maxBatchMessages: 2, maxNesting: 4 })
  const client = talk(server)
  await client.ask('initialize', initialize({ protocolVersion: '2025-03-26' }))
  const ping = (id: number) => ({ jsonrpc: '2.0', id, method: 'ping' })
  client.send([ping(1), ping(2)])
  expect(client.heard.slice(1)).toMatchObject([{ id: 1 }, { id: 2 }])
  expect(server.usage.read('maxBatchMessages')).toBe(2)
  client.send([ping(3), ping(4), ping(5)])
  expect(client.heard.at(-1)).toMatchObject({
    error: { message: expect.stringContaining('(--max-batch-messages)') },
  })
  client.send({ ...ping(6), params: { a: { b: { c: {} } } } })
  expect(client.heard.at(-1)).toMatchObject({
    id: 6,
    error: { message: expect.stringContaining('(--max-nesting)') },
  })
})

describe('what a client says of itself', () => {
  it.each([
    ['capabilities', initialize({ capabilities: { experimental: { x: long(17_000) } } })],
    ['clientInfo', initialize({ clientInfo: { name: long(17_000), version: '1' } })],
  ])('is refused when its %s are too large, and nothing of it is kept', async (_what, params) => {
    const server = create()
    const to = talk(server)
    expect(await to.ask('initialize', params)).toMatchObject({
      error: { code: -32602, message: expect.stringContaining('at most 16384 bytes, got 17') },
    })
    expect(server.held.total).toBe(0)
    expect(await to.ask('initialize', initialize({}))).toMatchObject({ result: {} })
  })

  it('is counted while the conversation lasts, for each and for all', async () => {
    const server = create({ maxHeldBytes: 25_000 })
    const capabilities = { experimental: { x: long(10_000) } }
    const [one, two, three] = [talk(server), talk(server), talk(server)]
    expect(await one.ask('initialize', initialize({ capabilities }))).toMatchObject({ result: {} })
    expect(await two.ask('initialize', initialize({ capabilities }))).toMatchObject({ result: {} })
    expect(server.usage.read('maxHeldBytes')).toBeGreaterThan(20_000)
    expect(server.usage.read('maxHeldPerSessionBytes')).toBeLessThan(11_000)
    expect(await three.ask('initialize', initialize({ capabilities }))).toMatchObject({
      error: { code: 429, message: expect.stringContaining('at most 25000 bytes') },
    })
    one.close()
    expect(await three.ask('initialize', initialize({ capabilities }))).toMatchObject({ result: {} })
    two.close()
    three.close()
    expect(server.held.total).toBe(0)
  })

  it('is counted once when a conversation begins anew', async () => {
    const server = create()
    const to = talk(server)
    await to.ask('initialize', initialize({}))
    const before = server.held.total
    await to.ask('resources/subscribe', { uri: 'x://1' })
    await to.ask('initialize', initialize({}))
    expect(server.held.total).toBe(before)
  })
})

describe('subscriptions', () => {
  it('of a session are so many, each counted once, and no more', async () => {
    const server = create({ maxSubscriptionsPerSession: 2 })
    const to = talk(server, NEW)
    const before = server.held.total
    for (const uri of ['x://1', 'x://1', 'x://22']) {
      expect(await to.ask('resources/subscribe', { uri })).toMatchObject({ result: {} })
    }
    expect(server.held.total - before).toBe(11 + 2 * SUBSCRIPTION)
    expect(await to.ask('resources/subscribe', { uri: 'x://3' })).toMatchObject({
      error: {
        code: -32602,
        message: 'Invalid params: subscriptions: at most 2, got 3 (--max-subscriptions-per-session)',
      },
    })
    await to.ask('resources/unsubscribe', { uri: 'x://22' })
    await to.ask('resources/unsubscribe', { uri: 'x://22' })
    expect(server.held.total - before).toBe(5 + SUBSCRIPTION)
    expect(await to.ask('resources/subscribe', { uri: 'x://3' })).toMatchObject({ result: {} })
    expect(server.usage.read('maxSubscriptionsPerSession')).toBe(2)
  })

  it('of a session take so many bytes, and no more', async () => {
    const server = create({ maxHeldPerSessionBytes: 10_000 })
    const to = talk(server, NEW)
    expect(await to.ask('resources/subscribe', { uri: `x://${long(8000)}` })).toMatchObject({ result: {} })
    expect(await to.ask('resources/subscribe', { uri: `x://${long(7000)}` })).toMatchObject({
      error: { code: 429, message: expect.stringContaining('at most 10000 bytes') },
    })
  })

  it('by subscriptions/listen name so many resources, and no more', async () => {
    const server = create({ maxListenIds: 3, maxHeldPerSessionBytes: 10_000 })
    const to = talk(server)
    const listen = (resourceSubscriptions: readonly string[]) =>
      to.ask('subscriptions/listen', { notifications: { resourceSubscriptions }, _meta: introduction() })
    const many = ['x://1', 'x://2', 'x://3', 'x://4']
    expect(await listen(many)).toMatchObject({
      error: { code: -32602, message: expect.stringContaining('at most 3, got 4 (--max-listen-ids)') },
    })
    const large = [1, 2].map((n) => `x://${n}${long(6000)}`)
    expect(await listen(large)).toMatchObject({
      error: { code: 429, message: expect.stringContaining('at most 10000 bytes') },
    })
    expect([server.held.total, server.listeners.size]).toEqual([0, 0])
    to.send({
      jsonrpc: '2.0',
      id: 'l',
      method: 'subscriptions/listen',
      params: { notifications: { resourceSubscriptions: ['x://1', 'x://1'] }, _meta: introduction() },
    })
    expect(to.heard.at(-1)).toMatchObject({ params: { notifications: { resourceSubscriptions: ['x://1'] } } })
    expect(server.held.total).toBeGreaterThan(0)
    to.send({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 'l' } })
    expect(server.held.total).toBe(0)
  })
})

describe('a progress token', () => {
  const call = (progressToken: unknown) =>
    talk(create(), NEW).ask('tools/call', { name: 'work', _meta: { progressToken } })

  it.each([
    ['a', 'x'],
    ['a long', long(256)],
    ['a number for a', 7],
  ])('is repeated: %s token', async (_what, token) => {
    expect(await call(token)).toMatchObject({ result: { isError: false } })
  })

  it.each([
    ['too long', long(257), 'at most 256 bytes, got 257 (--max-progress-token)'],
    ['an object', { a: 1 }, 'expected a string, got an object'],
    ['null', null, 'expected a string, got null'],
  ])('is refused when it is %s', async (_what, token, message) => {
    expect(await call(token)).toMatchObject({
      error: { code: -32602, message: expect.stringContaining(message) },
    })
  })
})

describe('an id', () => {
  it.each(['2024-11-05', '2025-11-25'])('is so long, and no longer, in %s', async (version) => {
    const to = talk(create(), version)
    for (const id of [long(1024), long(1025)]) to.send({ jsonrpc: '2.0', id, method: 'ping' })
    await expect.poll(() => to.heard.length).toBe(2)
    expect(to.heard).toMatchObject([
      { id: long(1024), result: {} },
      {
        error: { code: -32600, message: expect.stringContaining('at most 1024 bytes, got 1025 (--max-id)') },
      },
    ])
  })
})

describe('a text to be completed', () => {
  it('is so long, and no longer', async () => {
    const complete = (value: string) =>
      talk(create(), NEW).ask('completion/complete', {
        ref: { type: 'ref/resource', uri: 'x://{+id}' },
        argument: { name: 'id', value },
      })
    expect(await complete(long(1024))).toMatchObject({ result: { completion: { values: [long(1024)] } } })
    expect(await complete(long(1025))).toMatchObject({
      error: {
        code: -32602,
        message: 'Invalid params: argument.value: at most 1024 bytes, got 1025 (--max-completion)',
      },
    })
  })
})
