import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { SERVERS } from '../../src/servers/index.ts'
import { LineProcess } from '../setup/process.ts'

const BIN = join(import.meta.dirname, '..', '..', 'dist', 'cli', 'bin', 'perigee.js')
const folder = mkdtempSync(join(tmpdir(), 'perigee-log-'))
afterAll(() => rmSync(folder, { recursive: true }))

const SECRETS = ['hunter2', 'tok3n', 'w0rds']
const LONG = 'x'.repeat(100_000)

/** What a client calls itself may be anything, and its secret may stand where a bound would cut it in two. */
const clientInfo = {
  name: `c\u202e\u0007 Bearer tok3n ${'x'.repeat(80)} http://u:${'w0rds'.repeat(20)}@h`,
  version: 'https://u:hunter2@h',
}
const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo }

/** A conversation in which much goes wrong, and in which secrets are everywhere. */
const CONVERSATION = [
  { id: 1, method: 'tools/list' },
  { id: 2, method: 'initialize', params },
  { method: 'notifications/initialized' },
  { id: 3, method: 'resources/read', params: { uri: 'http://u:hunter2@h/?q=tok3n#w0rds' } },
  { id: 4, method: 'resources/read', params: { uri: `file:///${LONG}` } },
  { id: 5, method: 'tools/call', params: { name: 'read_file', arguments: { path: '/w0rds/hunter2' } } },
  { id: 6, method: 'tools/call', params: { name: 'get_task', arguments: { id: 'tok3n' } } },
  { id: 7, method: 'tools/call', params: { name: 'greet\u202e\u2028\u0007', arguments: { a: 'w0rds' } } },
  { id: 8, method: LONG, params: { name: 'w0rds' } },
  { id: 9, method: 'prompts/get', params: { name: LONG, arguments: { a: 'w0rds' } } },
  { id: 'token=tok3n', method: 'password=hunter2' },
  { id: 10, method: 'tools/call', params: { name: 'Bearer tok3n' } },
  { id: 11, method: 'prompts/get', params: { name: 'http://u:hunter2@h' } },
]
  .map((message) => JSON.stringify({ jsonrpc: '2.0', ...message }))
  .concat('{"jsonrpc":"2.0","hunter2')

async function stderrOf(server: string, args: readonly string[], env = {}): Promise<string> {
  const child = new LineProcess(BIN, {
    args: ['serve', server, '--stdio', ...args],
    env: { BOSSMAN_STORE: `sqlite:${join(folder, `${server}.db`)}`, MOONPHASE_API_KEY: 'k', ...env },
  })
  try {
    child.write(CONVERSATION.map((line) => `${line}\n`).join(''))
    expect(await child.end()).toBe(0)
    return child.stderr
  } finally {
    await child.kill()
  }
}

describe.each(Object.keys(SERVERS))('%s', (server) => {
  it('says nothing on stderr at the level off', async () => {
    expect(await stderrOf(server, ['--log-level', 'off'])).toBe('')
  })

  it('says everything in JSON, and nothing of what is nobody’s business', async () => {
    const told = await stderrOf(server, ['--log-level', 'debug'])
    const lines = told.trimEnd().split('\n')
    expect(lines.length).toBeGreaterThan(10)
    for (const line of lines) {
      expect(JSON.parse(line)).toMatchObject({ logger: server, level: expect.any(String) })
      expect(line.length).toBeLessThan(4096)
    }
    for (const secret of SECRETS) expect(told).not.toContain(secret)
    expect(told).not.toMatch(/[^\n\P{C}]|[\p{Cf}\p{Zl}]/u)
  })

  it('says the same in words for people, without colours where there is no terminal', async () => {
    const told = await stderrOf(server, ['--log-level', 'debug', '--log-format', 'pretty'])
    for (const line of told.trimEnd().split('\n')) {
      expect(line).toMatch(/^(\d{4}-\d\d-\d\dT[\d:.]+Z (debug|info|notice|warning|error) | {4}at )/)
    }
    for (const secret of SECRETS) expect(told).not.toContain(secret)
    expect(told).not.toMatch(/[^\n\P{C}]|[\p{Cf}\p{Zl}]/u)
  })

  it('tells once of a tool that fails, at its own level', async () => {
    const told = await stderrOf(server, ['--log-level', 'warning'])
    const about = told
      .split('\n')
      .filter((line) => line.includes('"read_file"') || line.includes('"get_task"'))
    expect(about).toHaveLength(2)
  })
})
