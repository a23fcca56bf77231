import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { VERSION } from '../../src/kernel/index.ts'
import { KEY, killAll, Moonphase } from '../moon/moonphase.ts'

let server: Moonphase
beforeEach(() => {
  server = new Moonphase({ MOONPHASE_API_KEY: KEY })
})
afterEach(killAll)

const INITIALIZE = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: {
    protocolVersion: '2024-11-05',
    capabilities: { roots: { listChanged: true }, sampling: {}, elicitation: {} },
    clientInfo: { name: 'ExampleClient', title: 'Example Client Display Name', version: '1.0.0' },
  },
}

describe('the lifecycle as printed', () => {
  it('answers initialize with the version asked for, capabilities and its name, and takes the notification', async () => {
    const opened = await server.send(INITIALIZE)
    expect(opened.message).toEqual({
      jsonrpc: '2.0',
      id: 1,
      result: {
        protocolVersion: '2024-11-05',
        capabilities: {
          extensions: { 'io.modelcontextprotocol/ui': {} },
          logging: {},
          resources: { subscribe: false, listChanged: true },
          tools: { listChanged: true },
        },
        serverInfo: { name: 'moonphase', version: VERSION },
      },
    })
    const session = { 'x-api-token': KEY, 'mcp-session-id': opened.headers.get('mcp-session-id') ?? '' }
    const initialized = await server.send({ jsonrpc: '2.0', method: 'notifications/initialized' }, session)
    expect([initialized.status, initialized.message]).toEqual([202, {}])
    const operating = { ...session, 'mcp-protocol-version': '2024-11-05' }
    expect((await server.post({ method: 'tools/list' }, operating)).message.result.tools).toHaveLength(1)
  })

  it('tells a client of the printed revision its title', async () => {
    const params = { ...INITIALIZE.params, protocolVersion: '2025-06-18' }
    const { message } = await server.send({ ...INITIALIZE, params })
    expect(message.result).toMatchObject({
      protocolVersion: '2025-06-18',
      serverInfo: { name: 'moonphase', title: 'Moon phase', version: VERSION },
    })
  })

  it('answers an unknown revision with another that it supports', async () => {
    const params = { ...INITIALIZE.params, protocolVersion: '2099-01-01' }
    const { message } = await server.send({ ...INITIALIZE, params })
    expect(message.result.protocolVersion).toBe('2025-11-25')
  })

  it('answers a version that is none with the printed error', async () => {
    const params = { ...INITIALIZE.params, protocolVersion: '1.0.0' }
    const { message } = await server.send({ ...INITIALIZE, params })
    expect(message).toEqual({
      jsonrpc: '2.0',
      id: 1,
      error: {
        code: -32602,
        message: 'Unsupported protocol version',
        data: {
          supported: ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25'],
          requested: '1.0.0',
        },
      },
    })
  })
})

describe('the tools as printed', () => {
  it('lists them', async () => {
    const { message } = await server.send({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} })
    expect(message).toEqual({
      jsonrpc: '2.0',
      id: 1,
      result: {
        tools: [
          expect.objectContaining({
            name: 'moonphase',
            title: 'Phase of the Moon',
            description: expect.any(String),
            inputSchema: {
              type: 'object',
              properties: { datetime: { type: ['string', 'null'], description: expect.any(String) } },
              additionalProperties: false,
            },
          }),
        ],
      },
    })
  })

  it('refuses the cursor of no list', async () => {
    const params = { cursor: 'optional-cursor-value' }
    const { message } = await server.send({ jsonrpc: '2.0', id: 1, method: 'tools/list', params })
    expect(message).toMatchObject({
      id: 1,
      error: { code: -32602, message: expect.stringContaining('cursor') },
    })
  })

  it('calls one, whose answer has the age and the illumination as a whole number', async () => {
    const { message } = await server.send({
      jsonrpc: '2.0',
      id: 2,
      method: 'tools/call',
      params: { name: 'moonphase', arguments: { datetime: '2026-11-24T14:54:00Z' } },
    })
    const { age, illumination } = message.result.structuredContent
    expect(message).toMatchObject({
      jsonrpc: '2.0',
      id: 2,
      result: {
        content: [
          { type: 'text', text: expect.stringContaining(`${age} days old and ${illumination}% illuminated`) },
          { type: 'image' },
        ],
        isError: false,
      },
    })
    expect([Math.round(age), illumination]).toEqual([15, 100])
  })
})

describe('messages', () => {
  it.each([
    ['an id that is null', { jsonrpc: '2.0', id: null, method: 'tools/list' }, null],
    ['another version of JSON-RPC', { jsonrpc: '1.0', id: 1, method: 'tools/list' }, 1],
  ])('with %s are refused', async (_name, message, id) => {
    const refused = await server.send(message)
    expect(refused.status).toBe(400)
    expect(refused.message).toMatchObject({ error: { code: -32600, message: expect.any(String) } })
    expect(refused.message.id ?? null).toBe(id)
  })

  it.each(['1', 1, 'a-b'])('carry the id of their request: %j', async (id) => {
    const { message } = await server.send({ jsonrpc: '2.0', id, method: 'tools/list' })
    expect(message.id).toBe(id)
    expect('result' in message && !('error' in message)).toBe(true)
  })
})

describe('every request', () => {
  it('needs the key in X-Api-Token, and a 401 says so', async () => {
    const refused = await server.send({ jsonrpc: '2.0', id: 1, method: 'tools/list' }, {})
    expect(refused.status).toBe(401)
    expect(refused.message.error.message).toContain('X-Api-Token')
  })

  it('leaves a line in the log when its key is missing or wrong, without the key', async () => {
    const list = { jsonrpc: '2.0', id: 1, method: 'tools/list' }
    await server.send(list, {})
    await server.send(list, { 'x-api-token': 'hush' })
    server.signal('SIGTERM')
    await server.code()
    const lines = server.stderr
      .split('\n')
      .filter((line) => line.includes('"event":"turned-away","status":401,'))
    expect(lines).toHaveLength(2)
    expect(server.stderr).not.toContain('hush')
  })

  it('is answered with 404 on any other route', async () => {
    const url = (await server.url()).replace('/mcp', '/other')
    const response = await fetch(url, { method: 'POST', headers: { 'x-api-token': KEY }, body: '{}' })
    expect(response.status).toBe(404)
    expect(await response.text()).toContain('/mcp')
  })
})
