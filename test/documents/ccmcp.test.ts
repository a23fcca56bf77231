import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, it, onTestFinished } from 'vitest'
import { VERSION } from '../../src/kernel/index.ts'
import { McpClient } from '../setup/mcp-client.ts'
import { LineProcess } from '../setup/process.ts'
import { call, said } from './printf.ts'
import { Shell } from './shell.ts'

/**
 * The commands and messages that ccmcp's document prints, run by a shell and compared line by line. Its placeholders
 * are filled in, and where it contradicts itself docs/decisions/0016-documents.md says what was chosen.
 */
const CCMCP = join(import.meta.dirname, '..', '..', 'dist', 'cli', 'bin', 'ccmcp.js')

const shell = new Shell('ccmcp')
afterAll(() => shell.remove())

const INITIALIZE =
  '{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-03-26","capabilities":{},"clientInfo":{"name":"test","version":"1.0"}}}'
const INITIALIZED = '{"jsonrpc":"2.0","method":"notifications/initialized"}'

/** `...init...` and the like, in the shell's own quotes. */
const fill = (printed: string) =>
  printed.replace(/\.\.\.init(ialize)?\.\.\./, INITIALIZE).replace('...initialized...', INITIALIZED)

const logged = (level: string, data: unknown) => ({
  jsonrpc: '2.0',
  method: 'notifications/message',
  params: { level, logger: 'ccmcp', data },
})
const GREETING = logged('info', 'Server initialized')
const LIST_CHANGED = { jsonrpc: '2.0', method: 'notifications/tools/list_changed' }
const OPENED = {
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
    serverInfo: { name: 'ccmcp', version: VERSION },
  },
}
const named = (name: string) => expect.objectContaining({ name })
const TOOLS = expect.objectContaining({
  id: 2,
  result: { tools: expect.arrayContaining(['hello', 'add', 'echo'].map(named)) },
})

describe.concurrent('the messages of the background', () => {
  it('the lifecycle, from the handshake to a prompt, as printed', async () => {
    const { lines, code } = await shell.run(String.raw`printf '%s\n' \
'{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-03-26","capabilities":{"roots":{"listChanged":true}},"clientInfo":{"name":"TestClient","version":"1.0.0"}}}' \
'{"jsonrpc":"2.0","method":"notifications/initialized"}' \
'{"jsonrpc":"2.0","id":2,"method":"tools/list"}' \
'{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"hello","arguments":{"name":"World"}}}' \
'{"jsonrpc":"2.0","id":4,"method":"resources/list"}' \
'{"jsonrpc":"2.0","id":5,"method":"resources/read","params":{"uri":"file:///config.json"}}' \
'{"jsonrpc":"2.0","id":6,"method":"prompts/list"}' \
'{"jsonrpc":"2.0","id":7,"method":"prompts/get","params":{"name":"code_review","arguments":{"code":"fn main() {}"}}}' \
'{"jsonrpc":"2.0","id":1,"method":"no/such"}' | ./ccmcp 2>/dev/null`)
    expect(lines).toEqual([
      OPENED,
      TOOLS,
      GREETING,
      logged('debug', 'Calling tool: hello'),
      said(3, 'Hello, World!'),
      {
        jsonrpc: '2.0',
        id: 4,
        result: {
          resources: ['config://server', 'stats://usage', 'help://commands'].map((uri) => ({
            uri,
            name: expect.any(String),
            description: expect.any(String),
            mimeType: expect.any(String),
          })),
        },
      },
      // The resource of the example is none of the three that are asked for later.
      logged('error', expect.stringContaining('file:///config.json')),
      { jsonrpc: '2.0', id: 5, error: expect.objectContaining({ code: -32002 }) },
      {
        jsonrpc: '2.0',
        id: 6,
        result: {
          prompts: [
            named('greet'),
            named('summarize'),
            {
              name: 'code_review',
              description: 'Review code quality',
              arguments: [{ name: 'code', description: 'Code to review', required: true }, named('language')],
            },
          ],
        },
      },
      {
        jsonrpc: '2.0',
        id: 7,
        result: {
          description: 'Code review prompt',
          messages: [
            { role: 'user', content: { type: 'text', text: 'Please review this code:\nfn main() {}' } },
          ],
        },
      },
      logged('error', expect.stringContaining('Method not found')),
      {
        jsonrpc: '2.0',
        id: 1,
        error: { code: -32601, message: expect.stringContaining('Method not found') },
      },
    ])
    expect(code).toBe(0)
  })

  it('lists the tool of the example as it is printed, with hints beside it', async () => {
    const { lines } = await shell.run(
      `printf '%s\\n' '${INITIALIZE}' '${INITIALIZED}' '{"jsonrpc":"2.0","id":2,"method":"tools/list"}' | ./ccmcp 2>/dev/null`,
    )
    const hello = {
      name: 'hello',
      description: 'Say hello to someone',
      inputSchema: {
        type: 'object',
        properties: { name: { type: 'string', description: 'Name to greet' } },
        required: ['name'],
      },
    }
    const annotations = { readOnlyHint: true, openWorldHint: false }
    expect(lines[1]).toMatchObject({ result: { tools: expect.arrayContaining([{ ...hello, annotations }]) } })
  })

  it('initialize, list, call, close: the command under Testing', async () => {
    const { lines, code } = await shell.run(
      String.raw`printf '{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-03-26","capabilities":{},"clientInfo":{"name":"test","version":"1.0"}}}\n{"jsonrpc":"2.0","method":"notifications/initialized"}\n{"jsonrpc":"2.0","id":2,"method":"tools/list"}\n{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"hello","arguments":{"name":"World"}}}\n' | ./ccmcp`,
    )
    expect(lines).toEqual([
      OPENED,
      TOOLS,
      GREETING,
      logged('debug', 'Calling tool: hello'),
      said(3, 'Hello, World!'),
    ])
    expect(code).toBe(0)
  })
})

