import type { ServerResponse } from 'node:http'
import { describe, expect, it } from 'vitest'
import { defineServer } from '../../src/authoring/define-server.ts'
import type { Budgets, JsonObject, Server } from '../../src/kernel/index.ts'
import { upstream } from '../../src/modules/upstream/index.ts'
import type { UpstreamOptions } from '../../src/modules/upstream/options.ts'
import { child, events, FakeServer, type Heard, json, OPENED, result } from '../client/hostile.ts'
import { clientOf, endAfterEach, ending, noted, observe, textOf } from './gateway-of.ts'

endAfterEach()

const KiB = 1024
const TOOLS = { tools: [{ name: 'go', inputSchema: { type: 'object' } }] }
/** In the words of a call's answer, what is many objects in few letters, and what is long. */
const MANY = `{"content":[],"structuredContent":{"a":[${'{},'.repeat(100_000)}{}]}}`
const LONG = `{"content":[{"type":"text","text":"${'x'.repeat(300 * KiB)}"}]}`

function gatewayWithin(budgets: Partial<Budgets>, options: UpstreamOptions): Server {
  const modules = [upstream('behind', options)]
  const gateway = defineServer({ name: 'gateway', version: '1', modules, observe, budgets, reports: true })
  ending.push(() => gateway.close())
  return gateway
}

async function overHttp(answer: string, isStream: boolean): Promise<UpstreamOptions> {
  const server = await FakeServer.open(({ method, message }: Heard, response) => {
    const { id } = message
    if (method !== 'POST') return response.writeHead(405).end()
    if (id === undefined) return response.writeHead(202).end()
    const opened = { ...OPENED, capabilities: { tools: {} } }
    const known: { [method: string]: JsonObject } = { initialize: opened, 'tools/list': TOOLS }
    const said = known[String(message.method)]
    const text =
      message.method === 'tools/call'
        ? `{"jsonrpc":"2.0","id":${id},"result":${answer}}`
        : JSON.stringify(
            said ? result(id, said) : { jsonrpc: '2.0', id, error: { code: -32601, message: '?' } },
          )
    return isStream
      ? events(response).end(`data: ${text}\n\n`)
      : response.writeHead(200, { 'content-type': 'application/json' }).end(text)
  })
  ending.push(() => server[Symbol.asyncDispose]())
  return { url: server.url }
}

const onStdio = (answer: string): UpstreamOptions =>
  child(`
    if (method === 'tools/list') return reply(${JSON.stringify(TOOLS)})
    const answer = ${answer.startsWith('{"content":[]') ? `'{"content":[],"structuredContent":{"a":[' + '{},'.repeat(100_000) + '{}]}}'` : `'{"content":[{"type":"text","text":"' + 'x'.repeat(${300 * KiB}) + '"}]}'`}
    if (method === 'tools/call') say('{"jsonrpc":"2.0","id":' + id + ',"result":' + answer + '}\\n')`)

const WAYS: readonly [way: string, open: (answer: string) => UpstreamOptions | Promise<UpstreamOptions>][] = [
  ['a body', (answer) => overHttp(answer, false)],
  ['an event', (answer) => overHttp(answer, true)],
  ['a line', onStdio],
]

describe.each(WAYS)('of an upstream, %s', (_, open) => {
  it.each<[what: string, answer: string, budgets: Partial<Budgets>, why: string]>([
    [
      'that weighs too much once it is read',
      MANY,
      { maxUpstreamValueBytes: 1024 * KiB },
      '(--max-upstream-value)',
    ],
    ['that is too long', LONG, { maxUpstreamMessageBytes: 200 * KiB }, '(--max-upstream-message)'],
    [
      'for which there is no room',
      LONG,
      { maxUpstreamArrivingBytes: 100 * KiB },
      '(--max-upstream-arriving)',
    ],
  ])('%s fails its call, which says who, how much and by which flag', async (_, answer, budgets, why) => {
    const gateway = gatewayWithin(budgets, await open(answer))
    const client = await clientOf(gateway)
    const failed = await client.callTool('go')
    const [[, limit] = []] = Object.entries(budgets)
    expect(failed.isError).toBe(true)
    expect(textOf(failed)).toMatch(/^behind/)
    expect(textOf(failed)).toContain(String(limit))
    expect(textOf(failed)).toContain(why)
    await expect.poll(() => gateway.usage.read('maxUpstreamArrivingBytes')).toBe(0)
  })

  it('passes where there is room, and takes none after that', async () => {
    const gateway = gatewayWithin({ maxUpstreamArrivingBytes: 400 * KiB }, await open(LONG))
    const client = await clientOf(gateway)
    const texts = [textOf(await client.callTool('go')), textOf(await client.callTool('go'))]
    expect(texts.map(({ length }) => length)).toEqual([300 * KiB, 300 * KiB])
    expect(gateway.usage.read('maxUpstreamArrivingBytes')).toBe(0)
  })
})

describe('what an upstream answers instead of a result', () => {
  const failing = ({ method, message }: Heard, response: ServerResponse) => {
    const { id, params } = message
    if (method !== 'POST') return response.writeHead(405).end()
    if (id === undefined) return response.writeHead(202).end()
    const known: { [method: string]: JsonObject } = {
      initialize: OPENED,
      'tools/list': TOOLS,
      'resources/list': { resources: [{ name: 'a', uri: 'file:///a' }] },
      'resources/templates/list': { resourceTemplates: [] },
    }
    const said = known[String(message.method)]
    if (said !== undefined) return json(response, result(id, said))
    const { uri } = params as JsonObject
    const long = String(uri || 'a\n').repeat(1_000_000)
    return json(response, { jsonrpc: '2.0', id, error: { code: -32050, message: long, data: long } })
  }

  it.each<JsonObject>([
    { method: 'tools/call', name: 'go' },
    { method: 'resources/read', uri: 'a' },
    { method: 'resources/read', uri: '' },
    { method: 'resources/read', uri: 'a?b' },
  ])('is told by its beginning: %j', async ({ method, ...params }) => {
    const server = await FakeServer.open(failing)
    ending.push(() => server[Symbol.asyncDispose]())
    const gateway = gatewayWithin({}, { url: server.url })
    const client = await clientOf(gateway)
    const error = await client.request(String(method), params).catch((thrown) => thrown)
    expect(error).toMatchObject({ code: -32050 })
    expect([error.message.length, error.data.length]).toEqual([8193, 8193])
  })
})

it('an upstream says no more messages at once than a batch may hold, and goes on', async () => {
  const batching = child(`
    if (method === 'tools/list') return reply(${JSON.stringify(TOOLS)})
    if (method !== 'tools/call') return
    say(Array(50).fill({ jsonrpc: '2.0', method: 'notifications/message', params: {} }))
    reply({ content: [{ type: 'text', text: 'done' }] })`)
  const gateway = gatewayWithin({ maxBatchMessages: 40 }, batching)
  const client = await clientOf(gateway)
  expect(textOf(await client.callTool('go'))).toBe('done')
  const why = 'A batch may hold 40 messages, this one has 50 (--max-batch-messages)'
  await expect.poll(() => noted).toContainEqual(expect.stringContaining(why))
})
