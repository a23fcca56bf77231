import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { OURS } from '../../src/cli/gateway/entry.ts'
import { SIGN_IN_KEYS } from '../../src/cli/gateway/entry-oauth.ts'
import { readUpstreams } from '../../src/cli/gateway/read-upstreams.ts'
import { UsageError } from '../../src/cli/usage-error.ts'
import { connect } from '../../src/client/index.ts'
import { defineServer, serveHttp } from '../../src/index.ts'
import { PERIGEE, perigee } from '../cli/run.ts'

const STUB = join(import.meta.dirname, 'quiet.mjs')

let folder = ''

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'perigee-gateway-'))
})

afterAll(() => rmSync(folder, { recursive: true }))

function written(name: string, value: unknown): string {
  const path = join(folder, name)
  writeFileSync(path, typeof value === 'string' ? value : JSON.stringify(value))
  return path
}

/** As it stands in a file. */
function variable(name: string): string {
  return `\${${name}}`
}

const run = (...args: readonly string[]) =>
  connect({ command: process.execPath, args: [PERIGEE, 'gateway', ...args], cwd: folder })

describe('perigee gateway', { timeout: 60_000 }, () => {
  it('serves what stands in the files of hosts, each under its name', async () => {
    const entry = { command: process.execPath, args: [STUB] }
    const itself = { command: 'npx', args: ['perigee', 'gateway'] }
    written('.mcp.json', {
      mcpServers: { left: entry, 'my right': entry, off: { ...entry, disabled: true }, itself },
    })
    await using client = await run()
    expect((await client.tools()).map(({ name }) => name)).toEqual(['left_say', 'my_right_say'])
    expect((await client.callTool('left_say')).content).toEqual([{ type: 'text', text: 'said' }])
  })

  it('is a bridge to one command, whose names it leaves alone', async () => {
    await using client = await run('--', process.execPath, STUB)
    expect((await client.tools()).map(({ name }) => name)).toEqual(['say'])
  })

  it.each(['http://', 'https://not a host/mcp'])('takes %j for no address', async (address) => {
    const { status, stderr } = await perigee(['gateway', address])
    expect(stderr).toContain('expected an address such as https://mcp.example.com/mcp, got the string')
    expect(status).toBe(2)
  })

  it('is a bridge to an address, wherever that stands among the options', async () => {
    const server = defineServer({ name: 'far', version: '1', tools: [{ name: 'say', run: () => 'said' }] })
    const http = await serveHttp(server)
    const client = await run('--log-level', 'off', '--stdio', http.url)
    expect((await client.tools()).map(({ name }) => name)).toEqual(['say'])
    await client.close()
    await http.close(0)
  })
})

it('a tool that is held back since it has changed tells whoever types perigee call why, and how to approve it', {
  timeout: 60_000,
}, async () => {
  const from = written('held.json', { mcpServers: { far: { command: process.execPath, args: [STUB] } } })
  const say = { hash: 'sha256:0', approved: '2026-01-01T00:00:00.000Z', contract: { name: 'say' } }
  const pins = written('held.pins.json', { version: 1, tools: { far: { say } } })
  const gateway = ['--', process.execPath, PERIGEE, 'gateway', '--from', from]
  expect(await perigee(['call', 'say', 'words=some', ...gateway])).toMatchObject({
    status: 1,
    stderr: expect.stringContaining(
      `say failed: far: say has changed since it was approved, and is not served until the change is: perigee gateway approve far/say --pins ${pins}`,
    ),
  })
  expect((await perigee(['call', 'shout', ...gateway])).stderr).toContain('there is no tool shout.')
})

it.each([
  ['key', [...OURS, 'disabled']],
  ['key of `oauth`', SIGN_IN_KEYS],
])('every %s of an entry stands in its table of the guide', (title, keys) => {
  const guide = readFileSync(join(import.meta.dirname, '..', '..', 'docs', 'GATEWAY.md'), 'utf8')
  const [, table = ''] = guide.split(`\n| ${title} |`)
  const [rows = ''] = table.split('\n\n')
  const named = rows
    .split('\n')
    .flatMap((line) => /^\| ((?:`\w+`(?:, )?)+) \|/.exec(line)?.[1]?.split(', ') ?? [])
  expect(named.toSorted()).toEqual(keys.map((key) => `\`${key}\``).toSorted())
})