describe.concurrent('Q1: newline-delimited JSON', () => {
  it('says nothing and ends well when nothing is said', async () => {
    expect(await shell.run(`printf '' | ./ccmcp 2>/dev/null`)).toEqual({ lines: [], stderr: '', code: 0 })
  })

  it('passes over blank lines, carriage returns and a missing last newline', async () => {
    const { lines } = await shell.run(
      `printf '\\n\\r\\n   \\n${INITIALIZE}\\r\\n\\n${INITIALIZED}\\n{"jsonrpc":"2.0","id":2,"method":"ping"}' | ./ccmcp 2>/dev/null`,
    )
    expect(lines).toEqual([OPENED, { jsonrpc: '2.0', id: 2, result: {} }, GREETING])
  })

  it('gives a message back as it came, newlines and all, on one line', async () => {
    const message = 'one\ntwo \u2028 "three"'
    const { lines } = await shell.run(
      `cat <<'END' | ./ccmcp 2>/dev/null\n${INITIALIZE}\n${INITIALIZED}\n${call(2, 'echo', { message })}\nEND`,
    )
    expect(lines[2]).toEqual(said(2, message))
  })
})

it('Q2: ids that are no integers are preserved', async () => {
  const { lines } = await shell.run(
    `printf '%s\\n' '${INITIALIZE}' '{"jsonrpc":"2.0","id":"abc","method":"ping"}' '{"jsonrpc":"2.0","method":"notifications/unknown"}' | ./ccmcp 2>/dev/null`,
  )
  expect(lines).toEqual([OPENED, { jsonrpc: '2.0', id: 'abc', result: {} }])
})

describe.concurrent('Q3: the handshake', () => {
  it('outputs one line', async () => {
    const { lines, code } = await shell.run(
      String.raw`printf '{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-03-26","capabilities":{},"clientInfo":{"name":"test","version":"1.0"}}}\n' | ./ccmcp 2>/dev/null`,
    )
    expect(lines).toEqual([OPENED])
    expect(code).toBe(0)
  })

  it('refuses requests before it and a second one after it, and another version', async () => {
    const { lines } = await shell.run(
      `printf '%s\\n' '{"jsonrpc":"2.0","id":0,"method":"tools/list"}' '${INITIALIZE.replace('2025-03-26', '1.0')}' '${INITIALIZE}' '${INITIALIZED}' '${INITIALIZE}' | ./ccmcp 2>/dev/null`,
    )
    expect(lines).toEqual([
      { jsonrpc: '2.0', id: 0, error: expect.objectContaining({ code: -32002 }) },
      { jsonrpc: '2.0', id: 1, error: expect.objectContaining({ code: -32602 }) },
      OPENED,
      { jsonrpc: '2.0', id: 1, error: expect.objectContaining({ code: -32600 }) },
      GREETING,
      logged('error', expect.stringContaining('already initialized')),
    ])
  })
})

it('Q4: the second output line has the tools', async () => {
  const { lines } = await shell.run(
    String.raw`printf '{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-03-26","capabilities":{},"clientInfo":{"name":"test","version":"1.0"}}}\n{"jsonrpc":"2.0","method":"notifications/initialized"}\n{"jsonrpc":"2.0","id":2,"method":"tools/list"}\n' | ./ccmcp 2>/dev/null`,
  )
  expect(lines).toEqual([OPENED, TOOLS, GREETING])
})

