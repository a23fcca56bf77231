import type { ServerResponse } from 'node:http'
import { expect, it } from 'vitest'
import type { JsonObject } from '../../src/kernel/index.ts'
import { DONE, events, FakeServer, handshakes, json, result } from '../client/hostile.ts'
import { clientOf, endAfterEach, ending, gatewayTo } from './gateway-of.ts'

endAfterEach()

const TOOL = { name: 'go', inputSchema: { type: 'object' } }
const LISTS = { tools: [TOOL], resources: [], resourceTemplates: [] }

/** A gateway with a server of 2025-11-25 behind it, but for how that answers a call, and what it hears instead of answers to itself. */
async function gatewayBy(call: (id: unknown, response: ServerResponse) => unknown) {
  const heard: JsonObject[] = []
  const server = await FakeServer.open((asked, response) => {
    const { message } = asked
    if (handshakes(asked, response)) return
    if (message.method === 'tools/call') return call(message.id, response)
    if (message.method !== undefined) return json(response, result(message.id, LISTS))
    heard.push(message)
    response.writeHead(202).end()
  })
  ending.push(() => server[Symbol.asyncDispose]())
  return { heard, gateway: gatewayTo({ behind: { url: server.url } }) }
}

it.each(['2025-11-25', '2026-07-28'])(
  'a request that nobody knows is refused, and the call of a client of %s goes on',
  async (revision) => {
    const say = (response: ServerResponse, message: JsonObject) =>
      response.write(`data: ${JSON.stringify({ jsonrpc: '2.0', ...message })}\n\n`)
    const { heard, gateway } = await gatewayBy(async (id, response) => {
      events(response)
      for (const method of ['vendor/hello', 'constructor']) say(response, { id: method, method })
      await expect.poll(() => heard.length).toBe(2)
      say(response, result(id, DONE))
      response.end()
    })
    const client = await clientOf(gateway, { revision })
    expect(await client.callTool('go')).toMatchObject(DONE)
    expect(heard).toMatchObject([
      { id: 'vendor/hello', error: { code: -32601 } },
      { id: 'constructor', error: { code: -32601 } },
    ])
  },
)

const behalf = {
  self: { info: { name: 'c', version: '1' }, capabilities: { roots: {} }, logLevel: undefined },
  onNotification: () => {},
  onQuestion: async () => ({}),
}

it('what is asked at once is asked in one round', async () => {
  const { heard, gateway } = await gatewayBy(async (id, response) => {
    const asked = [1, 2, 3].map((question) => ({ jsonrpc: '2.0', id: `q${question}`, method: 'roots/list' }))
    events(response).write(asked.map((one) => `data: ${JSON.stringify(one)}\n\n`).join(''))
    await expect.poll(() => heard.length).toBe(3)
    response.end(`data: ${JSON.stringify(result(id, DONE))}\n\n`)
  })
  const client = await clientOf(gateway)
  const asking = await client.exchange('tools/call', { name: 'go', arguments: {} }, behalf)
  const { inputRequests, requestState } = asking
  const keys = Object.keys(inputRequests as JsonObject)
  expect(keys).toHaveLength(3)
  const inputResponses = Object.fromEntries(keys.map((key) => [key, { roots: [] }]))
  const again = { name: 'go', arguments: {}, inputResponses, requestState }
  expect(await client.exchange('tools/call', again, behalf)).toMatchObject(DONE)
})

it.each<[what: string, asked: unknown, said: string]>([
  ['nothing', null, 'inputRequests.a: expected { method, params }, got null'],
  ['no method', {}, 'inputRequests.a: expected { method, params }, got'],
  [
    'odd parameters',
    { method: 'roots/list', params: 7 },
    'inputRequests.a: expected { method, params }, got',
  ],
])('who is asked %s is told who has asked it', async (_what, asked, said) => {
  const { gateway } = await gatewayBy((id, response) =>
    json(response, result(id, { resultType: 'input_required', inputRequests: { a: asked } })),
  )
  const client = await clientOf(gateway)
  const { isError, content } = await client.callTool('go')
  expect(isError).toBe(true)
  expect(JSON.stringify(content)).toContain('behind')
  expect(JSON.stringify(content)).toContain(said)
})

it('a question that no revision has needs nothing that a client could declare', async () => {
  const asked = { method: 'vendor/hello' }
  const { gateway } = await gatewayBy((id, response) =>
    json(response, result(id, { resultType: 'input_required', inputRequests: { a: asked } })),
  )
  const client = await clientOf(gateway)
  await expect(client.callTool('go')).rejects.toMatchObject({
    message: expect.stringContaining('to answer "vendor/hello", which MCP has no words for'),
    data: undefined,
  })
})
