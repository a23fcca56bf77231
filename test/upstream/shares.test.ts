import { expect, it, vi } from 'vitest'
import { defineServer } from '../../src/authoring/define-server.ts'
import { createNodeHandler, createTestClient, defineTool, elicit, Needs } from '../../src/index.ts'
import type { Budgets, Server } from '../../src/kernel/index.ts'
import { upstream } from '../../src/modules/upstream/index.ts'
import { DONE, FakeServer, handshakes, json, result, script } from '../client/hostile.ts'
import { clientOf, endAfterEach, ending, listen, lookedAt, textOf } from './gateway-of.ts'

endAfterEach()

const staying: ((text: string) => void)[] = []
const stay = { name: 'stay', run: () => new Promise<string>((resolve) => staying.push(resolve)) }
const go = { name: 'go', run: () => 'gone' }
const schema = { type: 'object', properties: {} } as const
const who = defineTool({
  name: 'who',
  run: (_none, call) => {
    const asked = call.ask({ name: elicit({ message: 'Who?', schema }) })
    return asked instanceof Needs ? asked : asked.name.action
  },
})

/** A gateway before a server that keeps a session for each client. */
async function gatewayWith(budgets: Partial<Budgets>): Promise<Server> {
  staying.length = 0
  const behind = defineServer({ name: 'behind', version: '1', tools: [stay, go, who] })
  const url = await listen(createNodeHandler(behind))
  const modules = [upstream('behind', { url, revision: '2025-11-25' })]
  const gateway = defineServer({ name: 'gateway', version: '1', modules, budgets })
  ending.push(() => gateway.close())
  await gateway.start()
  await lookedAt(gateway)
  return gateway
}

const as = (id: string) => ({ principal: { id, scopes: [] } })

it('whoever has most of the connections gives one to somebody who has fewer, and gets no further one', async () => {
  const gateway = await gatewayWith({ maxUpstreamConnections: 2 })
  const bobs = await Promise.all([1, 2, 3].map(() => createTestClient(gateway, as('bob'))))
  const stays = bobs.slice(0, 2).map((bob) => bob.callTool('stay'))
  await vi.waitFor(() => expect(staying).toHaveLength(2))
  expect(textOf(await (bobs[2] as (typeof bobs)[0]).callTool('go'))).toContain('all in use')
  const alice = await createTestClient(gateway, as('alice'))
  expect(textOf(await alice.callTool('go'))).toBe('gone')
  for (const answer of staying) answer('stayed')
  const told = (await Promise.all(stays)).map(textOf).sort()
  expect(told).toEqual([
    'behind: this connection was ended for somebody who has fewer (--max-upstream-connections)',
    'stayed',
  ])
  expect(textOf(await alice.callTool('go'))).toBe('gone')
})

it('whoever waits for a connection that gives way before it is made is told the same', async () => {
  const lists = { tools: [{ name: 'go', inputSchema: schema }], resources: [], resourceTemplates: [] }
  let sessions = 0
  const greet: (() => void)[] = []
  const server = await FakeServer.open((heard, response) => {
    const { id, method } = heard.message
    if (method === 'initialize' && ++sessions > 1)
      return greet.push(() => handshakes(heard, response, `s${sessions}`))
    if (handshakes(heard, response, 's1')) return
    json(response, result(id, method === 'tools/call' ? DONE : lists))
  })
  ending.push(() => server[Symbol.asyncDispose]())
  const modules = [upstream('behind', { url: server.url, revision: '2025-11-25' })]
  const budgets = { maxUpstreamConnections: 2 }
  const gateway = defineServer({ name: 'gateway', version: '1', modules, budgets })
  ending.push(() => gateway.close())
  await gateway.start()
  await lookedAt(gateway)
  const clients = await Promise.all(['bob', 'bob', 'alice'].map((id) => createTestClient(gateway, as(id))))
  const calls: Promise<string>[] = []
  for (const client of clients) {
    calls.push(client.callTool('go').then(textOf))
    await vi.waitFor(() => expect(greet).toHaveLength(calls.length), { timeout: 20_000 })
  }
  for (const answer of greet) answer()
  expect(await Promise.all(calls)).toEqual([
    'done',
    'behind: this connection was ended for somebody who has fewer (--max-upstream-connections)',
    'done',
  ])
})

