import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { VERSION } from '../../src/kernel/index.ts'
import { LineProcess } from '../setup/process.ts'
import { printf } from './printf.ts'

const COMMAND = join(import.meta.dirname, '..', '..', 'dist', 'cli', 'bin', 'primer.js')

const run = (messages: readonly (string | object)[]) => printf('primer', messages, ['--log-level', 'off'])

const OPENING = [
  '{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-03-26","capabilities":{},"clientInfo":{"name":"c","version":"1"}}}',
  '{"jsonrpc":"2.0","method":"notifications/initialized"}',
]

/** What it answers to messages that follow a handshake. */
const answers = async (...messages: readonly (string | object)[]) =>
  (await run([...OPENING, ...messages])).lines.slice(1)

const result = (expected: object, id = '1') => ({
  jsonrpc: '2.0',
  id,
  result: expect.objectContaining(expected),
})
const error = (code: number, message: string, data: unknown, id = '1') => ({
  jsonrpc: '2.0',
  id,
  error: { code, message, data },
})
const request = (method: string, params?: object) => ({ jsonrpc: '2.0', id: '1', method, params })

const SUM = {
  type: 'object',
  properties: { a: { type: 'number' }, b: { type: 'number' } },
  required: ['a', 'b'],
}

describe('the examples as printed', () => {
  it('initialize is answered by version and capabilities, and the notification by nothing', async () => {
    const { lines } = await run(OPENING)
    expect(lines).toEqual([
      {
        jsonrpc: '2.0',
        id: 0,
        result: {
          protocolVersion: '2025-03-26',
          capabilities: expect.objectContaining({
            tools: { listChanged: true },
            resources: { subscribe: true, listChanged: true },
            prompts: { subscribe: true, listChanged: true },
          }),
          serverInfo: { name: 'primer', version: VERSION },
        },
      },
    ])
  })

  it('tools/list', async () => {
    expect(await answers('{ "jsonrpc": "2.0", "id": "1", "method": "tools/list" }')).toEqual([
      result({
        tools: [
          {
            name: 'random_string',
            description: 'return a random string of characters',
            inputSchema: { type: 'object', properties: { length: { type: 'number' } }, required: ['length'] },
          },
          { name: 'calculate_sum', description: 'add two numbers', inputSchema: SUM },
        ],
      }),
    ])
  })

  it('tools/call, with its parameters in their place or beside the method', async () => {
    const parameters = { name: 'calculate_sum', arguments: { a: 5, b: 3 } }
    const content = [{ type: 'text', text: '8' }]
    expect(
      await answers(request('tools/call', parameters), { ...request('tools/call'), ...parameters }),
    ).toEqual([result({ content }), result({ content })])
  })

  it('tools/call of what is not there, and with arguments that do not fit', async () => {
    expect(
      await answers(
        request('tools/call', { name: 'unknownTool', arguments: {} }),
        request('tools/call', { name: 'calculate_sum', arguments: { a: 5, b: 'x' } }),
        request('tools/call', { name: 'calculate_sum' }),
      ),
    ).toEqual([
      error(-32601, 'Tool not found', { requestedTool: 'unknownTool' }),
      error(-32602, 'Invalid params', { expectedSchema: SUM, receivedParams: { a: 5, b: 'x' } }),
      error(-32602, 'Invalid params', { expectedSchema: SUM, receivedParams: {} }),
    ])
  })

  it('resources/list', async () => {
    expect(await answers('{ "jsonrpc": "2.0", "id": "1", "method": "resources/list" }')).toEqual([
      result({
        resources: [
          {
            uri: 'file:///logs/app.log',
            name: 'Application Logs',
            mimeType: 'text/plain',
            lastModified: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/),
          },
        ],
      }),
    ])
  })

  it('resources/read', async () => {
    const read = '{ "jsonrpc": "2.0", "id": "1", "method": "resources/read", "uri": "file:///logs/app.log" }'
    expect(await answers(read)).toEqual([
      result({
        contents: [
          {
            uri: 'file:///logs/app.log',
            mimeType: 'text/plain',
            text: expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d INFO Server started\n/),
            base64: null,
          },
        ],
      }),
    ])
  })

  it('prompts/list', async () => {
    expect(await answers('{ "jsonrpc": "2.0", "id": "1", "method": "prompts/list" }')).toEqual([
      result({
        prompts: [
          {
            name: 'git-commit',
            description: 'Generate Git commit messages',
            arguments: [{ name: 'changes', required: true }],
          },
        ],
      }),
    ])
  })

  it('prompts/get, under the name it asks for, with the template as it is', async () => {
    const get = '{ "jsonrpc": "2.0", "id": "1", "method": "prompts/get", "name": "commit" }'
    expect(await answers(get)).toEqual([
      result({
        messages: [
          {
            role: 'user',
            content: { type: 'text', text: 'Generate a commit message for:\n\n{{changes}}' },
          },
        ],
      }),
    ])
  })

  it('exit, after which nothing new is answered', async () => {
    const exit = '{ "jsonrpc": "2.0", "method": "exit", "params": {} }'
    const { lines, code } = await run([
      ...OPENING,
      request('tools/call', { name: 'calculate_sum', arguments: { a: 5, b: 3 } }),
      exit,
      request('tools/list'),
      'nonsense',
    ])
    expect(lines.slice(1)).toEqual([
      result({ content: [{ type: 'text', text: '8' }] }),
      { jsonrpc: '2.0', result: {} },
    ])
    expect(code).toBe(0)
  })

  it('errors: invalid parameters, an unknown method, and what is no JSON', async () => {
    const unknown = '{ "jsonrpc": "2.0", "id": "2", "method": "/tools/unknownTool" }'
    expect(await answers(request('prompts/get', { name: 123 }), unknown, '{ "jsonrpc": }')).toEqual([
      error(-32602, 'Invalid parameters', {
        expectedSchema: { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] },
        receivedParams: { name: 123 },
      }),
      error(-32601, 'Method not found', { requestedMethod: '/tools/unknownTool' }, '2'),
      {
        jsonrpc: '2.0',
        id: null,
        error: {
          code: -32700,
          message: 'Parse error',
          data: expect.objectContaining({ position: 13, detail: expect.any(String) }),
        },
      },
    ])
  })
})

