import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { type Client, connect } from '../../src/client/index.ts'
import { Issuer } from '../auth/issuer.ts'
import { LineProcess } from '../setup/process.ts'

const BIN = join(import.meta.dirname, '..', '..', 'dist', 'cli', 'bin', 'perigee.js')
const folder = mkdtempSync(join(tmpdir(), 'perigee-keys-'))
afterAll(() => rmSync(folder, { recursive: true }))

const running: LineProcess[] = []
afterEach(async () => {
  for (const one of running.splice(0)) await one.kill()
})

function run(args: readonly string[], env: { readonly [name: string]: string } = {}): LineProcess {
  const started = new LineProcess(BIN, {
    args: ['serve', ...args, '--http', '--port', '0', '--log-level', 'off'],
    env: { PERIGEE_ROOT: folder, ...env },
  })
  running.push(started)
  return started
}

/** Starts a server over HTTP and gives its address. */
async function start(
  args: readonly string[],
  env: { readonly [name: string]: string } = {},
): Promise<string> {
  const { lines } = run(args, env)
  for (;;) {
    const [, url] = /listening at (\S+)/.exec((await lines.next()) ?? '') ?? []
    if (url !== undefined) return url
  }
}

/** A client of somebody's; it ends with the server. */
function asking(url: string, key: string): Promise<Client> {
  return connect(url, { headers: { authorization: `Bearer ${key}` } })
}

const namesOf = (list: readonly { readonly name: string }[]) => list.map(({ name }) => name)

/** The tools that somebody sees. */
async function toolsOf(url: string, key: string): Promise<readonly string[]> {
  return namesOf(await (await asking(url, key)).tools())
}

describe("alice=k1,bob=k2:files+moon, as the operators' page has it", () => {
  let url: string
  let own: LineProcess
  let alice: Client
  let bob: Client

  beforeAll(async () => {
    url = await start([], { PERIGEE_API_KEY: 'alice=k1,bob=k2:files+moon' })
    own = running.pop() as LineProcess // It lives as long as these tests.
    alice = await asking(url, 'k1')
    bob = await asking(url, 'k2')
  })
  afterAll(() => own.kill())

  it('lists to bob the files and the Moon, and to alice everything', async () => {
    expect(namesOf(await bob.tools())).toEqual([
      ...['read_file', 'read_files', 'write_file', 'edit_file', 'list_directory', 'directory_tree'],
      ...['search_files', 'file_info', 'create_directory', 'move_file', 'copy_file', 'list_roots'],
      ...['moonphase', 'moon_from_place', 'moon_events', 'moon_calendar'],
    ])
    expect(namesOf(await bob.resources())).toEqual(['moonphase-view'])
    expect((await bob.templates()).map(({ uriTemplate }) => uriTemplate)).toEqual(['file:///{+path}'])
    expect(await bob.prompts()).toEqual([])
    const all = namesOf(await alice.tools())
    expect(all).toEqual(expect.arrayContaining(['create_task', 'register_tool', 'write_file', 'hello']))
    expect(namesOf(await alice.prompts())).toContain('plan_day')
  })

  it.each([
    ['tools/call', { name: 'create_task', arguments: { description: 'x' } }, 'tasks:write'],
    ['tools/call', { name: 'list_tasks', arguments: {} }, 'tasks:read'],
    [
      'tools/call',
      { name: 'register_tool', arguments: { name: 'x', description: 'x', template: 'x' } },
      'templates',
    ],
    ['tools/call', { name: 'hello', arguments: { name: 'x' } }, 'basics'],
    ['resources/read', { uri: 'help://commands' }, 'introspection'],
    ['resources/read', { uri: 'tasks://open' }, 'tasks:read'],
    ['prompts/get', { name: 'plan_day' }, 'tasks:read'],
  ])('%s %j is refused to bob', async (method, params, scope) => {
    await expect(bob.request(method, params)).rejects.toMatchObject({
      status: 403,
      message: `Insufficient scope: this needs ${scope}`,
    })
  })

  it('lets bob write a file and read it, and alice do what bob may not', async () => {
    const written = await bob.callTool('write_file', { path: 'a.txt', content: 'of bob' })
    expect(written.isError).toBe(false)
    const { content } = await bob.callTool('read_file', { path: 'a.txt' })
    expect(content).toMatchObject([{ text: 'of bob' }])
    expect((await alice.callTool('create_task', { description: 'x' })).isError).toBe(false)
  })

  it('tells bob of nothing that is not his', async () => {
    expect(bob.capabilities).toMatchObject({ tools: {}, resources: {} })
    expect(bob.capabilities).not.toHaveProperty('prompts')
    expect(await bob.request('server/discover')).toMatchObject({ cacheScope: 'private' })
  })

  it('keeps the tools that alice makes from bob, as if there were none', async () => {
    await alice.callTool('register_tool', { name: 'mine', description: 'd', template: 'x' })
    expect(namesOf(await alice.tools())).toContain('mine')
    await expect(bob.callTool('mine')).rejects.toThrow('Unknown tool: mine')
  })
})

