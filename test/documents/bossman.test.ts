import { join } from 'node:path'
import { afterAll, describe, expect, it, onTestFinished } from 'vitest'
import { isObject, VERSION } from '../../src/kernel/index.ts'
import { McpClient } from '../setup/mcp-client.ts'
import { SCRIPT } from '../task-list/bossman.ts'
import { openFile } from '../task-list/folder.ts'
import { call, said } from './printf.ts'
import { type Output, Shell } from './shell.ts'

/**
 * The messages that bossman's document prints, a line each, and what it says of their answers, compared as JSON and in
 * order. Where it contradicts itself docs/decisions/0016-documents.md says what was chosen.
 */
const shell = new Shell('bossman', ['--store', 'memory:'])
afterAll(() => shell.remove())

/** A message as it is printed, over several lines. */
const oneLine = (printed: string) => JSON.stringify(JSON.parse(printed))

const INITIALIZE = oneLine(`{
  "jsonrpc": "2.0",
  "id": 1,
  "method": "initialize",
  "params": {
    "protocolVersion": "2025-03-26",
    "capabilities": {},
    "clientInfo": {
      "name": "ExampleClient",
      "version": "1.0.0"
    }
  }
}`)

const INITIALIZED = oneLine(`{
  "jsonrpc": "2.0",
  "method": "notifications/initialized"
}`)

const LIST = oneLine(`{
  "jsonrpc": "2.0",
  "id": 2,
  "method": "tools/list"
}`)

const CREATE = oneLine(`{
  "jsonrpc": "2.0",
  "id": 3,
  "method": "tools/call",
  "params": {
    "name": "create_task",
    "arguments": {
      "description": "Fix parser bug"
    }
  }
}`)

const BATCH = oneLine(`[
  {"jsonrpc": "2.0", "id": 1, "method": "tools/list"},
  {"jsonrpc": "2.0", "id": 2, "method": "ping"}
]`)

const CANCELLED = oneLine(`{
  "jsonrpc": "2.0",
  "method": "notifications/cancelled",
  "params": {
    "requestId": "123",
    "reason": "User requested cancellation"
  }
}`)

const ping = (id: unknown) => JSON.stringify({ jsonrpc: '2.0', id, method: 'ping' })

const OPENED = {
  jsonrpc: '2.0',
  id: 1,
  result: {
    protocolVersion: '2025-03-26',
    capabilities: {
      tools: { listChanged: true },
      logging: {},
      resources: expect.anything(),
      prompts: expect.anything(),
      completions: {},
    },
    serverInfo: { name: 'bossman', version: VERSION },
    instructions: expect.any(String),
  },
}
const answered = (id: unknown, result: unknown) => ({ jsonrpc: '2.0', id, result })
const refused = (id: unknown, code: number, message: unknown = expect.any(String)) => ({
  jsonrpc: '2.0',
  id,
  error: { code, message },
})
const LISTED = expect.objectContaining({ id: 2, result: { tools: expect.any(Array) } })

const say = (...messages: readonly string[]): Promise<Output> =>
  shell.run(`printf '%s\\n' '${messages.join("' '")}' | ./bossman`)

it('initialize, initialized, tools/list, tools/call, EOF: as printed, and nothing on stderr', async () => {
  const { lines, stderr, code } = await say(INITIALIZE, INITIALIZED, LIST, CREATE)
  expect(lines).toEqual([OPENED, LISTED, said(3, expect.any(String), false)])
  expect(code).toBe(0)
  expect(stderr).toBe('')
  const { result } = lines[2] as { result: { content: { text: string }[] } }
  const text = result.content[0]?.text ?? ''
  expect(text).toMatch(/^\{"id":"task_[0-9a-z]+","description":"Fix parser bug","status":"pending"[,}]/)
  expect(JSON.parse(text)).toMatchObject({ description: 'Fix parser bug', status: 'pending' })
})

it('an execution error is a result, unknown tools and bad params are errors; each is one line on stderr', async () => {
  const { lines, stderr } = await say(
    INITIALIZE,
    INITIALIZED,
    call(3, 'get_task', { id: 'task_xyz' }),
    call(4, 'nonexistent_tool'),
    call(5, 'create_task', {}),
    '{"jsonrpc":"2.0","id":6,"method":"no/such"}',
    'no JSON',
  )
  const inOrder = lines.toSorted((one, other) => Number(one['id'] ?? 9) - Number(other['id'] ?? 9))
  expect(inOrder).toEqual([
    OPENED,
    said(3, 'error: task not found: task_xyz', true),
    refused(4, -32602, 'Unknown tool: nonexistent_tool'),
    refused(5, -32602),
    refused(6, -32601),
    refused(null, -32700),
  ])
  const noted = stderr.trim().split('\n')
  expect(noted.map((line) => JSON.parse(line)).filter(({ id }) => id === 3)).toHaveLength(1)
  expect(stderr).not.toMatch(/\bat .*:\d+:\d+|stack/)
})

