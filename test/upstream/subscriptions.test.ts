import type { ServerResponse } from 'node:http'
import { describe, expect, it, vi } from 'vitest'
import { defineServer } from '../../src/authoring/define-server.ts'
import { type Client, connect } from '../../src/client/index.ts'
import { createNodeHandler, createTestClient, type TestClient } from '../../src/index.ts'
import type { Server } from '../../src/kernel/index.ts'
import { upstream } from '../../src/modules/upstream/index.ts'
import { events, FakeServer, json, result } from '../client/hostile.ts'
import { clientOf, endAfterEach, ending, gatewayTo, listen, lookedAt } from './gateway-of.ts'

endAfterEach()

/** Has things to be read under its own name; lists one, and knows of others by a template. */
const having = (name: string) =>
  defineServer({
    name,
    version: '1',
    resources: [{ uri: `${name}://listed`, name: 'listed', subscribable: true, read: () => 'listed' }],
    templates: [
      {
        uriTemplate: `${name}://{thing}`,
        name,
        subscribable: true,
        read: ({ thing }) => `${thing} of ${name}`,
      },
    ],
  })

async function behind(server: Server, revision: string) {
  return { url: await listen(createNodeHandler(server, { allowAnonymous: true })), revision }
}

describe.each(['2025-11-25', '2026-07-28'])('a subscription at upstreams that speak %s', (spoken) => {
  it.each(['2025-11-25', '2026-07-28'])(
    'to what no list has goes to the one that tells, for a client of %s',
    async (revision) => {
      const [left, right] = [having('left'), having('right')]
      const gateway = gatewayTo({ left: await behind(left, spoken), right: await behind(right, spoken) })
      const client = await clientOf(gateway, { revision })
      for (const one of ['left', 'right']) gateway.templates.remove(`${one}://{thing}`)
      const told: string[] = []
      const cup = await client.subscribe('right://cup', (uri) => told.push(uri))
      const named = await client.subscribe('right://jar?upstream=right', (uri) => told.push(uri))
      right.updated('right://jar')
      right.updated('right://cup')
      left.updated('right://cup')
      await vi.waitFor(() => expect(told.toSorted()).toEqual(['right://cup', 'right://jar?upstream=right']))
      await cup.close()
      await named.close()
      await expect(client.subscribe('nobody://cup', () => {})).rejects.toThrow()
    },
  )

  it('to what only a template has passes, with the template on the list', async () => {
    const [left, right] = [having('left'), having('right')]
    const gateway = gatewayTo({ left: await behind(left, spoken), right: await behind(right, spoken) })
    const client = await clientOf(gateway)
    const told: string[] = []
    const cup = await client.subscribe('right://cup', (uri) => told.push(uri))
    right.updated('right://cup')
    await vi.waitFor(() => expect(told).toEqual(['right://cup']))
    await cup.close()
  })

  it('over HTTP is heard once by each who asked, whatever its revision and whatever it can do', async () => {
    const left = having('left')
    const gateway = gatewayTo({ left: await behind(left, spoken) })
    await gateway.start()
    await lookedAt(gateway)
    const url = await listen(createNodeHandler(gateway, { allowAnonymous: true }))
    const elicitation = { elicitation: { form: {} } }
    const clients = [
      await open(url, { revision: '2025-11-25' }),
      await open(url, { revision: '2026-07-28' }),
      await open(url, { revision: '2026-07-28', capabilities: elicitation }),
      await open(url, { revision: '2026-07-28', capabilities: elicitation }),
    ]
    const told: string[] = []
    const all = await Promise.all(
      clients.map((client, at) => client.subscribe('left://listed', () => told.push(String(at)))),
    )
    left.updated('left://listed')
    await vi.waitFor(() => expect(told.toSorted()).toEqual(['0', '1', '2', '3']))
    await all[0]?.close()
    await all[2]?.close()
    left.updated('left://listed')
    await vi.waitFor(() => expect(told.slice(4).toSorted()).toEqual(['1', '3']))
    for (const one of all) await one.close()
  })
})

it('that is refused leaves nothing behind, not even for a while', async () => {
  const right = having('right')
  const gateway = gatewayTo({ right: await behind(right, '2025-11-25') })
  const client = await clientOf(gateway)
  gateway.templates.remove('right://{thing}')
  const after = vi.spyOn(gateway.platform, 'after')
  const kept = () => after.mock.calls.filter(([ms]) => ms === 5000).length
  for (const thing of ['cup', 'jar', 'pot'])
    await expect(client.subscribe(`nobody://${thing}`, () => {})).rejects.toThrow()
  expect(kept()).toBe(0)
  const cup = await client.subscribe('right://cup', () => {})
  expect(kept()).toBe(1)
  await cup.close()
})

