import { describe, expect, it, vi } from 'vitest'
import type { Server } from '../../src/kernel/index.ts'
import { child, FakeServer, json, OPENED, result, script } from '../client/hostile.ts'
import { clientOf, endAfterEach, ending, gatewayTo, noted } from './gateway-of.ts'

endAfterEach()

const KEY = 'THE-API-KEY-67890'
const PIN = '918273645'
const [USER, PASSWORD] = ['the-user', 'THE-PASSWORD']

/** What everybody is told who can be told something, after a call. */
async function toldOf(gateway: Server) {
  const client = await clientOf(gateway, { revision: '2026-07-28' })
  const called = await client.callTool('go').catch((error: unknown) => ({ error: String(error) }))
  const callers = JSON.stringify([called, await client.request('tools/list')])
  const operators = JSON.stringify([[...gateway.relaying.upstreams].map(({ state }) => state), noted])
  return { callers, operators }
}

/** Refuses a method, and repeats all that it was asked with. */
async function repeating(refused: string, status: number, isJson: boolean): Promise<string> {
  const server = await FakeServer.open(({ method, headers, message }, response) => {
    const { id } = message
    const encoded = ['', 'x', 'xx'].map((before) => btoa(before + JSON.stringify(headers)))
    const words = `request was: ${JSON.stringify(headers)}, ${encoded.join(', ')}`
    const data = { headers, encoded, [KEY]: Number(headers['x-pin']) }
    if (message.method === refused || (refused === 'initialize' && message.method === 'server/discover'))
      return isJson
        ? json(response, { jsonrpc: '2.0', id, error: { code: -32000, message: words, data } }, status)
        : response.writeHead(status).end(words)
    if (method !== 'POST') return response.writeHead(405).end()
    if (message.method === 'initialize')
      return json(response, result(id, { ...OPENED, capabilities: { tools: {} } }))
    if (message.method === 'tools/list')
      return json(response, result(id, { tools: [{ name: 'go', inputSchema: { type: 'object' } }] }))
    return id === undefined ? response.writeHead(202).end() : json(response, {}, 400)
  })
  ending.push(() => server[Symbol.asyncDispose]())
  return server.url.replace('//', `//${USER}:${PASSWORD}@`)
}

const SECRETS = new RegExp([KEY, PIN, PASSWORD, btoa(`${USER}:${PASSWORD}`)].join('|'))

/** Also what stands in base64, wherever that begins. */
function readIn(text: string): string {
  const decode = (from: number) => (word: string) => Buffer.from(word.slice(from), 'base64').toString()
  return [text, ...[0, 1, 2, 3].map((from) => text.replace(/[\w+/-]{16,}/g, decode(from)))].join()
}

describe.each(['initialize', 'tools/list', 'tools/call'])('an upstream that refuses %s', (method) => {
  const ways = [200, 401, 403, 500].flatMap((status) =>
    [true, false].map((isJson) => [status, isJson] as const),
  )
  it.each(ways)(
    'by %i, and repeats what it was told in confidence (JSON: %s), tells it nobody',
    async (status, isJson) => {
      const url = await repeating(method, status, isJson)
      const { callers, operators } = await toldOf(
        gatewayTo({ behind: { url, headers: { 'x-api-key': KEY, 'x-pin': PIN } } }),
      )
      expect(callers).toMatch(/behind|request was/) // An answer is passed on as the upstream words it.
      expect(readIn(callers)).not.toMatch(SECRETS)
      expect(readIn(operators)).not.toMatch(SECRETS)
    },
  )
})