describe('keys that are given twice', () => {
  const file = join(folder, 'twice.json')
  writeFileSync(file, JSON.stringify([{ name: 'a', key: 'hush' }]))

  it.each<[string, readonly string[], { readonly [name: string]: string }]>([
    ['--key: there are two keys with the name a', ['--key', 'a=b,a=c'], {}],
    ['--key: a and c have the same key', ['--key', 'a=hush,c=hush'], {}],
    ['PERIGEE_API_KEY: there are two keys with the name a', [], { PERIGEE_API_KEY: 'a=b,a=c' }],
    [`--key and ${file}: there are two keys with the name a`, ['--key', 'a=b', '--key-file', file], {}],
  ])('are refused with 2: %s', async (sentence, args, env) => {
    const started = run(['workbench', ...args], env)
    expect(await started.end()).toBe(2)
    expect(started.stderr).toContain(`perigee: ${sentence}\n`)
    expect(started.stderr).not.toContain('hush')
  })
})

describe('what is shown of how to plug it in', () => {
  it.each([
    ['${PERIGEE_API_KEY}', 'k1'],
    ['${YOUR_KEY}', 'alice=k1'],
  ])('names a variable that can hold the key: %s', async (shown, key) => {
    const { lines } = run(['workbench'], { PERIGEE_API_KEY: key })
    const said: string[] = []
    while (!said.at(-1)?.startsWith('Claude Code')) said.push((await lines.next()) ?? 'Claude Code')
    expect(said.at(-1)).toContain(`Bearer ${shown}`)
  })
})

it.each<[string, { readonly [name: string]: string }]>([
  ['PERIGEE_MAX_BODY: expected a whole number', { PERIGEE_MAX_BODY: 'abc' }],
  ['PERIGEE_UNSCOPED: expected one of open, closed', { PERIGEE_UNSCOPED: 'abc' }],
])('a variable that cannot be is told by its name: %s', async (sentence, env) => {
  const started = run(['workbench'], env)
  expect(await started.end()).toBe(2)
  expect(started.stderr).toContain(`perigee: ${sentence}`)
})

