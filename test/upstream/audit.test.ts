import { mkdtempSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { defineServer } from '../../src/authoring/define-server.ts'
import { type AuditLine, audit } from '../../src/cli/gateway/audit.ts'
import { connect } from '../../src/client/index.ts'
import { defineModule, defineResource, defineTool } from '../../src/index.ts'
import { upstream } from '../../src/modules/upstream/index.ts'
import { clientOf, endAfterEach, ending, noted, observe } from './gateway-of.ts'

endAfterEach()

let folder = ''
let path = ''

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'perigee-audit-'))
  path = join(folder, 'calls.jsonl')
  ending.push(() => rmSync(folder, { recursive: true, force: true }))
})

const read = (file = path): readonly AuditLine[] =>
  readFileSync(file, 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line))

const working = vi.fn()

async function served(withArguments = false, info = { name: 'host', version: '2' }) {
  const server = defineServer({
    name: 'files',
    version: '1',
    tools: [
      defineTool({
        name: 'echo',
        input: { type: 'object' },
        run: (args) => `got ${JSON.stringify(args)}`,
      }),
      defineTool({
        name: 'fail',
        run: () => {
          throw new Error('no')
        },
      }),
      defineTool({ name: 'wait', run: () => new Promise<string>(() => working()) }),
    ],
    resources: [defineResource({ uri: 'file:///a', name: 'a', read: () => 'text' })],
  })
  const modules = [audit({ path, withArguments }), upstream('files', { server })]
  const gateway = defineServer({ name: 'gateway', version: '1', modules, observe, reports: true })
  ending.push(() => gateway.close())
  await clientOf(gateway)
  const client = await connect(gateway, { revision: '2025-11-25', info })
  ending.push(() => client.close())
  return client
}

