import type { ServerResponse } from 'node:http'
import { expect, it } from 'vitest'
import { FakeServer, json, OPENED, result } from '../client/hostile.ts'
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
  (text: string): Fail =>
  (response) =>
    response.writeHead(400, { 'content-type': 'text/plain' }).end(text)

interface Declared {
  readonly capabilities?: object
  /** As 2025-11-25 lists whether a tool runs as a task. */
  readonly execution?: object
}

/** A server whose tool runs and fails then, and that answers everything else as it should. */
async function failingServer(revision: string, fail: Fail, { capabilities = {}, execution }: Declared = {}) {
  const state = { ran: 0, session: 'one' }
  const server = await FakeServer.open(({ method: verb, message: { id, method }, headers }, response) => {
    if (verb !== 'POST' || id === undefined) return response.writeHead(verb === 'POST' ? 202 : 405).end()
    const reply = (value: object, more = {}) =>
      json(response, result(id, { resultType: 'complete', ...value }), 200, more)
    if (method === (revision === NEW ? 'server/discover' : 'initialize'))
      return reply(
        { ...OPENED, supportedVersions: [NEW], capabilities: { tools: {}, ...capabilities } },
        revision === OLD ? { 'mcp-session-id': state.session } : {},
      )
    if (headers['mcp-session-id'] !== undefined && headers['mcp-session-id'] !== state.session)
      return plainly('')(response, id)
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
  [OLD, 'knows no method, and has declared no tasks', failing({ code: -32601 })],
  [OLD, 'has a code of its own', failing({ code: -32020 })],
  [NEW, 'wants headers that it has not listed', failing({ code: -32020 }, 400)],
])('a tool is run once for one call that fails in %s where its server %s', async (revision, _how, fail) => {
  const server = await failingServer(revision, fail)
  const client = await clientOf(gatewayTo({ behind: { url: server.url } }))
  await client.callTool('go').catch(() => {})
  expect(server.ran).toBe(1)
})

it('a server that has forgotten a session, and says so by 400 alone, is called in the next one', async () => {
  const answer: Fail = (response, id) => json(response, result(id, { content: [] }))
  const server = await failingServer(OLD, answer)
  const client = await clientOf(gatewayTo({ behind: { url: server.url } }))
  await client.callTool('go')
  server.session = 'two'
  expect(await client.callTool('go')).toMatchObject({ content: [] })
  expect(server.ran).toBe(2)
})

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
