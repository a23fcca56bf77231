import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { VERSION } from '../../src/kernel/index.ts'
import { printf } from './printf.ts'

const TROUBLE = join(import.meta.dirname, '..', 'transcripts', 'bb-mcp-server', 'module.mjs')

const run = (messages: readonly (string | object)[], args: readonly string[] = []) =>
  printf('bb-mcp-server', messages, ['--log-level', 'off', ...args])

const INITIALIZE = `{
  "jsonrpc": "2.0",
  "method": "initialize",
  "params": {
    "protocolVersion": "1.0",
    "clientInfo": {
      "name": "claude-code",
      "version": "1.0.0"
    }
  },
  "id": 1
}`.replaceAll('\n', ' ')

const LIST = '{ "jsonrpc": "2.0", "method": "tools/list", "params": {}, "id": 2 }'
const CALL =
  '{ "jsonrpc": "2.0", "method": "tools/call", "params": { "name": "hello", "arguments": { "name": "World" } }, "id": 3 }'

const request = (method: unknown, params?: unknown, id: unknown = 9) => ({
  jsonrpc: '2.0',
  method,
  params,
  id,
})
const failed = (id: unknown, code: number, message: string, data: unknown = expect.anything()) => ({
  jsonrpc: '2.0',
  error: { code, message, data },
  id,
})

it('answers a successful session as printed, line by line', async () => {
  const { lines, code } = await run([INITIALIZE, LIST, CALL])
  expect(lines).toEqual([
    {
      jsonrpc: '2.0',
      result: {
        protocolVersion: '1.0',
        serverInfo: { name: 'bb-mcp-server', version: VERSION },
        capabilities: { tools: true, dynamicToolRegistration: false },
      },
      id: 1,
    },
    {
      jsonrpc: '2.0',
      result: {
        tools: [
          {
            name: 'hello',
            description: 'Returns a greeting message',
            inputSchema: {
              type: 'object',
              properties: { name: { type: 'string', description: 'Name to greet' } },
              required: ['name'],
            },
          },
        ],
      },
      id: 2,
    },
    { jsonrpc: '2.0', result: { content: [{ type: 'text', text: 'Hello, World!' }] }, id: 3 },
  ])
  expect(code).toBe(0)
})

it('refuses to list before initialize, in the words printed', async () => {
  expect((await run([LIST])).lines).toEqual([failed(2, -32003, 'Server not initialized')])
})

it('refuses a tool that does not exist, in the words printed', async () => {
  const { lines } = await run([INITIALIZE, request('tools/call', { name: 'nonexistent', arguments: {} })])
  expect(lines.slice(1)).toEqual([
    failed(9, -32000, 'Tool not found', { detail: 'Unknown tool: nonexistent' }),
  ])
})

it('tells of a tool that throws as in the example, with a stack in debug mode alone', async () => {
  const call = request('tools/call', { name: 'fail', arguments: {} }, 3)
  const data = { tool: 'fail', error: 'NullPointerException: name cannot be null' }
  expect((await run([INITIALIZE, call], ['--module', TROUBLE])).lines.slice(1)).toEqual([
    failed(3, -32001, 'Tool execution failed', data),
  ])
  expect((await run([INITIALIZE, call], ['--module', TROUBLE, '--debug'])).lines.slice(1)).toEqual([
    failed(3, -32001, 'Tool execution failed', {
      ...data,
      stacktrace: expect.stringMatching(/^Error: NullPointerException.*\n {4}at /),
    }),
  ])
})

describe('the table of standard errors', () => {
  it.each([
    ['JSON that is none', '{"jsonrpc": "2.0", "method":', null, -32700, 'Parse error'],
    ['a wrong jsonrpc', { jsonrpc: '1.0', method: 'tools/list', id: 9 }, 9, -32600, 'Invalid Request'],
    ['a method that is no string', request(5), 9, -32600, 'Invalid Request'],
    ['no method', { jsonrpc: '2.0', id: 9 }, 9, -32600, 'Invalid Request'],
    ['no id', { jsonrpc: '2.0', method: 'tools/list' }, null, -32600, 'Invalid Request'],
    ['an id that is null', request('tools/list', {}, null), null, -32600, 'Invalid Request'],
    ['a batch', [request('tools/list')], null, -32600, 'Invalid Request'],
    ['a method that does not exist', request('no/such'), 9, -32601, 'Method not found'],
    ['a method of MCP that 1.0 does not have', request('prompts/list'), 9, -32601, 'Method not found'],
    ['params that are no object', request('tools/list', [1]), 9, -32602, 'Invalid params'],
    ['a call without a name', request('tools/call', { arguments: {} }), 9, -32602, 'Invalid params'],
    ['a call without arguments', request('tools/call', { name: 'hello' }), 9, -32602, 'Invalid params'],
    [
      'a call without arguments of a tool that needs none',
      request('tools/call', { name: 'fail' }),
      9,
      -32602,
      'Invalid params',
    ],
    [
      'arguments that are no object',
      request('tools/call', { name: 'hello', arguments: 5 }),
      9,
      -32602,
      'Invalid params',
    ],
    [
      'arguments that do not fit the schema',
      request('tools/call', { name: 'hello', arguments: { name: 5 } }),
      9,
      -32002,
      'Invalid tool params',
    ],
  ])('has exact words for %s, and the detail in data', async (_name, message, id, code, words) => {
    const { lines } = await run([INITIALIZE, message], ['--module', TROUBLE])
    expect(lines.slice(1)).toEqual([failed(id, code, words, { detail: expect.any(String) })])
  })

  it.each([
    ['JSON that is none', 'nonsense', null, -32700, 'Parse error'],
    ['no id', { jsonrpc: '2.0', method: 'tools/list' }, null, -32600, 'Invalid Request'],
    ['a method that does not exist', request('no/such'), 9, -32601, 'Method not found'],
    [
      'no protocolVersion',
      request('initialize', { clientInfo: { name: 'claude-code' } }),
      9,
      -32602,
      'Invalid params',
    ],
    ['no clientInfo', request('initialize', { protocolVersion: '1.0' }), 9, -32602, 'Invalid params'],
    [
      'a client without a name',
      request('initialize', { protocolVersion: '1.0', clientInfo: { version: '1' } }),
      9,
      -32602,
      'Invalid params',
    ],
    [
      'a version of the client that is no string',
      request('initialize', { protocolVersion: '1.0', clientInfo: { name: 'c', version: 7 } }),
      9,
      -32602,
      'Invalid params',
    ],
  ])('has the same words before initialize for %s', async (_name, message, id, code, words) => {
    expect((await run([message])).lines).toEqual([failed(id, code, words, { detail: expect.any(String) })])
  })

  it('names what is wrong in the detail', async () => {
    const wrong = request('initialize', { protocolVersion: '1.0', clientInfo: { name: 'c', version: 7 } })
    expect((await run([wrong])).lines).toEqual([
      failed(9, -32602, 'Invalid params', {
        detail: 'Invalid params: clientInfo.version: expected a string, got the number 7',
      }),
    ])
  })
})

