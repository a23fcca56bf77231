import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest'
import { connect } from '../../src/client/index.ts'
import { defineServer, defineTool, serveHttp } from '../../src/index.ts'
import type { Call } from '../../src/kernel/index.ts'
import { PERIGEE, perigee } from '../cli/run.ts'
import { LineProcess } from '../setup/process.ts'

/** A server that says what it was started with. */
const WHERE = `
  import { createInterface } from 'node:readline'
  const opened = { protocolVersion: '2025-06-18', capabilities: { tools: {} }, serverInfo: { name: 'w', version: '1' } }
  createInterface({ input: process.stdin }).on('line', (line) => {
    const { id, method, params } = JSON.parse(line)
    const text = params?.name === 'pid' ? String(process.pid) : process.env.GIVEN + ' ' + process.cwd()
    const results = {
      initialize: opened,
      'tools/list': { tools: ['where', 'pid'].map((name) => ({ name, inputSchema: { type: 'object' } })) },
      'tools/call': { content: [{ type: 'text', text }] },
    }
    const said = results[method] ? { result: results[method] } : { error: { code: -32601, message: 'What?' } }
    if (id !== undefined) console.log(JSON.stringify({ jsonrpc: '2.0', id, ...said }))
  })`

let folder = ''

beforeAll(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'perigee-bridge-')))
  writeFileSync(join(folder, 'where.mjs'), WHERE)
})

afterAll(() => rmSync(folder, { recursive: true }))

const bridge = (args: readonly string[], env = {}) =>
  connect({ command: process.execPath, args: [PERIGEE, 'gateway', ...args], env, cwd: tmpdir() })

it('a bridge to an address tells it the headers that it is given, variables filled in', async () => {
  const told = defineTool({
    name: 'told',
    run: (_none, call) => String((call as unknown as Call).outlet.headers?.['x-key']),
  })
  const http = await serveHttp(defineServer({ name: 'far', version: '1', tools: [told] }))
  const key = ['x-key: ', '{PERIGEE_TEST_KEY}'].join('$')
  const client = await bridge([http.url, '--header', key], { PERIGEE_TEST_KEY: 'secret' })
  expect((await client.callTool('told')).content).toEqual([{ type: 'text', text: 'secret' }])
  await client.close()
  await http.close(0)
})

it('a bridge to a command gives it the variables and the folder that it is given', async () => {
  const args = ['--env', 'GIVEN=yes', '--cwd', folder, '--', process.execPath, join(folder, 'where.mjs')]
  await using client = await bridge(args)
  expect((await client.callTool('where')).content).toEqual([{ type: 'text', text: `yes ${folder}` }])
})

it('a bridge has all its clients share one process where it is told to, and else each has its own', async () => {
  const file = join(folder, 'where.mjs')
  const serving = async (...flags: readonly string[]) => {
    const gateway = new LineProcess(PERIGEE, {
      args: ['gateway', '--http', '--port', '0', ...flags, '--', process.execPath, file],
    })
    onTestFinished(() => gateway.kill())
    const [url = ''] = /http:\S+/.exec(String(await gateway.lines.next())) ?? []
    const processes = new Set<string>()
    for (let at = 0; at < 2; at++) {
      const client = await connect(url, { revision: '2025-11-25' })
      onTestFinished(() => client.close())
      processes.add(JSON.stringify((await client.callTool('pid')).content))
    }
    return processes.size
  }
  expect([await serving('--shared'), await serving()]).toEqual([1, 2])
})

it('a gateway does not start with a file of pins that is none, and says what mends it', async () => {
  const pins = join(folder, 'pins.json')
  writeFileSync(pins, '{"version": 1, "tools": {"a\n')
  const { status, stderr } = await perigee(['gateway', '--pins', pins, '--', process.execPath])
  expect([status, stderr]).toEqual([
    2,
    expect.stringContaining(`perigee: pins: ${pins} is no file of pinned tools: `),
  ])
  expect(stderr).toContain('Mend it, or delete it to have all tools approved as they are now')
})

it.each([
  [['https://a.example/mcp', '--env', 'A=b'], '--env is for a command, after --: leave it out'],
  [['--header', 'a: b', '--', 'node'], '--header is for a server at a URL: leave it out'],
  [['--header', 'a: b'], '--header is for one server: perigee gateway URL'],
  [['--shared', '--from', 'a.json'], '--shared is for one server: perigee gateway URL'],
  [['--cwd', 'nowhere', '--', 'node'], 'cwd: expected a folder, got "nowhere"'],
])('what a bridge cannot be given is said: %j', async (args, message) => {
  expect((await perigee(['gateway', ...args])).stderr).toContain(message)
})

it('why nothing of a server is there is said by whoever lists it', async () => {
  const gateway = ['--', process.execPath, PERIGEE, 'gateway', '--', join(folder, 'none')]
  const listed = await perigee(['tools', ...gateway])
  expect(listed.stderr).toMatch(/upstream cannot be reached \(The server could not be started: .*none/)
  const called = await perigee(['call', 'any', ...gateway])
  expect(called.stderr).toContain('upstream cannot be reached')
})