it('is a request that stays open at an upstream without sessions, of which a caller and all together may have so many', async () => {
  const left = having('left')
  const modules = [upstream('left', await behind(left, '2026-07-28'))]
  const budgets = { maxUpstreamStreams: 3, maxUpstreamStreamsPerCaller: 2 }
  const gateway = defineServer({ name: 'gateway', version: '1', modules, budgets })
  ending.push(() => gateway.close())
  const as = (id: string) => ({ revision: '2025-11-25', principal: { id, scopes: [] } })
  const bob = await clientOf(gateway, as('bob'))
  const told: string[] = []
  const subscribe = (client: TestClient, thing: string) =>
    client.subscribe(`left://${thing}`, () => told.push(thing))
  const cup = await subscribe(bob, 'cup')
  await subscribe(bob, 'jar')
  await expect(subscribe(bob, 'pot')).rejects.toThrow('--max-upstream-streams-per-caller')
  const alice = await createTestClient(gateway, as('alice'))
  await subscribe(alice, 'cup')
  await subscribe(alice, 'pot')
  await expect(subscribe(alice, 'can')).rejects.toThrow('--max-upstream-streams)')
  expect(gateway.usage.read('maxUpstreamStreams')).toBe(3)
  expect(gateway.usage.read('maxUpstreamStreamsPerCaller')).toBe(2)
  bob.close()
  await cup.close()
  await vi.waitFor(async () => expect(gateway.usage.read('maxUpstreamStreams')).toBe(2))
  await subscribe(alice, 'can')
  left.updated('left://can')
  await vi.waitFor(() => expect(told).toEqual(['can']))
})

it.each(['2025-11-25', '2026-07-28'])(
  'is made in the name of who asks in %s where headers are forwarded, also by a connection that all share',
  async (revision) => {
    const asking: unknown[] = []
    const streams = new Map<unknown, ServerResponse>()
    const server = await FakeServer.open(({ message: { id, method = '', params }, headers }, response) => {
      const answer = { 'server/discover': DISCOVERED, 'resources/list': LISTED }[method]
      const uris = (params as { notifications?: { resourceSubscriptions?: string[] } }).notifications
      if (method !== 'subscriptions/listen' || uris?.resourceSubscriptions === undefined)
        return json(response, result(id, { resultType: 'complete', resourceTemplates: [], ...answer }))
      asking.push(headers['x-user'])
      streams.set(headers['x-user'], events(response))
      Object.assign(response, { subscriptionId: id })
      const notifications = headers['x-user'] === 'alice' ? uris : {}
      tell(response, 'subscriptions/acknowledged', { notifications })
    })
    ending.push(() => server[Symbol.asyncDispose]())
    const gateway = gatewayTo({ behind: { url: server.url, forwardHeaders: ['x-user', 'x-trace'] } })
    await gateway.start()
    await lookedAt(gateway)
    const url = await listen(createNodeHandler(gateway, { allowAnonymous: true }))
    let calls = 0
    const headersOf = (user: string) => () => ({ 'x-user': user, 'x-trace': String(calls++) })
    const alice = await open(url, { revision, headers: headersOf('alice') })
    const bob = await open(url, { revision, headers: headersOf('bob') })
    const told: string[] = []
    const cup = await alice.subscribe('x://cup', () => told.push('alice'))
    await expect(bob.subscribe('x://cup', () => told.push('bob'))).rejects.toThrow()
    expect(asking).toEqual(['alice', 'bob'])
    tell(streams.get('alice'), 'resources/updated', { uri: 'x://cup' })
    await vi.waitFor(() => expect(told).toEqual(['alice']))
    await cup.close()
    await vi.waitFor(() => expect(streams.get('alice')?.closed).toBe(true))
  },
)

const DISCOVERED = { supportedVersions: ['2026-07-28'], capabilities: { resources: { subscribe: true } } }
const LISTED = { resources: [{ uri: 'x://cup', name: 'cup' }] }

function tell(response: ServerResponse | undefined, what: string, told: object): void {
  const { subscriptionId: id } = response as unknown as { subscriptionId: unknown } // As assigned.
  const params = { ...told, _meta: { 'io.modelcontextprotocol/subscriptionId': id } }
  const notice = { jsonrpc: '2.0', method: `notifications/${what}`, params }
  response?.write(`data: ${JSON.stringify(notice)}\n\n`)
}

async function open(url: string, options: Parameters<typeof connect>[1]): Promise<Client> {
  const client = await connect(url, options)
  ending.push(() => client.close())
  return client
}