it('Q5: the output includes the greeting', async () => {
  const { lines } = await shell.run(
    String.raw`printf '{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-03-26","capabilities":{},"clientInfo":{"name":"test","version":"1.0"}}}\n{"jsonrpc":"2.0","method":"notifications/initialized"}\n{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"hello","arguments":{"name":"World"}}}\n' | ./ccmcp 2>/dev/null`,
  )
  expect(lines).toEqual([OPENED, logged('debug', 'Calling tool: hello'), said(2, 'Hello, World!'), GREETING])
})

describe('Q6: files', () => {
  const file = '/tmp/mcp_test.txt'
  afterAll(() => rmSync(file, { force: true }))

  it('reads what was written, by the absolute path of the document below --root', async () => {
    const { lines } = await shell.run(
      fill(String.raw`echo "test content" > /tmp/mcp_test.txt
printf '...initialize...\n...initialized...\n{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"read_file","arguments":{"path":"/tmp/mcp_test.txt"}}}\n' | ./ccmcp --root /tmp 2>/dev/null`),
    )
    expect(lines).toEqual([
      OPENED,
      logged('debug', 'Calling tool: read_file'),
      said(2, 'test content\n'),
      GREETING,
    ])
  })

  it('says where the root is and what sets it to whoever is outside of it', async () => {
    const printed = String.raw`printf '...initialize...\n...initialized...\n{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"read_file","arguments":{"path":"/tmp/mcp_test.txt"}}}\n' | ./ccmcp 2>/dev/null`
    const { lines } = await shell.run(fill(printed))
    expect(lines[2]).toEqual(
      said(
        2,
        `/tmp/mcp_test.txt is outside the root ${shell.folder}; --root or CCMCP_ROOT chooses another`,
        true,
      ),
    )
  })

  it('takes its root from the variable, and rather from the flag', async () => {
    writeFileSync(file, 'test content\n')
    const read = `printf '%s\\n' '${INITIALIZE}' '${INITIALIZED}' '${call(2, 'read_file', { path: 'mcp_test.txt' })}'`
    for (const command of ['CCMCP_ROOT=/tmp ./ccmcp', 'CCMCP_ROOT=/usr ./ccmcp --root /tmp']) {
      const { lines } = await shell.run(`${read} | ${command} 2>/dev/null`)
      expect(lines[2]).toEqual(said(2, 'test content\n'))
    }
  })

  it('writes, reads back, lists and refuses to climb in one go, in the order of the calls', async () => {
    const calls = [
      call(2, 'write_file', { path: 'fresh.txt', content: 'one' }),
      call(3, 'read_file', { path: 'fresh.txt' }),
      call(4, 'write_file', { path: 'fresh.txt', content: 'three' }),
      call(5, 'hello', { name: 'World' }),
      call(6, 'read_file', { path: 'fresh.txt' }),
      call(7, 'list_directory', { path: '.' }),
      call(8, 'read_file', { path: '../etc/passwd' }),
      call(9, 'read_file', { path: 'nowhere.txt' }),
    ]
    const script = `mkdir -p own && printf '%s\\n' '${[INITIALIZE, INITIALIZED, ...calls].join("' '")}' | ./ccmcp --root own 2>/dev/null`
    const { lines } = await shell.run(script)
    expect(lines.filter((line) => typeof line['id'] === 'number')).toEqual([
      OPENED,
      said(2, 'Wrote 3 bytes to fresh.txt'),
      said(3, 'one'),
      said(4, 'Wrote 5 bytes to fresh.txt'),
      said(5, 'Hello, World!'),
      said(6, 'three'),
      said(7, 'F fresh.txt'),
      said(8, expect.stringContaining('".."'), true),
      said(9, expect.stringContaining('not found'), true),
    ])
  })
})

it('Q7: resources are listed, and the configuration is JSON', async () => {
  const { lines } = await shell.run(
    fill(
      String.raw`printf '...init...\n...initialized...\n{"jsonrpc":"2.0","id":2,"method":"resources/list"}\n{"jsonrpc":"2.0","id":3,"method":"resources/read","params":{"uri":"config://server"}}\n' | ./ccmcp 2>/dev/null`,
    ),
  )
  const resources = ['config://server', 'stats://usage', 'help://commands']
  expect(lines).toEqual([
    OPENED,
    {
      jsonrpc: '2.0',
      id: 2,
      result: { resources: resources.map((uri) => expect.objectContaining({ uri })) },
    },
    GREETING,
    {
      jsonrpc: '2.0',
      id: 3,
      result: {
        contents: [
          {
            uri: 'config://server',
            mimeType: 'application/json',
            text: JSON.stringify({ name: 'ccmcp', version: VERSION, tools: 8 }),
          },
        ],
      },
    },
  ])
})