describe('a scope that nothing asks for', () => {
  async function refused(args: readonly string[], env: { readonly [name: string]: string } = {}) {
    const started = run(args, env)
    return { code: await started.end(), said: started.stderr }
  }

  it('in a list of keys is refused at the start, with those there are, and without a word of the key', async () => {
    const { code, said } = await refused(['workbench'], { PERIGEE_API_KEY: 'alice=hush,bob=hush2:files+mon' })
    expect(code).toBe(2)
    expect(said).toContain(
      'key bob: nothing on workbench asks for the scope "mon". Known: basics, countdown, ',
    )
    expect(said).toContain('files:read, files:write')
    expect(said).not.toContain('hush')
  })

  it('in a file of keys is, too', async () => {
    const file = join(folder, 'keys.json')
    writeFileSync(file, JSON.stringify([{ name: 'eve', key: 'hush', scopes: ['tasks'] }]))
    const { code, said } = await refused(['moonphase', '--key-file', file])
    expect(code).toBe(2)
    expect(said).toContain('key eve: nothing on moonphase asks for the scope "tasks". Known: exit, moon')
  })

  it('is refused when it is to be granted to every token', async () => {
    const { code, said } = await refused([
      'workbench',
      ...['--issuer', 'http://127.0.0.1:9', '--resource', 'https://mcp.example.com/mcp'],
      ...['--grant', 'everything'],
    ])
    expect(code).toBe(2)
    expect(said).toContain('grant: nothing on workbench asks for the scope "everything"')
  })
})

describe('what asks for no scope', () => {
  const module = join(folder, 'module.mjs')
  writeFileSync(module, "export default { name: 'm', tools: [{ name: 'bare', run: () => 'bare' }] }\n")
  const args = ['bb-mcp-server', '--module', module, '--key', 'alice=k1,bob=k2:greeting']

  it('is open to callers with scopes, unless the server is told that it is closed', async () => {
    const open = await start(args)
    expect(await toolsOf(open, 'k2')).toEqual(['hello', 'bare'])
    const closed = await start([...args, '--unscoped', 'closed'])
    expect(await toolsOf(closed, 'k2')).toEqual(['hello'])
    expect(await toolsOf(closed, 'k1')).toEqual(['hello', 'bare'])
    await expect((await asking(closed, 'k2')).callTool('bare')).rejects.toMatchObject({ status: 403 })
  })
})

describe('tokens of an issuer', () => {
  const RESOURCE = 'https://mcp.example.com/mcp'

  it.each([
    ['https://ann:hunter2@login.example.com', RESOURCE, 'issuer: expected a URL without a user'],
    ['nonsense', RESOURCE, 'issuer: expected a URL, such as https://'],
    [
      'https://login.example.com',
      'https://ann:hunter2@mcp.example.com',
      'resource: expected a URL without a',
    ],
  ])('are refused where %s and %s cannot be what they are for', async (issuer, resource, message) => {
    const started = run(['moonphase', '--issuer', issuer, '--resource', resource])
    expect(await started.end()).toBe(2)
    expect(started.stderr).toContain(message)
    expect(started.stderr).not.toContain('hunter2')
  })

  it('may carry scopes that mean nothing here, and are told which mean something', async () => {
    await using issuer = await Issuer.open()
    const url = await start(['moonphase', '--issuer', issuer.url, '--resource', RESOURCE])
    const token = await issuer.sign({ aud: RESOURCE, scope: 'openid profile offline_access moon' })
    expect(await toolsOf(url, token)).toEqual(['moonphase'])
    const response = await fetch(new URL('/.well-known/oauth-protected-resource', url))
    expect(await response.json()).toMatchObject({ scopes_supported: ['exit', 'moon'] })
  })

  it('may use what is granted to every token, where the issuer knows no such scope', async () => {
    await using issuer = await Issuer.open()
    const flags = ['--issuer', issuer.url, '--resource', RESOURCE]
    const token = await issuer.sign({ aud: RESOURCE, scope: 'openid' })
    const bare = await start(['moonphase', ...flags])
    expect(await toolsOf(bare, token)).toEqual([])
    const granting = await start(['moonphase', ...flags, '--grant', 'moon'])
    expect(await toolsOf(granting, token)).toEqual(['moonphase'])
  })
})

it('takes the scope of the small server behind the workbench, which opens its tools', async () => {
  const url = await start([], { PERIGEE_API_KEY: 'ann=k1:primer' })
  const ann = await asking(url, 'k1')
  await expect
    .poll(async () => namesOf(await ann.tools()))
    .toEqual(['primer_random_string', 'primer_calculate_sum'])
})
