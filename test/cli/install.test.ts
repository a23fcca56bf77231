import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { INSTALL_HOSTS } from '../../src/cli/install/hosts.ts'
import { PERIGEE } from './run.ts'
import { needTerminal, typeAt } from './terminal.ts'

const ALL = INSTALL_HOSTS.map(({ id }) => id).join(',')

let folder: string
let home: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'perigee-installing-'))
})
beforeEach(() => {
  home = mkdtempSync(join(folder, 'home-'))
})
afterAll(() => rmSync(folder, { recursive: true }))

/** A machine on which nothing is but what a test puts there. */
const environment = () => ({
  ...{ PATH: dirname(process.execPath), HOME: home, USERPROFILE: home, APPDATA: join(home, 'AppData') },
  ...{ XDG_CONFIG_HOME: join(home, '.config'), PERIGEE_HOME: join(home, '.perigee') },
})

async function perigee(
  args: readonly string[],
  more: { readonly [name: string]: string } = {},
  cwd: string = home,
) {
  const child = spawn(process.execPath, [PERIGEE, ...args], { cwd, env: { ...environment(), ...more } })
  child.stdin.end()
  const [stdout, stderr, [status]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close') as Promise<[number | null]>,
  ])
  return { status, stdout, stderr }
}

function put(path: string, content: string): string {
  const file = join(home, path)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, content)
  return file
}

it('plugs a server into every host, tries it as each would, and takes it out again', async () => {
  const cursor = put(
    '.cursor/mcp.json',
    '{\r\n\t"mcpServers": {}, // mine\r\n\t"token": "ghp_0123456789abcdefghij"\r\n}\r\n',
  )
  const before = readFileSync(cursor, 'utf8')
  const { status, stdout, stderr } = await perigee(['install', 'primer', '--to', ALL, '--yes'])
  expect([status, stderr]).toEqual([0, ''])
  expect(stdout).not.toContain('ghp_')
  for (const { name } of INSTALL_HOSTS) expect(stdout).toContain(`\n${name} ✔ 2 tools`)
  const entry = JSON.parse(readFileSync(join(home, '.claude.json'), 'utf8')).mcpServers.primer
  expect(entry).toEqual({ type: 'stdio', command: process.execPath, args: [PERIGEE, 'serve', 'primer'] })
  expect(statSync(join(home, '.perigee', 'installs.json')).mode & 0o777).toBe(0o600)
  const out = await perigee(['uninstall', 'primer', '--yes'])
  expect([out.status, out.stderr]).toEqual([0, ''])
  expect(readFileSync(cursor, 'utf8')).toBe(before)
  expect(
    ['.claude.json', '.codex', '.gemini', '.copilot', '.codeium'].filter((one) =>
      existsSync(join(home, one)),
    ),
  ).toEqual([])
  expect((await perigee(['uninstall', 'primer', '--yes'])).stderr).toBe(
    'perigee: primer was not installed by perigee install. Nothing is installed\n',
  )
})

it('finds the hosts that are here, and shows what it would do', async () => {
  put('.codex/config.toml', 'model = "m"\n')
  const list = JSON.parse((await perigee(['install', '--list', '--json'])).stdout)
  expect(list.filter(({ found }: { found: boolean }) => found)).toMatchObject([{ id: 'codex' }])
  const { status, stdout } = await perigee(['install', 'ccmcp', '--print'])
  expect(status).toBe(0)
  expect(stdout).toContain('Codex  ~/.codex/config.toml\n')
  expect(stdout).toContain(`+args = ["${PERIGEE}", "serve", "ccmcp", "--root", "${home}"]`)
  expect(readFileSync(join(home, '.codex/config.toml'), 'utf8')).toBe('model = "m"\n')
})

it('leaves alone what it must, with its reason, and does the others', async () => {
  const broken = put('.cursor/mcp.json', '{\n  "mcpServers": {\n}\n')
  const taken = put('.gemini/settings.json', '{"mcpServers":{"primer":{"command":"mine"}}}')
  const to = ['install', 'primer', '--to', 'cursor,gemini-cli,zed', '--yes']
  const { status, stdout } = await perigee([...to, '--json'])
  expect(status).toBe(1)
  expect(JSON.parse(stdout)).toMatchObject([
    { host: 'cursor', status: 'unreadable', reason: expect.stringContaining(`${broken}:4: `) },
    { host: 'gemini-cli', status: 'differs', reason: expect.stringContaining('--replace') },
    { host: 'zed', status: 'installed', tools: 2 },
  ])
  expect(readFileSync(taken, 'utf8')).toContain('"mine"')
  const again = await perigee(['install', 'primer', '--to', 'gemini-cli', '--yes', '--replace'])
  expect([again.status, again.stdout]).toEqual([0, expect.stringContaining('Gemini CLI ✔ 2 tools')])
  await perigee(['uninstall', 'primer', '--to', 'gemini-cli', '--yes'])
  expect(readFileSync(taken, 'utf8')).toBe('{"mcpServers":{"primer":{"command":"mine"}}}')
})