it('what nobody uses ends before what somebody does, whoever has it', async () => {
  const gateway = await gatewayWith({ maxUpstreamConnections: 3 })
  const stays = await Promise.all(
    [1, 2].map(async () => ({ call: (await createTestClient(gateway, as('alice'))).callTool('stay') })),
  )
  await vi.waitFor(() => expect(staying).toHaveLength(2))
  const bob = await createTestClient(gateway, as('bob'))
  expect(textOf(await bob.callTool('go'))).toBe('gone')
  const alice = await createTestClient(gateway, as('alice'))
  expect(textOf(await alice.callTool('go'))).toBe('gone')
  for (const answer of staying) answer('stayed')
  for (const { call } of stays) expect(textOf(await call)).toBe('stayed')
})

it('whoever has asked most gives up the oldest question, and nobody else does', async () => {
  const gateway = await gatewayWith({ maxUpstreamQuestions: 2 })
  const answering: ((answer: { action: string }) => void)[] = []
  const results: Promise<string>[] = []
  for (const id of ['alice', 'bob', 'bob', 'bob']) {
    const answer = () => new Promise<{ action: string }>((resolve) => answering.push(resolve))
    const client = await createTestClient(gateway, { ...as(id), answers: { 'elicitation/create': answer } })
    results.push(client.callTool('who').then(textOf, ({ message }: Error) => message))
    await vi.waitFor(() => expect(answering).toHaveLength(results.length))
  }
  for (const answer of answering) answer({ action: 'decline' })
  const said = await Promise.all(results)
  expect(said.map((text) => text === 'decline')).toEqual([true, false, false, true])
  expect(said[1]).toContain('no longer open')
})

it('what a client has subscribed to is asked for again where its connection was given to somebody else', async () => {
  const behind = defineServer({
    name: 'behind',
    version: '1',
    tools: [go],
    resources: [{ uri: 'a://b', name: 'b', subscribable: true, read: () => 'b' }],
  })
  const url = await listen(createNodeHandler(behind))
  const modules = [upstream('behind', { url, revision: '2025-11-25' })]
  const gateway = defineServer({
    name: 'gateway',
    version: '1',
    modules,
    budgets: { maxUpstreamConnections: 2 },
  })
  ending.push(() => gateway.close())
  await gateway.start()
  await lookedAt(gateway)
  const alices = await Promise.all(
    [1, 2].map(() => createTestClient(gateway, { ...as('alice'), revision: '2025-11-25' })),
  )
  for (const alice of alices) await alice.request('resources/subscribe', { uri: 'a://b' })
  const bob = await createTestClient(gateway, as('bob'))
  expect(textOf(await bob.callTool('go'))).toBe('gone')
  bob.close()
  const heard = () => alices.map(({ notices }) => notices.length)
  await vi.waitFor(() => {
    behind.updated('a://b')
    expect(Math.min(...heard())).toBeGreaterThan(2)
  }, 30_000)
})

it.each([false, true])(
  'what is of no use any more and still runs a call takes a place (shared: %s)',
  async (shared) => {
    const answers = `
    const refused = { code: -32022, message: 'no', data: { supported: ['2024-11-05'] } }
    const info = { protocolVersion: '2025-11-25', serverInfo: { name: 's', version: '1' }, capabilities: { tools: {} } }
    const tools = ['go', 'stay'].map((name) => ({ name, inputSchema: { type: 'object' } }))
    require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
      const { id, method, params } = JSON.parse(line)
      if (id === undefined || params?.name === 'stay') return
      const result = { initialize: info, 'tools/list': { tools } }[method]
      console.log(JSON.stringify({ jsonrpc: '2.0', id, result, error: result ? undefined : refused }))
    })`
    const modules = [upstream('behind', { ...script(answers), shared })]
    const gateway = defineServer({
      name: 'gateway',
      version: '1',
      modules,
      budgets: { maxUpstreamConnections: 2 },
    })
    ending.push(() => gateway.close())
    const client = await clientOf(gateway)
    for (let rounds = 0; rounds < 4; rounds++) {
      client.callTool('stay').catch(() => {}) // It is never answered.
      await client.callTool('go').catch(() => {})
      expect(gateway.usage.read('maxUpstreamConnections')).toBeLessThanOrEqual(2)
    }
    expect(gateway.usage.read('maxUpstreamConnections')).toBe(2)
  },
)
