import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, expect, it } from 'vitest'
import { script } from '../client/hostile.ts'
import { clientOf, endAfterEach, ending, gatewayTo, textOf } from './gateway-of.ts'

endAfterEach()

let lock = ''

beforeEach(() => {
  const folder = mkdtempSync(join(tmpdir(), 'perigee-exclusive-'))
  lock = join(folder, 'lock')
  ending.push(() => rmSync(folder, { recursive: true }))
})

/** A server of which only one process can run at a time, as with a port, a profile or a serial line. */
const exclusive = () =>
  script(`
    const { openSync, unlinkSync } = require('node:fs')
    const lock = ${JSON.stringify(lock)}
    openSync(lock, 'wx')
    process.on('exit', () => unlinkSync(lock))
    process.on('SIGTERM', () => process.exit())
    const tools = [{ name: 'go', inputSchema: { type: 'object' } }]
    const results = {
      initialize: ({ protocolVersion }) => ({ protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'one', version: '1' } }),
      'tools/list': () => ({ tools }),
      'tools/call': () => ({ content: [{ type: 'text', text: 'gone' }] }),
    }
    require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
      const { id, method, params } = JSON.parse(line)
      if (id === undefined) return
      const result = results[method]?.(params)
      const reply = result === undefined ? { error: { code: -32601, message: 'no' } } : { result }
      console.log(JSON.stringify({ jsonrpc: '2.0', id, ...reply }))
    }).on('close', () => process.exit())
  `)

it('is called, though the process that reads its lists has what only one can have', async () => {
  const client = await clientOf(gatewayTo({ one: exclusive() }))
  expect(existsSync(lock)).toBe(true)
  expect(textOf(await client.callTool('go', {}))).toBe('gone')
  expect(textOf(await client.callTool('go', {}))).toBe('gone')
})

it('says to a second client what would help', async () => {
  const gateway = gatewayTo({ one: exclusive() })
  const first = await clientOf(gateway, { principal: { id: 'ann' } })
  const second = await clientOf(gateway, { principal: { id: 'bob' } })
  expect(textOf(await first.callTool('go', {}))).toBe('gone')
  const told = await second.callTool('go', {})
  expect(told.isError).toBe(true)
  expect(textOf(told)).toContain('where only one can, "shared": true has all callers share it')
  expect(textOf(await first.callTool('go', {}))).toBe('gone')
})

it('is shared by all where that is said', async () => {
  const gateway = gatewayTo({ one: { ...exclusive(), shared: true } })
  for (const id of ['ann', 'bob']) {
    const client = await clientOf(gateway, { principal: { id } })
    expect(textOf(await client.callTool('go', {}))).toBe('gone')
  }
})