it('keeps a secret a variable, and fills it in to try the server', async () => {
  const script = put('server.mjs', SERVER)
  const args = [
    'install',
    '--name',
    'secret',
    '--env',
    'SECRET_KEY',
    '--to',
    'claude-code,codex,opencode,crush',
    '--yes',
  ]
  const command = ['--', process.execPath, script]
  const { status, stdout } = await perigee([...args, ...command], { SECRET_KEY: 's3cr3t' })
  expect([status, stdout]).toEqual([0, expect.stringContaining('Crush ✔ 1 tool\n')])
  for (const file of [
    '.claude.json',
    '.codex/config.toml',
    '.config/opencode/opencode.json',
    '.config/crush/crushrc',
  ]) {
    const written = readFileSync(join(home, file), 'utf8')
    expect(written).toContain('SECRET_KEY')
    expect(written).not.toContain('s3cr3t')
  }
  expect(readFileSync(join(home, '.perigee', 'installs.json'), 'utf8')).not.toContain('s3cr3t')
  const without = await perigee([...args, ...command])
  expect([without.status, without.stdout]).toEqual([
    3,
    expect.stringContaining('the variable SECRET_KEY is not set here'),
  ])
})

/** It only begins where it has its key. */
const SERVER = `
if (process.env.SECRET_KEY !== 's3cr3t') process.exit(1)
process.stdin.on('data', (text) => {
  for (const line of String(text).split('\\n').filter(Boolean)) {
    const { id, method } = JSON.parse(line)
    const result = {
      initialize: { protocolVersion: '2025-06-18', capabilities: { tools: {} }, serverInfo: { name: 's', version: '1' } },
      'tools/list': { tools: [{ name: 'only', inputSchema: { type: 'object' } }] },
    }[method]
    if (id !== undefined) console.log(JSON.stringify(result ? { jsonrpc: '2.0', id, result } : { jsonrpc: '2.0', id, error: { code: -32601, message: 'no' } }))
  }
})
`

describe('a project', () => {
  it('has files of its own, and one entry for hosts that share one', async () => {
    put('server.mjs', '')
    const { status, stdout } = await perigee([
      'install',
      'ccmcp',
      '--project',
      '--to',
      'claude-code,copilot-cli',
      '--yes',
    ])
    expect([status, stdout]).toEqual([
      0,
      expect.stringMatching(/Claude Code ✔ \d+ tools\n.*\nCopilot CLI ✔ \d+ tools/),
    ])
    expect(Object.keys(JSON.parse(readFileSync(join(home, '.mcp.json'), 'utf8')).mcpServers)).toEqual([
      'ccmcp',
    ])
    const gateway = await perigee(['install', 'gateway', '--to', 'cursor', '--yes'])
    expect([gateway.status, gateway.stdout]).toEqual([0, expect.stringMatching(/Cursor ✔ \d+ tools/)])
    await perigee(['uninstall', 'ccmcp', '--project', '--to', 'copilot-cli', '--yes'])
    expect(existsSync(join(home, '.mcp.json'))).toBe(false)
  })

  it('is left without what other projects and the person keep', async () => {
    for (const name of ['one', 'one-more']) {
      mkdirSync(join(home, name))
      const project = ['install', 'primer', '--project', '--to', 'cursor', '--yes']
      expect((await perigee(project, {}, join(home, name))).status).toBe(0)
    }
    await perigee(['uninstall', 'primer', '--project', '--yes'], {}, join(home, 'one'))
    expect(existsSync(join(home, 'one', '.cursor'))).toBe(false)
    expect(existsSync(join(home, 'one-more', '.cursor', 'mcp.json'))).toBe(true)
  })
})

describe('what was typed', () => {
  it.each([
    [['install', 'ccmpc'], /there is no server ccmpc. Did you mean ccmcp\?/],
    [['install', 'primer', '--to', 'cursr'], /there is no host "cursr". Did you mean cursor\?/],
    [['install', 'primer', '--replce'], /there is no option --replce. Did you mean --replace\?/],
    [
      ['install', 'primer', '--to', 'cursor'],
      /there is nobody to ask: add --yes, or look first with --print/,
    ],
    [
      ['install', 'primer', '--project', '--to', 'goose'],
      /goose reads no file of a project: leave out --project/,
    ],
    [['install', 'primer', '--header', 'A: b'], /--header: for an address alone/],
    [['install', 'gateway'], /there is no .mcp.json for the gateway to read/],
    [['install', 'primer'], /no host was found on this machine. Name some: --to claude-code,/],
    [['install'], /which server\? Name a file/],
    [['uninstall'], /expected one name/],
  ])('%s is refused with what would help', async (args, reason) => {
    const { status, stderr, stdout } = await perigee(args)
    expect([status, stderr.split('\n').length]).toEqual([2, 2])
    expect(stderr).toMatch(reason)
    expect(stdout.includes('✔')).toBe(false)
  })

  it('is asked about at a terminal, and nothing is written after a no', async (context) => {
    needTerminal(context)
    const env = Object.entries(environment()).map(([name, value]) => `${name}=${value}`)
    const command = ['env', ...env, process.execPath, PERIGEE, 'install', 'primer', '--to', 'cursor']
    const { shown, status } = await typeAt(command, home, [['Write this file? [y/N] ', 'n\n']])
    expect([status, shown]).toEqual([1, expect.stringContaining('nothing was written')])
    expect(existsSync(join(home, '.cursor'))).toBe(false)
  })
})
