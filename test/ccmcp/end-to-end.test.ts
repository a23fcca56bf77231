import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { McpClient } from '../setup/mcp-client.ts'

const CCMCP = join(import.meta.dirname, '..', '..', 'dist', 'cli', 'bin', 'ccmcp.js')

let client: McpClient

beforeEach(() => {
  client = new McpClient(CCMCP)
})

afterEach(() => client.kill())

it('a whole session, from the handshake to the end of input', async () => {
  // 1. initialize
  const initialized = await client.sendRequest('initialize', {
    protocolVersion: '2025-03-26',
    capabilities: {},
    clientInfo: { name: 'test', version: '1.0' },
  })
  expect(initialized).toEqual({
    jsonrpc: '2.0',
    id: 1,
    result: {
      protocolVersion: '2025-03-26',
      capabilities: {
        tools: { listChanged: true },
        resources: { subscribe: false, listChanged: true },
        prompts: { listChanged: true },
        logging: {},
      },
      serverInfo: { name: 'ccmcp', version: '0.1.0' },
    },
  })

  // 2. notifications/initialized
  client.sendNotification('notifications/initialized')

  // 3. tools/list
  const listed = await client.sendRequest('tools/list')
  expect(listed).toMatchObject({
    id: 2,
    result: {
      tools: expect.arrayContaining(
        ['hello', 'add', 'echo'].map((name) => expect.objectContaining({ name })),
      ),
    },
  })

  expect(await client.readNotification()).toEqual(logged('info', 'Server initialized'))

  // 4. hello
  const hello = await client.sendRequest('tools/call', { name: 'hello', arguments: { name: 'MCP' } })
  expect(hello['result']).toEqual({ content: [{ type: 'text', text: 'Hello, MCP!' }], isError: false })
  expect(await client.readNotification()).toEqual(logged('debug', 'Calling tool: hello'))

  // 5. add
  const sum = await client.sendRequest('tools/call', { name: 'add', arguments: { a: 10, b: 32 } })
  expect(sum['result']).toEqual({ content: [{ type: 'text', text: '42' }], isError: false })
  expect(await client.readNotification()).toEqual(logged('debug', 'Calling tool: add'))

  // 6. an unknown tool
  const unknown = await client.sendRequest('tools/call', { name: 'nonexistent', arguments: {} })
  expect(unknown).toEqual({
    jsonrpc: '2.0',
    id: 5,
    error: { code: -32602, message: 'Unknown tool: nonexistent' },
  })
  expect(await client.readNotification()).toEqual(logged('debug', 'Calling tool: nonexistent'))
  expect(await client.readNotification()).toMatchObject({ params: { level: 'error', logger: 'ccmcp' } })

  // 7. resources/list
  const resources = await client.sendRequest('resources/list')
  expect(resources['result']).toMatchObject({
    resources: ['config://server', 'stats://usage', 'help://commands'].map((uri) => ({
      uri,
      name: expect.any(String),
      description: expect.any(String),
      mimeType: expect.any(String),
    })),
  })

  // 8. resources/read
  const config = await client.sendRequest('resources/read', { uri: 'config://server' })
  expect(config['result']).toEqual({
    contents: [
      {
        uri: 'config://server',
        mimeType: 'application/json',
        text: JSON.stringify({ name: 'ccmcp', version: '0.1.0', tools: 8 }),
      },
    ],
  })

  // 9. prompts/list
  const prompts = await client.sendRequest('prompts/list')
  expect(prompts['result']).toMatchObject({
    prompts: [{ name: 'greet' }, { name: 'summarize' }, { name: 'code_review' }],
  })

  // 10. prompts/get
  const greeting = await client.sendRequest('prompts/get', { name: 'greet', arguments: { name: 'Alice' } })
  expect(greeting['result']).toMatchObject({
    messages: [{ role: 'user', content: { type: 'text', text: 'Please greet Alice warmly' } }],
  })

  // 11. what is no JSON
  expect(await client.sendText('not valid json')).toMatchObject({ error: { code: -32700 } })
  expect(await client.readNotification()).toMatchObject({ params: { level: 'error', logger: 'ccmcp' } })

  // 12. the end
  expect(await client.closeStdin()).toBe(0)
  expect(client.unread()).toEqual([])
  expect(logLines(client.stderr)).toContainEqual(['info', 'ccmcp', 'Server initialized'])
  expect(logLines(client.stderr)).toContainEqual(['debug', 'ccmcp', 'Calling tool: hello'])
})

function logged(level: string, data: string) {
  return { jsonrpc: '2.0', method: 'notifications/message', params: { level, logger: 'ccmcp', data } }
}

/** Everything on stderr is a line of JSON. */
function logLines(stderr: string) {
  return stderr
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
    .map(({ level, logger, message }) => [level, logger, message])
}
