import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'

const CCMCP = join(import.meta.dirname, '..', '..', 'dist', 'cli', 'bin', 'ccmcp.js')
const FOLDER = mkdtempSync(join(tmpdir(), 'perigee-ccmcp-'))
const FILE = join(FOLDER, 'mcp_test.txt')
writeFileSync(FILE, 'test content\n')

afterAll(() => rmSync(FOLDER, { recursive: true }))

const INITIALIZE =
  '{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-03-26","capabilities":{},"clientInfo":{"name":"test","version":"1.0"}}}'
const INITIALIZED = '{"jsonrpc":"2.0","method":"notifications/initialized"}'

interface Run {
  readonly code: number | null
  /** The lines of stdout, each of them JSON. */
  readonly messages: readonly { readonly id?: unknown; readonly [member: string]: unknown }[]
}

/** `printf … | ccmcp 2>/dev/null`; everything is on its way before the server reads the first byte. */
function pipe(
  input: string | Buffer,
  args: readonly string[] = [],
  env: NodeJS.ProcessEnv = {},
): Promise<Run> {
  return new Promise((resolve, reject) => {
    const options = { env: { ...process.env, ...env }, maxBuffer: 64 * 1024 * 1024, timeout: 20_000 }
    const child = execFile(process.execPath, [CCMCP, ...args], options, (error, stdout) => {
      if (error !== null && (error.killed === true || typeof error.code === 'string')) return reject(error)
      const lines = stdout.split('\n')
      expect(lines.pop()).toBe('')
      resolve({ code: child.exitCode, messages: lines.map((line) => JSON.parse(line)) })
    })
    child.stdin?.end(input)
  })
}

const lines = (...messages: readonly string[]) => messages.map((message) => `${message}\n`).join('')

const replyTo = ({ messages }: Run, id: unknown) => messages.find((message) => message.id === id)

const call = (id: number, name: string, args: object) =>
  JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/call', params: { name, arguments: args } })

describe.concurrent('ccmcp at the end of a pipe', () => {
  it('answers a handshake first of all', async () => {
    const { code, messages } = await pipe(lines(INITIALIZE))
    expect(messages[0]).toMatchObject({ id: 1, result: { protocolVersion: '2025-03-26' } })
    expect(messages.filter((message) => 'id' in message)).toHaveLength(1)
    expect(code).toBe(0)
  })

  it('lists and calls its tools', async () => {
    const run = await pipe(
      lines(
        INITIALIZE,
        INITIALIZED,
        '{"jsonrpc":"2.0","id":2,"method":"tools/list"}',
        call(3, 'hello', { name: 'World' }),
      ),
    )
    expect(JSON.stringify(replyTo(run, 2))).toMatch(/"hello".*"add".*"echo"/)
    expect(replyTo(run, 3)).toEqual({
      jsonrpc: '2.0',
      id: 3,
      result: { content: [{ type: 'text', text: 'Hello, World!' }], isError: false },
    })
  })

  it.each([
    ['a flag', ['--root', FOLDER], {}],
    ['a variable', [], { CCMCP_ROOT: FOLDER }],
    ['a flag that stands over the variable', ['--root', FOLDER], { CCMCP_ROOT: tmpdir() }],
  ])('reads a file below a root that is set by %s', async (_how, args, env) => {
    const run = await pipe(
      lines(
        INITIALIZE,
        INITIALIZED,
        call(2, 'read_file', { path: FILE }),
        call(3, 'read_file', { path: 'mcp_test.txt' }),
      ),
      args,
      env,
    )
    expect(replyTo(run, 2)).toMatchObject({
      result: { content: [{ text: 'test content\n' }], isError: false },
    })
    expect(replyTo(run, 3)).toMatchObject({ result: { content: [{ text: 'test content\n' }] } })
  })

  it('makes a tool and calls it in one go', async () => {
    const run = await pipe(
      lines(
        INITIALIZE,
        INITIALIZED,
        call(2, 'register_tool', {
          name: 'greet_formal',
          description: 'Formal greeting',
          template: 'Dear {name}, it is a pleasure to meet you.',
        }),
        call(3, 'greet_formal', { name: 'Professor Smith' }),
      ),
    )
    expect(replyTo(run, 3)).toMatchObject({
      result: { content: [{ text: 'Dear Professor Smith, it is a pleasure to meet you.' }] },
    })
    expect(run.messages).toContainEqual({ jsonrpc: '2.0', method: 'notifications/tools/list_changed' })
  })

  it('has its codes ready before a handshake', async () => {
    const { code, messages } = await pipe(
      'not valid json\n{"jsonrpc":"2.0","id":1,"method":"unknown_method"}\n',
    )
    expect(messages).toMatchObject([{ error: { code: -32700 } }, { id: 1, error: { code: -32601 } }])
    expect(code).toBe(0)
  })

  it('ends cleanly when nothing was said at all', async () => {
    expect(await pipe('')).toEqual({ code: 0, messages: [] })
  })

  it('passes over blank lines, carriage returns and a missing last newline', async () => {
    const { messages } = await pipe(
      `\n\r\n   \n${INITIALIZE}\r\n\n${INITIALIZED}\n{"jsonrpc":"2.0","id":2,"method":"ping"}`,
    )
    expect(messages.filter((message) => 'id' in message)).toMatchObject([{ id: 1 }, { id: 2, result: {} }])
  })

  it('loses none of many messages that come at once', async () => {
    const ids = Array.from({ length: 2000 }, (_one, index) => index + 2)
    const run = await pipe(
      lines(INITIALIZE, INITIALIZED, ...ids.map((id) => call(id, 'add', { a: id, b: 1 }))),
    )
    const replies = run.messages.filter((message) => typeof message.id === 'number' && message.id > 1)
    expect(replies.map((message) => message.id)).toEqual(ids)
    expect(replies.at(-1)).toMatchObject({ result: { content: [{ text: '2002' }] } })
    expect(run.code).toBe(0)
  })

  it('refuses a line of more than a mebibyte and reads on', async () => {
    const long = JSON.stringify({
      jsonrpc: '2.0',
      id: 2,
      method: 'ping',
      params: { padding: 'x'.repeat(1024 * 1024) },
    })
    const { messages } = await pipe(lines(INITIALIZE, long, '{"jsonrpc":"2.0","id":3,"method":"ping"}'))
    const replies = messages.filter((message) => !('method' in message))
    expect(replies).toMatchObject([{ id: 1 }, { error: { code: -32600 } }, { id: 3, result: {} }])
  })
})