describe('a command', () => {
  const env = { DB_URL: `postgres://${USER}:${PASSWORD}@db/x` }

  it('that ends is told of to callers by how, and to whoever runs the gateway by what it said', async () => {
    const dying = script(
      'console.error("fatal: no way to", process.env.DB_URL); setTimeout(() => process.exit(7), 50)',
    )
    const { callers, operators } = await toldOf(gatewayTo({ behind: { ...dying, env } }))
    expect(callers).toMatch(/behind cannot be reached \(The server ended \(.*: 7\)\), next try in \d+ s/)
    expect(callers).not.toContain('fatal')
    expect(operators).toContain('fatal: no way to postgres://[…]@db/x')
  })

  it('that says it in pieces is told of by whole lines', async () => {
    const halting = child(`
      if (method === 'tools/list') return reply({ tools: [{ name: 'go', inputSchema: { type: 'object' } }] })
      const secret = process.env.DB_URL
      if (method === 'tools/call') process.stderr.write('cannot reach ' + secret.slice(0, 18), () => setTimeout(() => {
        process.stderr.write(secret.slice(18) + ', try', () => setTimeout(() => {
          process.stderr.write(' again\\nand so on', () => reply({ content: [] }))
        }, 50))
      }, 50))`)
    const gateway = gatewayTo({ behind: { ...halting, env } })
    const client = await clientOf(gateway)
    await client.callTool('go')
    await gateway.close()
    await vi.waitFor(() =>
      expect(noted).toEqual(['behind: cannot reach postgres://[…]@db/x, try again', 'behind: and so on']),
    )
  })

  it('that ends under a call says so in the same way', async () => {
    const dying = child(`
      if (method === 'tools/list') return reply({ tools: [{ name: 'go', inputSchema: { type: 'object' } }] })
      if (method === 'tools/call') { console.error('fatal: no way to', process.env.DB_URL); setTimeout(() => process.exit(7), 50) }`)
    const { callers, operators } = await toldOf(gatewayTo({ behind: { ...dying, env } }))
    expect(callers).toMatch(/behind: The server ended \(.*: 7\)"/)
    expect(operators).toMatch(
      /The server ended \(.*: 7\)\. It said: fatal: no way to postgres:\/\/\[…\]@db\/x/,
    )
  })

  it('whose tool fails with what it was told in confidence does not tell it to the caller', async () => {
    const failing = child(`
      if (method === 'tools/list') return reply({ tools: [{ name: 'go', inputSchema: { type: 'object' } }] })
      if (method === 'tools/call') reply({ isError: true, content: [{ type: 'text', text: 'behind: ' + process.env.DB_URL }] })`)
    const { callers } = await toldOf(gatewayTo({ behind: { ...failing, env } }))
    expect(callers).toContain('behind: postgres://[…]@db/x')
  })

  it('whose tool fails so after it has asked does not tell it either', async () => {
    const asking = child(`
      if (method === 'tools/list') return reply({ tools: [{ name: 'go', inputSchema: { type: 'object' } }] })
      const asked = { message: 'Which?', requestedSchema: { type: 'object', properties: {} } }
      if (method === 'tools/call') {
        globalThis.called = id
        return say({ jsonrpc: '2.0', id: 'q', method: 'elicitation/create', params: asked })
      }
      const content = [{ type: 'text', text: 'behind: ' + process.env.DB_URL }]
      if (id === 'q') say({ jsonrpc: '2.0', id: globalThis.called, result: { isError: true, content } })`)
    const gateway = gatewayTo({ behind: { ...asking, env } })
    const answers = { 'elicitation/create': () => ({ action: 'accept', content: {} }) }
    const capabilities = { elicitation: { form: {} } }
    const client = await clientOf(gateway, { revision: '2026-07-28', capabilities, answers })
    expect(JSON.stringify(await client.callTool('go'))).toContain('behind: postgres://[…]@db/x')
  })

  it('whose task says how it stands says so without that', async () => {
    const failing = child(`
      const task = { taskId: 'one', status: 'working', ttl: 60000, pollInterval: 20, createdAt: new Date().toISOString(), lastUpdatedAt: new Date().toISOString() }
      const execution = { taskSupport: 'required' }
      if (method === 'tools/list') return reply({ tools: [{ name: 'go', inputSchema: { type: 'object' }, execution }] })
      if (method === 'tools/call') return reply({ task })
      if (method === 'tasks/get') reply({ ...task, statusMessage: 'cannot reach ' + process.env.DB_URL })`)
    const client = await clientOf(gatewayTo({ behind: { ...failing, env } }), { revision: '2025-11-25' })
    const { taskId = '' } = await client.tasks.start('go')
    await vi.waitFor(async () => {
      const { statusMessage } = await client.tasks.get(taskId)
      expect(statusMessage).toBe('cannot reach postgres://[…]@db/x')
    })
  })
})
