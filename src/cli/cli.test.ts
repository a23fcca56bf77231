import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { VERSION } from '../kernel/index.ts'

const BIN = join(import.meta.dirname, '..', '..', 'dist', 'cli', 'bin')

const folder = mkdtempSync(join(tmpdir(), 'cli-'))
afterAll(() => rmSync(folder, { recursive: true }))

/** Runs a command whose input is empty. */
function run(
  command: 'ccmcp' | 'perigee',
  args: readonly string[],
  env: { readonly [name: string]: string } = {},
) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(BIN, `${command}.js`), ...args], {
    input: '',
    encoding: 'utf8',
    env: { ...process.env, ...env },
    timeout: 20_000,
  })
  return { status, stdout, stderr }
}

it('runs until its input ends', () => {
  expect(run('ccmcp', [])).toEqual({ status: 0, stdout: '', stderr: '' })
  expect(run('perigee', ['serve', 'ccmcp', '--root', '.'])).toMatchObject({ status: 0, stdout: '' })
})

it.each(['--help', '-h'])('explains itself with %s', (flag) => {
  const { status, stdout, stderr } = run('ccmcp', [flag])
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
  for (const word of ['Usage: ccmcp', '--root DIR', 'CCMCP_ROOT', '--help', '--version'])
    expect(stdout).toContain(word)
})

it('prints help in columns, under headings, for the command that was typed', () => {
  const { stdout } = run('perigee', ['serve', 'workbench', '--help'])
  expect(stdout).toContain('Usage: perigee serve workbench [options]')
  expect(run('perigee', ['serve', './server.ts', '--help']).stdout).toContain(
    'Usage: perigee serve ./server.ts [options]',
  )
  for (const heading of ['Options:', 'Over HTTP:', 'Budgets']) expect(stdout).toContain(`\n\n${heading}`)
  const rows = stdout.split('\n').filter((line) => line.startsWith('  --'))
  expect(rows.length).toBeGreaterThan(60)
  for (const row of rows) expect(row).toMatch(/^ {2}--[a-z-]+( [A-Z]+)? {2,}\S/)
})

it.each([
  ['--prot 9000', 'there is no option --prot. Did you mean --port? See --help'],
  ['--max-bodys=5', 'there is no option --max-bodys. Did you mean --max-body? See --help'],
  ['-x', 'there is no option -x. See --help'],
  ['nonsense', '"nonsense" is no option. See --help'],
  ['--max-line -1', 'max-line: expected a whole number up to'],
  ['--port', '--port: expected a value (N), got nothing'],
  ['--port --http', '--port: expected a value (N), got --http'],
  ['--http=yes', '--http: it takes no value, got "yes"'],
])('says what is wrong with %s, in one short line', (typed, message) => {
  const { status, stderr } = run('ccmcp', typed.split(' '))
  expect(stderr).toContain(`ccmcp: ${message}`)
  expect([status, stderr.length < 160]).toEqual([2, true])
})

it.each([
  ['--port 9000', 'add --http'],
  ['--port abc', 'add --http'],
  ['--key-file /nope', 'add --http'],
  ['--allow-anonymous', 'add --http'],
  ['--metrics', 'add --http'],
  ['--stdio --path mcp', 'leave out --stdio'],
  ['--max-sessions 5', 'add --http'],
  ['--stdio --max-body 5', 'leave out --stdio'],
])('does not take %s for stdio', (typed, remedy) => {
  const { status, stdout, stderr } = run('perigee', ['serve', 'ccmcp', ...typed.split(' ')])
  expect([status, stdout]).toEqual([2, ''])
  expect(stderr).toMatch(
    new RegExp(`^perigee: --[a-z-]+ is for HTTP, and this would serve on stdin and stdout: ${remedy}`),
  )
})

it('takes a port for the console of what is started on stdio', () => {
  expect(run('perigee', ['start', 'ccmcp', '--port', '0'])).toMatchObject({
    status: 0,
    stderr: expect.stringContaining('can be seen at http://127.0.0.1:'),
  })
})