describe('the files of hosts', () => {
  it('have variables filled in, and several words for an address', () => {
    process.env['PERIGEE_TEST_KEY'] = 'secret'
    const file = written('vs.json', {
      servers: {
        a: {
          type: 'http',
          url: 'https://a.example/mcp',
          headers: { authorization: `Bearer ${variable('PERIGEE_TEST_KEY')}` },
        },
        b: { httpUrl: variable('PERIGEE_TEST_NONE:-https://b.example/mcp') },
      },
    })
    expect(readUpstreams([file])).toEqual({
      a: { url: 'https://a.example/mcp', headers: { authorization: 'Bearer secret' } },
      b: { url: 'https://b.example/mcp' },
    })
  })

  it('is told which of two with one name counts, and that a name was given twice', () => {
    const servers = (port: number) => ({ mcpServers: { a: { url: `http://127.0.0.1:${port}/mcp` } } })
    const files = [written('one.json', servers(1)), written('two.json', servers(2))]
    const notes: string[] = []
    expect(readUpstreams(files, (note) => notes.push(note))).toEqual(servers(2).mcpServers)
    expect(notes).toEqual([
      `${files[1]}: a stands in a file before this one as well: that of ${files[1]} counts`,
    ])
    const rename = { command: 'a', rename: { one: 'x', two: 'x' } }
    const clashing = written('clashing.json', { mcpServers: { a: rename } })
    expect(() => readUpstreams([clashing])).toThrow(UsageError)
  })

  it('may have comments, and a bridge to one server is a server like any other', () => {
    const [command, bridge] = ['npx', ['perigee', 'gateway', 'https://a.example/mcp']]
    const file = written(
      'vs.json',
      `{ // mine\n "servers": ${JSON.stringify({ a: { command, args: bridge } })}, }`,
    )
    expect(readUpstreams([file])).toEqual({ a: { command, args: bridge } })
  })

  it('have variables looked at in the keys that are read alone, and others that matter are named', () => {
    const entry = { command: 'x', headersHelper: variable('PERIGEE_TEST_NONE'), title: variable('none') }
    const file = written('vs.json', { servers: { a: entry } })
    const notes: string[] = []
    expect(readUpstreams([file], (note) => notes.push(note))).toEqual({ a: { command: 'x' } })
    expect(notes).toEqual([`${file}: a: headersHelper is for hosts, and not read here`])
  })

  it('may name a file of variables, which stand behind those of env, by the folder of the project', () => {
    mkdirSync(join(folder, '.vscode'), { recursive: true })
    written('.env', 'A=file\nB="with words"\n')
    const entry = { command: 'x', envFile: `${variable('workspaceFolder')}/.env`, env: { A: 'own' } }
    const file = written('.vscode/mcp.json', {
      servers: { a: entry, b: { ...entry, command: undefined, url: 'https://b.example/mcp' } },
    })
    const { a } = readUpstreams([written('.vscode/one.json', { servers: { a: entry } })])
    expect(a).toEqual({ command: 'x', env: { A: 'own', B: 'with words' } })
    expect(readUpstreams([file])['b']).toEqual({ url: 'https://b.example/mcp' })
    const missing = written('none.json', { servers: { a: { ...entry, envFile: 'none.env' } } })
    expect(() => readUpstreams([missing])).toThrow(
      /a: envFile: .*none\.env cannot be read: .*Write what it needs/,
    )
  })

  it('may have servers for a folder, which stand before everybody’s where a gateway starts there', () => {
    const [mine, ours] = [{ command: 'mine' }, { command: 'ours' }]
    const file = written('claude.json', {
      mcpServers: { a: ours, b: ours },
      projects: {
        [process.cwd()]: { mcpServers: { a: mine, c: mine } },
        '/else': { mcpServers: { d: ours } },
      },
    })
    const notes: string[] = []
    expect(readUpstreams([file], (note) => notes.push(note))).toEqual({ a: mine, b: ours, c: mine })
    expect(notes).toEqual([`${file}: its servers for ${process.cwd()} are read as well`])
    const others = written('others.json', { projects: { '/else': { mcpServers: { d: ours } }, '/bare': {} } })
    expect(() => readUpstreams([others])).toThrow(
      `there is no server in ${others} for ${process.cwd()}. It has some for /else: start the gateway there`,
    )
  })

  it.each([
    ['{', 'cannot be read: line 1: expected a name'],
    [
      { mcpServers: { 'my notes': { command: 'x' }, 'my@notes': { command: 'y' } } },
      'both become my_notes here: "my notes" and "my@notes". Give one another name',
    ],
    [
      { servers: { x: { url: 'https://a.example', headers: { key: variable('input:key') } } } },
      'x: headers: key: a gateway cannot ask for',
    ],
    [{}, 'expected { "mcpServers"'],
    [{ mcpServers: {} }, 'there is no server in'],
    [{ mcpServers: { x: 5 } }, 'x: expected an object, got the number 5'],
    [{ mcpServers: { x: { comand: 'y' } } }, 'x: there is no key comand. Did you mean command?'],
    [
      { mcpServers: { x: { url: variable('PERIGEE_TEST_NONE') } } },
      'x: url: the variable PERIGEE_TEST_NONE is not set',
    ],
  ])('that are wrong are told with what was expected: %j', (value, message) => {
    expect(() => readUpstreams([written('wrong.json', value)])).toThrow(message)
  })
})