it('needs no version of the client', async () => {
  const { lines } = await run([request('initialize', { protocolVersion: '1.0', clientInfo: { name: 'c' } })])
  expect(lines).toMatchObject([{ result: { protocolVersion: '1.0' } }])
})

it('calls tools one after the other, in one conversation', async () => {
  const calls = [1, 2, 3].map((id) =>
    request('tools/call', { name: 'hello', arguments: { name: `${id}` } }, id),
  )
  const { lines } = await run([INITIALIZE, ...calls])
  expect(lines.slice(1)).toEqual(
    [1, 2, 3].map((id) => ({
      jsonrpc: '2.0',
      result: { content: [{ type: 'text', text: `Hello, ${id}!` }] },
      id,
    })),
  )
})

describe('telemetry', () => {
  /** What it tells on stderr, without times. */
  const told = async (messages: readonly (string | object)[]) => {
    const { stderr } = await printf('bb-mcp-server', messages)
    const records = stderr.split('\n').filter((line) => line !== '')
    return records.map((line) => JSON.parse(line) as Told).filter(({ event }) => EVENTS.includes(event))
  }

  interface Told {
    readonly event: string
    readonly time: string
    readonly durationMs?: number
  }

  const EVENTS = ['received', 'invoked', 'completed']

  it('tells each request received and completed, and the tool invoked in between', async () => {
    const records = await told([INITIALIZE, LIST, CALL])
    expect(records).toMatchObject([
      { event: 'received', method: 'initialize', id: 1 },
      { event: 'completed', method: 'initialize', id: 1, outcome: 'ok' },
      { event: 'received', method: 'tools/list', id: 2 },
      { event: 'completed', method: 'tools/list', id: 2, outcome: 'ok' },
      { event: 'received', method: 'tools/call', id: 3 },
      { event: 'invoked', tool: 'hello', outcome: 'ok' },
      { event: 'completed', method: 'tools/call', id: 3, outcome: 'ok' },
    ])
    expect(records.every(({ time }) => !Number.isNaN(Date.parse(time)))).toBe(true)
    for (const { event, durationMs } of records)
      expect(typeof durationMs).toBe(event === 'received' ? 'undefined' : 'number')
    const [, invoked, completed] = records.slice(-3)
    expect(invoked?.durationMs).toBeLessThanOrEqual(completed?.durationMs ?? 0)
  })

  it('tells the same of requests that are refused, and no invocation of what does not exist', async () => {
    const call = request('tools/call', { name: 'nonexistent', arguments: {} })
    expect(await told([LIST, INITIALIZE, call])).toMatchObject([
      { event: 'received', method: 'tools/list', id: 2 },
      { event: 'completed', method: 'tools/list', id: 2, outcome: 'error', code: -32003 },
      { event: 'received', method: 'initialize' },
      { event: 'completed', method: 'initialize' },
      { event: 'received', method: 'tools/call', id: 9 },
      { event: 'completed', method: 'tools/call', id: 9, outcome: 'error', code: -32000 },
    ])
  })

  it('tells the same of requests whose id is missing or cannot be read, and why they are refused', async () => {
    const refused = { id: null, outcome: 'error', code: -32600 }
    const without = { jsonrpc: '2.0', method: 'tools/list' }
    expect(
      await told([without, { ...without, id: [] }, { ...without, id: null, jsonrpc: '1.0' }]),
    ).toMatchObject([
      { event: 'received', method: 'tools/list', id: null },
      { event: 'completed', method: 'tools/list', ...refused, message: 'Invalid request: id is missing' },
      { event: 'received', method: 'tools/list', id: null },
      { event: 'completed', ...refused, message: expect.stringContaining('id must be a string or a number') },
      { event: 'received', method: 'tools/list', id: null },
      { event: 'completed', ...refused, message: 'Invalid request: jsonrpc must be "2.0"' },
    ])
  })
})