it('Q8: a prompt has its argument filled in', async () => {
  const { lines } = await shell.run(
    fill(
      String.raw`printf '...init...\n...initialized...\n{"jsonrpc":"2.0","id":2,"method":"prompts/get","params":{"name":"greet","arguments":{"name":"Alice"}}}\n' | ./ccmcp 2>/dev/null`,
    ),
  )
  const content = { type: 'text', text: 'Please greet Alice warmly' }
  expect(lines).toEqual([
    OPENED,
    {
      jsonrpc: '2.0',
      id: 2,
      result: { description: expect.any(String), messages: [{ role: 'user', content }] },
    },
    GREETING,
  ])
})

it('Q9: after a handshake and a call there are log notices among the output, and lines on stderr', async () => {
  const { lines, stderr } = await shell.run(
    `printf '%s\\n' '${INITIALIZE}' '${INITIALIZED}' '${call(2, 'hello', {})}' | ./ccmcp`,
  )
  expect(lines).toEqual([
    OPENED,
    logged('debug', 'Calling tool: hello'),
    said(2, expect.stringContaining('name: expected a string'), true),
    GREETING,
    logged('error', expect.stringContaining('name: expected a string')),
  ])
  const noted = stderr
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  expect(noted).toContainEqual(expect.objectContaining({ level: 'info', message: 'Server initialized' }))
  expect(noted).toContainEqual(expect.objectContaining({ level: 'debug', message: 'Calling tool: hello' }))
})

describe.concurrent('Q10: tools at run time', () => {
  it('registers a tool and calls it', async () => {
    const { lines } = await shell.run(
      fill(
        String.raw`printf '...init...\n...initialized...\n{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"register_tool","arguments":{"name":"greet_formal","description":"Formal greeting","template":"Dear {name}, it is a pleasure to meet you."}}}\n{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"greet_formal","arguments":{"name":"Professor Smith"}}}\n' | ./ccmcp 2>/dev/null`,
      ),
    )
    expect(lines).toEqual([
      OPENED,
      logged('debug', 'Calling tool: register_tool'),
      said(2, 'Registered tool: greet_formal'),
      GREETING,
      LIST_CHANGED,
      logged('debug', 'Calling tool: greet_formal'),
      said(3, 'Dear Professor Smith, it is a pleasure to meet you.'),
    ])
  })

  it('tells of each change, after it', async () => {
    const calls = [
      call(2, 'hello', { name: 'World' }),
      call(3, 'register_tool', { name: 'a', description: 'd', template: 'x' }),
      call(4, 'unregister_tool', { name: 'a' }),
      call(5, 'unregister_tool', { name: 'hello' }),
    ]
    const script = `printf '%s\\n' '${[INITIALIZE, INITIALIZED, ...calls].join("' '")}' | ./ccmcp 2>/dev/null`
    const { lines } = await shell.run(script)
    const told = lines.filter(({ method }) => method !== 'notifications/message')
    expect(told.map(({ id, method }) => id ?? method)).toEqual([
      1,
      2,
      3,
      LIST_CHANGED.method,
      4,
      LIST_CHANGED.method,
      5,
    ])
  })
})

describe.concurrent('Q11: errors', () => {
  it('a parse error, then a method that is none', async () => {
    const { lines, code } = await shell.run(
      String.raw`printf 'not valid json\n{"jsonrpc":"2.0","id":1,"method":"unknown_method"}\n' | ./ccmcp 2>/dev/null`,
    )
    expect(lines).toEqual([
      { jsonrpc: '2.0', id: null, error: expect.objectContaining({ code: -32700 }) },
      { jsonrpc: '2.0', id: 1, error: expect.objectContaining({ code: -32601 }) },
    ])
    expect(code).toBe(0)
  })

  it('loses none of many messages that come at once', async () => {
    const ids = Array.from({ length: 2000 }, (_one, index) => index + 2)
    const messages = ids.map((id) => call(id, 'add', { a: id, b: 1 }))
    writeFileSync(join(shell.folder, 'many'), [INITIALIZE, INITIALIZED, ...messages, ''].join('\n'))
    const { lines, code } = await shell.run('./ccmcp <many 2>/dev/null')
    const replies = lines.filter(({ id }) => id !== undefined)
    expect(replies.map(({ id }) => id)).toEqual([1, ...ids])
    expect(replies.at(-1)).toEqual(said(2001, '2002'))
    expect(code).toBe(0)
  })

  it('refuses a line of more than a mebibyte and reads on', async () => {
    const padding = 'x'.repeat(1024 * 1024)
    const long = JSON.stringify({ jsonrpc: '2.0', id: 2, method: 'ping', params: { padding } })
    const messages = [INITIALIZE, long, '{"jsonrpc":"2.0","id":3,"method":"ping"}', '']
    writeFileSync(join(shell.folder, 'long'), messages.join('\n'))
    const { lines } = await shell.run('./ccmcp <long 2>/dev/null')
    expect(lines).toEqual([
      OPENED,
      logged('error', expect.stringContaining('1048576 bytes')),
      { jsonrpc: '2.0', id: 2, error: expect.objectContaining({ code: -32600 }) },
      { jsonrpc: '2.0', id: 3, result: {} },
    ])
  })
})