it.each(['--max-line 5', '--max-calls-per-pipe 5'])('does not take %s for HTTP', (typed) => {
  const { status, stdout, stderr } = run('ccmcp', ['--http', ...typed.split(' ')])
  expect([status, stdout]).toEqual([2, ''])
  expect(stderr).toMatch(
    /^ccmcp: --[a-z-]+ is for stdin and stdout, and this would serve over HTTP: leave out --http, or leave out --/,
  )
})

it('leaves what the environment says of HTTP alone on stdio: it may be there for another server', () => {
  expect(run('ccmcp', [], { PORT: '9000', PERIGEE_API_KEY: 'k', PERIGEE_MAX_SESSIONS: '5' })).toMatchObject({
    status: 0,
    stderr: '',
  })
})

it.each([
  ['--port abc', 'port: expected a whole number up to 65535, got "abc"'],
  ['--key-file /nope', 'key-file: /nope cannot be read'],
  ['--path mcp', 'path: expected a path such as /mcp'],
  ['--host 127.0.0.1:9322', 'host: expected an address such as 127.0.0.1, without a port (--port)'],
  ['--host http://127.0.0.1', 'without a port (--port) or a scheme, got "http://127.0.0.1"'],
  ['--console-key abcdefghijklmnopqrstuvwx', '--console-key: there is no console: add --console'],
  ['--path /messages', 'path: /messages is where the SSE pair of 2024 is served, beside MCP: take another'],
  ['--path /readyz', 'path: /readyz is where it says whether it is ready: take another'],
  ['--path /metrics --metrics', 'path: /metrics is where another page is served: take another'],
  ['--path /console --console', 'path: /console is where the console is served: take another'],
  ['--key a=k:nope', 'key a: nothing on ccmcp asks for the scope "nope"'],
  [
    '--key a=k:nope',
    'in a server of your own, laterScopes of defineServer names what only tools made at run time ask for',
  ],
  [
    '--rate-limit 0',
    '--rate-limit: expected a number of calls a minute from 1 on, or none for no limit, got 0',
  ],
  ['--budget 5', 'budget: expected 200 tokens or more, got 5'],
  ['--offer some', 'offer: expected one of all, search, code, auto, got "some"'],
  ['--key a=k:unscoped', '"unscoped" would limit nothing; close it with --unscoped closed'],
  [
    '--allow-host https://x.y/mcp',
    'allow-host: expected a name such as mcp.example.com, or mcp.example.com:8443, got "https://x.y/mcp": write x.y',
  ],
  [
    '--allow-origin x.y',
    'allow-origin: expected an origin such as https://app.example.com, got "x.y": write https://x.y',
  ],
  ['--key a\u00a0b', '--key: a key must not be empty'],
  ['--key a=b --key c=d', '--key: expected one value, got 2 that differ: part several by commas'],
  ['--port 9001 --port 9002', '--port: expected one value, got 2 that differ'],
  [
    '--key k --issuer https://x.y --resource https://z.y/mcp',
    '--key and --issuer: callers are known by keys or by tokens, not by both: leave one of them out',
  ],
  [
    '--key-file k.json --issuer https://x.y',
    '--key-file and --issuer: callers are known by keys or by tokens',
  ],
  [
    '--resource https://x.y/mcp',
    '--resource is for tokens, and nobody is named whose are taken: add --issuer URL',
  ],
  ['--grant notes', '--grant is for tokens, and nobody is named whose are taken: add --issuer URL'],
])('refuses %s over HTTP', (typed, message) => {
  const { status, stderr } = run('ccmcp', ['--http', ...typed.split(' ')])
  expect(stderr).toContain(message)
  expect(stderr.trimEnd().split('\n')).toHaveLength(1)
  expect(status).toBe(2)
})