describe.concurrent('the state machine', () => {
  it('CREATED: initialize and ping, alone and in a batch; everything else is refused', async () => {
    const { lines } = await say(LIST, CREATE, ping(4), `[${ping(5)}]`, BATCH, INITIALIZED, LIST, INITIALIZE)
    expect(lines).toEqual([
      refused(2, -32600),
      refused(3, -32600),
      answered(4, {}),
      [answered(5, {})],
      [refused(1, -32600), answered(2, {})],
      refused(2, -32600),
      OPENED,
    ])
  })

  it('INITIALIZING: ping alone; OPERATING: the tools, and no second initialize', async () => {
    const { lines } = await say(INITIALIZE, LIST, CREATE, ping(4), INITIALIZED, LIST, INITIALIZE, LIST)
    expect(lines).toEqual([
      OPENED,
      refused(2, -32600),
      refused(3, -32600),
      answered(4, {}),
      LISTED,
      refused(1, -32600),
      LISTED,
    ])
  })

  it('SHUTDOWN: the end of input, whatever state it finds', async () => {
    for (const messages of [[ping(1)], [INITIALIZE], [INITIALIZE, INITIALIZED, CREATE]]) {
      expect(await say(...messages)).toMatchObject({
        code: 0,
        lines: { length: messages.includes(CREATE) ? 2 : 1 },
      })
    }
  })
})

it('ids come back with the type that they had; null is none', async () => {
  const { lines } = await say(ping('123'), ping(123), ping(1.5), ping(''), ping(null))
  expect(lines).toEqual([
    answered('123', {}),
    answered(123, {}),
    answered(1.5, {}),
    answered('', {}),
    refused(null, -32600),
  ])
})

it('a batch is answered by an array, and what is cancelled too late or never was is passed over', async () => {
  const { lines } = await say(INITIALIZE, INITIALIZED, BATCH, CANCELLED, `[${CANCELLED}]`, ping(9))
  expect(lines).toEqual([
    OPENED,
    [answered(1, { tools: expect.any(Array) }), answered(2, {})],
    answered(9, {}),
  ])
})

it('a cancelled call gets no answer and does nothing, however long it had to wait', async () => {
  const path = join(shell.folder, 'locked.db')
  const client = new McpClient(SCRIPT, { args: ['--store', `sqlite:${path}`] })
  onTestFinished(() => client.kill())
  await client.sendRequest('initialize', JSON.parse(INITIALIZE).params)
  client.sendNotification('notifications/initialized')
  await client.sendRequest('tools/call', { name: 'list_tasks' })
  const holder = openFile(path)
  await holder.query('BEGIN IMMEDIATE')
  const cancelled = JSON.stringify({
    jsonrpc: '2.0',
    method: 'notifications/cancelled',
    params: { requestId: '123' },
  })
  await client.sendText([call('123', 'create_task', { description: 'never' }), ping('waits')].join('\n'))
  await client.sendText([cancelled, ping('cancelled')].join('\n'))
  await holder.query('COMMIT')
  expect(await client.closeStdin()).toBe(0)
  expect(client.unread()).toEqual([])
  expect(await holder.query('SELECT * FROM task_list')).toEqual([])
  await holder.close()
})

it('every schema is closed, says what it requires, and describes each of its properties', async () => {
  const { lines } = await say(INITIALIZE, INITIALIZED, LIST)
  const { tools } = (lines[1] as { result: { tools: { inputSchema: unknown }[] } }).result
  const objects = tools.flatMap(({ inputSchema }) => objectsIn(inputSchema))
  expect(objects.length).toBeGreaterThanOrEqual(tools.length)
  for (const schema of objects) {
    expect(schema).toMatchObject({ additionalProperties: false, required: expect.any(Array) })
    for (const property of Object.values(schema['properties'] as object))
      expect(property).toMatchObject({ description: expect.any(String) })
  }
  expect(tools[0]).toMatchObject({
    name: 'create_task',
    description: 'Create a new task',
    inputSchema: {
      type: 'object',
      properties: { description: { type: 'string', description: 'Task description' } },
      required: ['description'],
      additionalProperties: false,
    },
  })
})

/** The schemas of objects in a schema, itself among them. */
function objectsIn(schema: unknown): readonly { readonly [key: string]: unknown }[] {
  if (Array.isArray(schema)) return schema.flatMap(objectsIn)
  if (!isObject(schema)) return []
  const inside = Object.values(schema).flatMap(objectsIn)
  return schema['type'] === 'object' ? [schema, ...inside] : inside
}

it('takes messages of a mebibyte and none that are longer', async () => {
  const client = new McpClient(SCRIPT, { args: ['--store', 'memory:'] })
  onTestFinished(() => client.kill())
  const padded = (bytes: number) => ping(7).replace('{', `{${' '.repeat(bytes - ping(7).length)}`)
  expect(await client.sendText(padded(1024 * 1024))).toEqual(answered(7, {}))
  expect(await client.sendText(padded(1024 * 1024 + 1))).toMatchObject({ error: { code: -32600 } })
})