describe('beyond the examples', () => {
  it('arguments of a prompt are validated where there are any', async () => {
    const get = (args?: object) => request('prompts/get', { name: 'git-commit', arguments: args })
    expect(await answers(get({ changes: 'a wheel' }), get({}), get({ changes: 5 }), get())).toEqual([
      result({
        messages: [
          { role: 'user', content: { type: 'text', text: 'Generate a commit message for:\n\na wheel' } },
        ],
      }),
      error(-32602, 'Invalid parameters', {
        expectedSchema: {
          type: 'object',
          properties: { changes: { type: 'string' } },
          required: ['changes'],
        },
        receivedParams: {},
      }),
      error(-32602, 'Invalid parameters', expect.objectContaining({ receivedParams: { changes: 5 } })),
      result({ messages: [expect.objectContaining({ role: 'user' })] }),
    ])
  })

  it('what is no URI is told from a resource that is not there', async () => {
    const read = (uri: string) => request('resources/read', { uri })
    expect(await answers(read('not a uri'), read('app.log'), read('file:///logs/none.log'))).toEqual([
      error(-32602, 'Invalid parameters', {
        expectedSchema: {
          type: 'object',
          properties: { uri: { type: 'string', format: 'uri' } },
          required: ['uri'],
        },
        receivedParams: { uri: 'not a uri' },
      }),
      error(-32602, 'Invalid parameters', expect.objectContaining({ receivedParams: { uri: 'app.log' } })),
      error(-32002, 'Resource not found: file:///logs/none.log', { uri: 'file:///logs/none.log' }),
    ])
  })

  it('a subscription to the log is told of before anybody has read it', async () => {
    const uri = 'file:///logs/app.log'
    const lines = await answers(request('resources/subscribe', { uri }), request('tools/list'))
    expect(lines).toContainEqual({
      jsonrpc: '2.0',
      method: 'notifications/resources/updated',
      params: { uri },
    })
  })

  it('prompts can be subscribed to and unsubscribed from, if they are there', async () => {
    expect(
      await answers(
        request('prompts/subscribe', { name: 'git-commit' }),
        request('prompts/unsubscribe', { name: 'git-commit' }),
        request('prompts/subscribe', { name: 'none' }),
      ),
    ).toEqual([result({}), result({}), error(-32602, 'Prompt not found', { requestedPrompt: 'none' })])
  })

  it('every error has data', async () => {
    const wrong = [
      { jsonrpc: '1.0', id: '1', method: 'ping' },
      { jsonrpc: '2.0', id: '1' },
      { jsonrpc: '2.0', id: '1', method: 'tools/list', params: 5 },
      request('tools/call'),
      request('tools/list', { cursor: 'x' }),
      request('resources/list', { type: 5 }),
      request('logging/setLevel', { level: 'loud' }),
      request('completion/complete', {}),
    ]
    const lines = (await answers(...wrong)) as { readonly error?: { readonly data?: unknown } }[]
    expect(lines).toHaveLength(wrong.length)
    const { lines: early } = await run([request('tools/list')])
    expect(early).toHaveLength(1)
    for (const line of [...lines, ...(early as typeof lines)])
      expect(line.error?.data, JSON.stringify(line)).toBeTypeOf('object')
  })

  it('the log keeps every line on a line, and no more of it than a line should hold', async () => {
    const forged = 'x\n2025-04-07 09:00:00 INFO Forged'
    const [, , read] = (await answers(
      request(forged),
      request('m'.repeat(10_000)),
      request('resources/read', { uri: 'file:///logs/app.log' }),
    )) as { readonly result?: { readonly contents: readonly { readonly text: string }[] } }[]
    const text = read?.result?.contents[0]?.text ?? ''
    expect(text).toContain('INFO Forged failed')
    for (const line of text.split('\n')) expect(line.length).toBeLessThan(600)
    expect(text).not.toMatch(/^2025-04-07/m)
  })
})

it('logs errors at the door as well: 400, 401 and 403', async () => {
  const primer = new LineProcess(COMMAND, { args: ['--http', '--port', '0', '--key', 'sesame'] })
  try {
    const url = /http\S+/.exec((await primer.lines.next()) ?? '')?.[0] ?? ''
    const post = async (body: string, headers: { readonly [name: string]: string }) => {
      const init = { method: 'POST', headers: { 'content-type': 'application/json', ...headers }, body }
      const response = await fetch(url, init)
      said = await response.json()
      return response.status
    }
    let said: unknown
    const key = { authorization: 'Bearer sesame' }
    expect(await post('nonsense', key)).toBe(400)
    expect(said).toMatchObject({ error: { code: -32700, message: 'Parse error', data: { position: 0 } } })
    expect(await post('{}', {})).toBe(401)
    expect(await post('{}', { ...key, origin: 'https://evil.example' })).toBe(403)
    for (const status of [400, 401, 403]) {
      await expect.poll(() => primer.stderr).toContain(`"event":"turned-away","status":${status},`)
    }
    expect(primer.stderr).not.toContain('sesame')
  } finally {
    await primer.kill()
  }
})