describe('Q12: the test client', () => {
  it('the code that is printed: one line is read after each request', async () => {
    const child = new LineProcess(CCMCP)
    onTestFinished(() => child.kill())
    const readLine = async () => (await child.lines.next()) ?? ''

    // 1. Initialize
    child.write(
      '{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-03-26","capabilities":{},"clientInfo":{"name":"test","version":"1.0"}}}\n',
    )
    expect(await readLine()).toContain('2025-03-26')
    // 2. Initialized
    child.write('{"jsonrpc":"2.0","method":"notifications/initialized"}\n')
    // 3. tools/list
    child.write('{"jsonrpc":"2.0","id":2,"method":"tools/list"}\n')
    expect(await readLine()).toContain('hello')

    expect(await child.end()).toBe(0)
  })

  it('all twelve steps', async () => {
    const client = new McpClient(CCMCP)
    onTestFinished(() => client.kill())
    // 1. and 2.
    const clientInfo = { name: 'test', version: '1.0' }
    const params = { protocolVersion: '2025-03-26', capabilities: {}, clientInfo }
    expect(await client.sendRequest('initialize', params)).toEqual(OPENED)
    client.sendNotification('notifications/initialized')
    // 3.
    expect(await client.sendRequest('tools/list')).toEqual(TOOLS)
    expect(await client.readNotification()).toEqual(GREETING)
    // 4.
    const hello = await client.sendRequest('tools/call', { name: 'hello', arguments: { name: 'MCP' } })
    expect(hello).toEqual(said(3, 'Hello, MCP!'))
    expect(await client.readNotification()).toEqual(logged('debug', 'Calling tool: hello'))
    // 5.
    const sum = await client.sendRequest('tools/call', { name: 'add', arguments: { a: 10, b: 32 } })
    expect(sum).toEqual(said(4, '42'))
    expect(await client.readNotification()).toEqual(logged('debug', 'Calling tool: add'))
    // 6.
    expect(await client.sendRequest('tools/call', { name: 'nonexistent', arguments: {} })).toEqual({
      jsonrpc: '2.0',
      id: 5,
      error: { code: -32602, message: 'Unknown tool: nonexistent' },
    })
    expect(await client.readNotification()).toEqual(logged('debug', 'Calling tool: nonexistent'))
    expect(await client.readNotification()).toMatchObject({ params: { level: 'error' } })
    // 7. and 8.
    expect(await client.sendRequest('resources/list')).toMatchObject({ result: { resources: { length: 3 } } })
    const { result } = await client.sendRequest('resources/read', { uri: 'config://server' })
    const [config] = (result as { contents: { text: string }[] }).contents
    expect(JSON.parse(config?.text ?? '')).toEqual({ name: 'ccmcp', version: VERSION, tools: 8 })
    // 9. and 10.
    expect(await client.sendRequest('prompts/list')).toMatchObject({
      result: { prompts: [{ name: 'greet' }, { name: 'summarize' }, { name: 'code_review' }] },
    })
    const greeting = await client.sendRequest('prompts/get', { name: 'greet', arguments: { name: 'Alice' } })
    expect(greeting).toMatchObject({
      result: { messages: [{ content: { text: 'Please greet Alice warmly' } }] },
    })
    // 11.
    expect(await client.sendText('not valid json')).toMatchObject({ error: { code: -32700 } })
    expect(await client.readNotification()).toMatchObject({ params: { level: 'error' } })
    // 12.
    expect(await client.closeStdin()).toBe(0)
    expect(client.unread()).toEqual([])
  })
})
