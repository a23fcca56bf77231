import type { ServerResponse } from 'node:http'
import { expect, it } from 'vitest'
import { DONE, FakeServer, json, OPENED, result } from '../client/hostile.ts'
import { clientOf, endAfterEach, ending, gatewayTo } from './gateway-of.ts'

endAfterEach()

const NEW = '2026-07-28'
const OLD = '2025-11-25'

type Fail = (response: ServerResponse, id: unknown) => unknown

const failing =
  (error: object, status = 200): Fail =>
  (response, id) =>
    json(response, { jsonrpc: '2.0', id, error: { message: 'Paid', ...error } }, status)
const plainly =
  (text: string, status = 400): Fail =>
  (response) =>
    response.writeHead(status, { 'content-type': 'text/plain' }).end(text)

interface Declared {
  readonly capabilities?: object
  /** As 2025-11-25 lists whether a tool runs as a task. */
  readonly execution?: object
  /** How it refuses whoever comes in another session. */
  readonly forget?: Fail
}

/** A server whose tool runs and fails then, and that answers everything else as it should. */
async function failingServer(revision: string, fail: Fail, declared: Declared = {}) {
  const { capabilities = {}, execution, forget = plainly('') } = declared
  const state = { ran: 0, session: 'one', opened: 0 }
  const server = await FakeServer.open(({ method: verb, message: { id, method }, headers }, response) => {
    if (verb !== 'POST' || id === undefined) return response.writeHead(verb === 'POST' ? 202 : 405).end()
    if (method === 'initialize') state.opened++
    const reply = (value: object, more = {}) =>
      json(response, result(id, { resultType: 'complete', ...value }), 200, more)
    if (method === (revision === NEW ? 'server/discover' : 'initialize'))
      return reply(
        { ...OPENED, supportedVersions: [NEW], capabilities: { tools: {}, ...capabilities } },
        revision === OLD ? { 'mcp-session-id': state.session } : {},
      )
    if (headers['mcp-session-id'] !== undefined && headers['mcp-session-id'] !== state.session)
      return forget(response, id)
    if (method === 'tools/list')
      return reply({
        tools: [{ name: 'go', inputSchema: { type: 'object' }, ...(execution && { execution }) }],
      })
    if (method === 'ping') return reply({})
    if (method !== 'tools/call') return failing({ code: -32601 })(response, id)
    state.ran++
    fail(response, id)
  })
  ending.push(() => server[Symbol.asyncDispose]())
  return Object.assign(state, { url: server.url })
}

it.each<[revision: string, how: string, fail: Fail]>([
  [NEW, 'names other revisions', failing({ code: -32022, data: { supported: ['2025-06-18'] } })],
  [OLD, 'names other revisions', failing({ code: -32022, data: { supported: ['2025-06-18'] } })],
  [OLD, 'speaks of sessions', failing({ code: -32000, message: 'Paid, the session is open' }, 400)],
  [OLD, 'says so plainly', plainly('Paid; browser session expired')],
  [OLD, 'says nothing', plainly('')],
  [OLD, 'says by 404 that it was asked wrongly', failing({ code: -32602 }, 404)],
  [OLD, 'says by 404 what there is not', failing({ code: -32002 }, 404)],
  [OLD, 'speaks of sessions by 404', failing({ code: -32602, message: 'No session of payment' }, 404)],
  [OLD, 'refuses by 404 as others do a session', failing({ code: -32001 }, 404)],
  [OLD, 'says by 404 what it is', plainly('Paid; there is no such customer', 404)],
  [OLD, 'says by 404 more than is read', plainly('Paid. '.repeat(20_000), 404)],
  [
    OLD,
    'has a result by 404',
    (response, id) => json(response, result(id, { content: [], isError: true }), 404),
  ],
  [OLD, 'knows no method, and has declared no tasks', failing({ code: -32601 })],
  [OLD, 'has a code of its own', failing({ code: -32020 })],
  [NEW, 'wants headers that it has not listed', failing({ code: -32020 }, 400)],
])('a tool is run once for one call that fails in %s where its server %s', async (revision, _how, fail) => {
  const server = await failingServer(revision, fail)
  const client = await clientOf(gatewayTo({ behind: { url: server.url } }))
  await client.callTool('go').catch(() => {})
  expect(server.ran).toBe(1)
})

const unknown = (id: unknown, code: number) => (response: ServerResponse) =>
  json(response, { jsonrpc: '2.0', id, error: { code, message: 'Session not found' } }, 404)

it.each<[how: string, forget: Fail]>([
  ['400 alone', plainly('')],
  ['404 alone', (response) => response.writeHead(404).end()],
  ['404 in text', plainly('session not found', 404)],
  ['404 as the SDK for TypeScript', unknown(null, -32001)],
  ['404 as the SDK for Python', unknown('server-error', -32600)],
  ['404 to each request', (response, id) => unknown(id, -32600)(response)],
])(
  'a server that has forgotten a session, and says so by %s, is called in the next one',
  async (_how, forget) => {
    const answer: Fail = (response, id) => json(response, result(id, { content: [] }))
    const server = await failingServer(OLD, answer, { forget })
    const client = await clientOf(gatewayTo({ behind: { url: server.url } }))
    await client.callTool('go')
    server.session = 'two'
    expect(await client.callTool('go')).toMatchObject({ content: [] })
    expect(server.ran).toBe(2)
  },
)

it.each<[how: string, fail: Fail, told: object]>([
  ['an error', failing({ code: -32602 }, 404), { message: 'Paid', code: -32602 }],
  ['a result', (response, id) => json(response, result(id, DONE), 404), DONE],
])(
  '%s that comes by 404 is told whoever called, and ends no session that others share',
  async (_how, fail, told) => {
    const server = await failingServer(OLD, fail)
    const client = await clientOf(gatewayTo({ behind: { url: server.url, shared: true } }))
    const { opened } = server
    expect(await client.callTool('go').catch((error: unknown) => error)).toMatchObject(told)
    expect([server.ran, server.opened]).toEqual([1, opened])
  },
)

it.each([
  ['forbidden', { taskSupport: 'forbidden' }],
  ['optional', { taskSupport: 'optional' }],
  ['required', { taskSupport: 'required' }],
  ['not said', undefined],
])(
  'a tool that fails as if there were no such method is run once, where tasks are %s',
  async (_how, execution) => {
    const capabilities = { tasks: { requests: { tools: { call: {} } } } }
    const server = await failingServer(OLD, failing({ code: -32601 }), {
      capabilities,
      ...(execution && { execution }),
    })
    const client = await clientOf(gatewayTo({ behind: { url: server.url } }), { revision: '2025-06-18' })
    await client.callTool('go').catch(() => {})
    expect(server.ran).toBe(1)
  },
)