it.each(['PERIGEE_API_KEY', 'PERIGEE_KEY_FILE', 'PERIGEE_ISSUER'])(
  'does not let anybody in over HTTP because %s is empty',
  (variable) => {
    const { status, stderr } = run('ccmcp', ['--http', '--port', '0'], { [variable]: '' })
    expect([status, stderr]).toEqual([
      2,
      `ccmcp: ${variable} is empty, so nobody would be asked who they are: set it, unset it, or add --allow-anonymous\n`,
    ])
  },
)

it('does not take an issuer for named whose variable is empty', () => {
  const env = { PERIGEE_ISSUER: '', PERIGEE_RESOURCE: 'https://x.y/mcp' }
  const { status, stderr } = run('ccmcp', ['--http', '--port', '0'], env)
  expect([status, stderr]).toEqual([2, expect.stringContaining('PERIGEE_RESOURCE is for tokens')])
})

it.each([
  ['shop/server.mjs', 'shop'],
  ['shop/till.mjs', 'till'],
])(
  'reads the section of %s under the name %s, and refuses one under the name it gives itself',
  (path, name) => {
    const [file, config] = [join(folder, path), join(folder, 'sections.json')]
    mkdirSync(join(folder, 'shop'), { recursive: true })
    writeFileSync(file, "export default defineServer({ name: 'mine' })")
    const serve = (section: string) => {
      writeFileSync(config, JSON.stringify({ [section]: { key: 'hunter2hunter2', nonsense: 1 } }))
      return run('perigee', ['serve', file, '--http', '--port', '0', '--config', config])
    }
    expect(serve(name)).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('there is no setting nonsense'),
    })
    expect(serve('mine')).toMatchObject({
      status: 2,
      stderr: expect.stringContaining(
        `there is no server mine. Expected: ${name} for what is served here, or`,
      ),
    })
  },
)

it('tells its version', () => {
  expect(run('ccmcp', ['--version'])).toEqual({
    status: 0,
    stdout: expect.stringMatching(/^\d+\.\d+\.\d+\n$/),
    stderr: '',
  })
  expect(run('perigee', ['--version'])).toEqual({ status: 0, stdout: `${VERSION}\n`, stderr: '' })
})

it('says what it can do', () => {
  expect(run('perigee', [])).toMatchObject({ status: 0, stdout: expect.stringContaining('perigee serve') })
  expect(run('perigee', ['--help'])).toMatchObject({ status: 0, stdout: expect.stringContaining('ccmcp') })
})

it.each([
  ['an unknown flag', 'ccmcp', ['--nonsense'], {}, '--nonsense'],
  ['a stray word', 'ccmcp', ['nonsense'], {}, 'nonsense'],
  ['an empty root', 'ccmcp', ['--root', ''], {}, 'root: expected a value, got an empty one'],
  ['a root that is not there', 'ccmcp', ['--root', '/no/such/folder'], {}, '"/no/such/folder"'],
  ['a root that is a file', 'ccmcp', ['--root', import.meta.filename], {}, 'root: expected a folder'],
  ['a wrong root in the environment', 'ccmcp', [], { CCMCP_ROOT: '/no/such/folder' }, '"/no/such/folder"'],
  ['an unknown command', 'perigee', ['fly'], {}, 'there is no command fly'],
  ['an unknown server', 'perigee', ['serve', 'nothing'], {}, 'there is no server nothing'],
  ['a misspelt server', 'perigee', ['serve', 'ccmpc'], {}, 'there is no server ccmpc. Did you mean ccmcp?'],
  ['a folder', 'perigee', ['serve', '.'], {}, 'is a folder, a file is wanted'],
] as const)(
  'ends with an error that names %s, and nothing on stdout',
  (_name, command, args, env, message) => {
    const { status, stdout, stderr } = run(command, args, env)
    expect(status).toBeGreaterThan(0)
    expect(stdout).toBe('')
    expect(stderr).toContain(message)
    expect(stderr.trimEnd().split('\n')).toHaveLength(1)
  },
)