describe('an audited gateway', () => {
  it('writes a line for each call, without what was asked, which only its owner can read', async () => {
    const client = await served()
    await client.tools()
    await client.callTool('echo', { secret: 'abc', path: '/etc/passwd' })
    await client.callTool('fail')
    await client.read('file:///a')
    await client.callTool('nothing').catch(() => {})
    expect(read()).toMatchObject([
      { who: null, client: 'host 2', upstream: 'files', method: 'tools/call', name: 'echo', outcome: 'ok' },
      { upstream: 'files', name: 'fail', outcome: 'tool_error' },
      { upstream: 'files', method: 'resources/read', name: 'file:///a', outcome: 'ok' },
      { upstream: null, name: 'nothing', outcome: 'error', code: -32602 },
    ])
    const [first] = read()
    expect(Object.keys(first ?? {})).toEqual([
      ...['time', 'who', 'client', 'upstream', 'method', 'name', 'outcome', 'ms', 'bytes'],
    ])
    expect(first?.bytes.in).toBe(JSON.stringify({ secret: 'abc', path: '/etc/passwd' }).length)
    expect(first?.bytes.out).toBeGreaterThan(first?.bytes.in ?? 0)
    expect(readFileSync(path, 'utf8')).not.toContain('passwd')
    if (process.platform !== 'win32') expect(statSync(path).mode & 0o777).toBe(0o600)
  })

  it('writes one line for a call that is cancelled', async () => {
    const client = await served()
    const stop = new AbortController()
    const waiting = client.callTool('wait', {}, { signal: stop.signal }).catch(() => {})
    await vi.waitFor(() => expect(working).toHaveBeenCalled())
    stop.abort()
    await waiting
    await vi.waitFor(() => expect(read()).toMatchObject([{ name: 'wait', outcome: 'cancelled' }]))
  })

  it('says that a call has become a task, and writes another line when that is over, however', async () => {
    const work = (name: string, run: () => Promise<string>) =>
      defineTool({ name, task: 'required', input: { type: 'object' }, run })
    let finish: (text: string) => void = () => {}
    const server = defineServer({
      name: 'files',
      version: '1',
      tools: [
        work('sort', () => new Promise((resolve) => (finish = resolve))),
        work('fail', () => Promise.reject(new Error('no'))),
        work('wait', () => new Promise(() => {})),
      ],
    })
    const modules = [audit({ path, withArguments: true }), upstream('files', { server })]
    const gateway = defineServer({ name: 'gateway', version: '1', modules, observe, reports: true })
    ending.push(() => gateway.close())
    const client = await clientOf(gateway, { revision: '2025-11-25' })
    const begin = async (name: string) => {
      const { task } = await client.request('tools/call', { name, arguments: { by: 'size' }, task: {} })
      return (task as { taskId: string }).taskId
    }
    const sorting = await begin('sort')
    const line = { upstream: 'files', method: 'tools/call', name: 'sort', task: sorting }
    expect(read()).toMatchObject([{ ...line, outcome: 'task' }])
    finish('sorted')
    await vi.waitFor(() => expect(read()).toHaveLength(2), { timeout: 20_000 })
    expect(read()[1]).toMatchObject({ ...line, outcome: 'ok', arguments: '{"by":"size"}' })
    expect(read()[1]?.ms).toBeGreaterThanOrEqual(read()[0]?.ms ?? 0)
    const failing = await begin('fail')
    const waiting = await begin('wait')
    await client.request('tasks/cancel', { taskId: waiting })
    const over = [
      expect.objectContaining({ name: 'fail', task: failing, outcome: 'tool_error' }),
      expect.objectContaining({ name: 'wait', task: waiting, outcome: 'cancelled' }),
    ]
    await vi.waitFor(() => expect(read()).toEqual(expect.arrayContaining(over)), { timeout: 20_000 })
    expect(read()).toHaveLength(6)
  })

  it('writes a line for what an upstream has beyond the protocol, also where that is refused', async () => {
    const extension = {
      id: 'com.example/drawer',
      handshake: false,
      settings: {},
      methods: { 'drawer/empty': () => ({ emptied: true }) },
    }
    const modules = [defineModule({ name: 'drawer', extensions: [extension] })]
    const server = defineServer({ name: 'files', version: '1', modules })
    const gateway = defineServer({
      name: 'gateway',
      version: '1',
      modules: [audit({ path, withArguments: true }), upstream('files', { server, scopes: ['files'] })],
      observe,
      reports: true,
    })
    ending.push(() => gateway.close())
    const client = await clientOf(gateway, { principal: { id: 'ann', scopes: ['files'] } })
    await client.request('drawer/empty', { which: 'top' })
    await client.request('drawer/none').catch(() => {})
    const barred = await clientOf(gateway, { principal: { id: 'bob', scopes: ['other'] } })
    await barred.request('drawer/empty', { which: 'top' }).catch(() => {})
    const old = await clientOf(gateway, { revision: '2025-11-25' })
    await old.request('drawer/empty').catch(() => {})
    const line = { upstream: 'files', method: 'drawer/empty', name: null, arguments: '{"which":"top"}' }
    expect(read()).toMatchObject([
      { ...line, who: 'ann', outcome: 'ok', bytes: { in: 15 } },
      { upstream: 'files', method: 'drawer/none', outcome: 'error', code: -32601 },
      { ...line, who: 'bob', outcome: 'error', code: 403 },
    ])
  })

  it('names the server whose tool is held back', async () => {
    const server = defineServer({ name: 'files', version: '1', tools: [{ name: 'go', run: () => '' }] })
    const modules = [
      audit({ path, withArguments: false }),
      upstream('files', { server, pins: join(folder, '.mcp.pins.json') }),
    ]
    const gateway = defineServer({ name: 'gateway', version: '1', modules, observe, reports: true })
    ending.push(() => gateway.close())
    const client = await clientOf(gateway)
    server.tools.remove('go')
    server.tools.add({ name: 'go', description: 'does something else', run: () => '' })
    await vi.waitFor(() => expect(gateway.relaying.withheld.has('go')).toBe(true))
    await client.callTool('go')
    expect(read()).toMatchObject([{ upstream: 'files', name: 'go', outcome: 'tool_error' }])
  })

  it('names the server of what is not there, where the name tells it', async () => {
    const server = (name: string) =>
      defineServer({
        name,
        version: '1',
        tools: ['go', 'stay'].map((tool) => ({ name: tool, run: () => '' })),
      })
    const modules = [
      audit({ path, withArguments: false }),
      upstream('files', { server: server('files'), tools: ['go'] }),
      upstream('files_old', { server: server('files_old') }),
      upstream('one', { server: server('one'), prefix: 'both_', tools: ['go'] }),
      upstream('other', { server: server('other'), prefix: 'both_', tools: ['stay'] }),
    ]
    const gateway = defineServer({ name: 'gateway', version: '1', modules, observe, reports: true })
    ending.push(() => gateway.close())
    const client = await clientOf(gateway)
    for (const name of ['files_stay', 'files_old_none', 'both_none', 'none'])
      await client.callTool(name).catch(() => {})
    await client.prompt('files_none').catch(() => {})
    expect(read().map(({ name, upstream: of }) => [name, of])).toEqual([
      ['files_stay', 'files'],
      ['files_old_none', 'files_old'],
      ['both_none', null],
      ['none', null],
      ['files_none', 'files'],
    ])
  })

  it('writes arguments where they are asked for, without what is named like a secret', async () => {
    const client = await served(true)
    await client.callTool('echo', { api_key: 'abc', path: 'notes.txt' })
    const [{ arguments: given = '' } = {}] = read()
    expect(given).toContain('notes.txt')
    expect(given).not.toContain('abc')
  })

  it('writes what a client calls itself in bounds, and without secrets or characters that nobody sees', async () => {
    const name = `c\u202e\u009b Bearer hunter2 ${'x'.repeat(60)} http://u:${'hunter2'.repeat(20)}@h`
    const client = await served(false, { name, version: 'https://u:hunter2@h' })
    await client.callTool('echo')
    await client.callTool('token=hunter2').catch(() => {})
    const text = readFileSync(path, 'utf8')
    expect(text).not.toMatch(/hunter2|[^\n\P{C}]/u)
    expect(read().map(({ client: told }) => (told ?? '').length < 130)).toEqual([true, true])
  })

  it('opens its file anew at SIGHUP, and says so once where it cannot', async () => {
    const client = await served()
    await client.callTool('echo')
    renameSync(path, `${path}.1`)
    process.emit('SIGHUP')
    await client.callTool('echo')
    expect([read(`${path}.1`).length, read().length]).toEqual([1, 1])
    rmSync(folder, { recursive: true })
    process.emit('SIGHUP')
    await client.callTool('echo')
    await client.callTool('echo')
    expect(noted.filter((text) => text.includes('cannot be written'))).toHaveLength(1)
  })
})

it('does not start where the file cannot be written', () => {
  expect(() => audit({ path: join(folder, 'none', 'x'), withArguments: false })).toThrow(
    'cannot be written: ENOENT',
  )
})
