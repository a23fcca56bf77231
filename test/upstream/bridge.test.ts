import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { connect } from '../../src/client/index.ts'
import { defineServer, defineTool, serveHttp } from '../../src/index.ts'
import type { Call } from '../../src/kernel/index.ts'
import { PERIGEE, perigee } from '../cli/run.ts'

/** A server that says what it was started with. */
const WHERE = `
  import { createInterface } from 'node:readline'
  const opened = { protocolVersion: '2025-06-18', capabilities: { tools: {} }, serverInfo: { name: 'w', version: '1' } }
  createInterface({ input: process.stdin }).on('line', (line) => {
    const { id, method } = JSON.parse(line)
    const text = process.env.GIVEN + ' ' + process.cwd()
    const results = {
      initialize: opened,
      'tools/list': { tools: [{ name: 'where', inputSchema: { type: 'object' } }] },
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

it.each([
  [['https://a.example/mcp', '--env', 'A=b'], '--env is for a command, after --: leave it out'],
  [['--header', 'a: b', '--', 'node'], '--header is for a server at a URL: leave it out'],
  [['--header', 'a: b'], '--header is for one server: perigee gateway URL'],
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
