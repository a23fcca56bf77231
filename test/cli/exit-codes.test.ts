import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, describe, expect, it } from 'vitest'
import { budgetsOf } from '../../src/cli/budgets.ts'
import { DEEDS } from '../../src/cli/commands/gateway.ts'
import { readConfig } from '../../src/cli/config.ts'
import { COMMANDS } from '../../src/cli/main.ts'
import { isNotFor, settingsOf } from '../../src/cli/settings.ts'
import { VERBS } from '../../src/cli/tasks/verbs.ts'
import { UsageError } from '../../src/cli/usage-error.ts'
import { BUDGET_NAMES, flagOf } from '../../src/kernel/index.ts'
import { SERVERS } from '../../src/servers/index.ts'
import type { Setting } from '../../src/servers/ready-server.ts'

const BIN = join(import.meta.dirname, '..', '..', 'dist', 'cli', 'bin')
const folder = mkdtempSync(join(tmpdir(), 'perigee-codes-'))
afterAll(() => rmSync(folder, { recursive: true }))
writeFileSync(join(folder, 'file'), '')
writeFileSync(join(folder, 'throws.mjs'), "setInterval(() => {}, 1000); throw new Error('no luck')")
writeFileSync(join(folder, '.mcp.json'), '{"mcpServers":{"mine":{"url":"http://127.0.0.1:9/mcp"}}}')

/** Runs a line whose input is empty; what it should not do, it does for so long. */
async function run(line: string): Promise<{ readonly code: number | null; readonly stderr: string }> {
  const [command = '', ...args] = line.split(' ')
  const child = spawn(process.execPath, [join(BIN, `${command}.js`), ...args], {
    cwd: folder,
    env: { PATH: process.env['PATH'], HOME: folder, MOONPHASE_API_KEY: 'k' },
    stdio: ['pipe', 'ignore', 'pipe'],
    timeout: 60_000,
    killSignal: 'SIGKILL',
  })
  child.stdin.end()
  const stderr = await text(child.stderr)
  if (child.exitCode === null && child.signalCode === null)
    await new Promise((resolve) => child.once('exit', resolve))
  return { code: child.exitCode, stderr }
}

/** What cannot be, by what a setting wants; undefined where anything can. */
const WRONG: { readonly [placeholder: string]: string | undefined } = {
  ...{ N: 'x', SECONDS: 'x', BYTES: 'x', TOKENS: 'x', LEVEL: 'x', FORMAT: 'x', HOW: 'x', TEXT: 'short' },
  ...{ URL: 'nonsense', ZONE: 'Nowhere/Else', ORIGIN: 'nonsense', ADDRESS: '0.0.0.0', SCOPE: 'nothing' },
  ...{ DIR: './nowhere', FILE: './file/x', PATH: './file/x', NAME: 'a/b/c', KEY: undefined },
}

/** What goes with it, or what may be anything for a reason of its own. */
const BESIDE: { readonly [name: string]: string | undefined } = {
  issuer: '--resource https://a.example',
  resource: '--issuer https://a.example',
  grant: '--issuer https://a.example --resource https://b.example',
  'data-home': undefined, // What is not there is made.
}

function lineOf(server: string, name: string, { placeholder = '' }: Setting, isHttp: boolean): string {
  const way = name === 'socket' ? [] : [isHttp ? '--http --port 0' : '--stdio']
  return [
    `perigee serve ${server} --log-level off`,
    ...way,
    BESIDE[name] ?? [],
    `--${name}`,
    WRONG[placeholder],
  ]
    .flat()
    .join(' ')
}

const budgets: readonly string[] = BUDGET_NAMES.map(flagOf)

/** Each setting of each server that takes a value, once. */
async function linesOfServers(): Promise<readonly string[]> {
  const [seen, lines] = [new Set<string>(), [] as string[]]
  for (const [server, load] of Object.entries(SERVERS)) {
    const ready = await load()
    for (const [name, setting] of Object.entries(settingsOf(ready))) {
      const isKnown = seen.has(name) && !Object.hasOwn(ready.settings, name)
      if (setting.kind === 'switch' || isKnown || budgets.includes(name)) continue
      seen.add(name)
      if (!Object.hasOwn(WRONG, setting.placeholder ?? ''))
        throw new Error(`WRONG lacks ${setting.placeholder}`)
      const anything = WRONG[setting.placeholder ?? ''] === undefined || (name in BESIDE && !BESIDE[name])
      if (!anything) lines.push(lineOf(server, name, setting, isNotFor('stdio', name, ready)))
    }
  }
  return lines
}

describe.concurrent('a setting that cannot be ends with 2', async () => {
  it.each(await linesOfServers())('%s', async (line) => {
    const { code, stderr } = await run(line)
    expect([code, stderr]).toEqual([2, expect.stringMatching(/^[\w-]+: .+\n$/)])
  })
})

it('so does every budget that is no number', async () => {
  const ready = await SERVERS['workbench']?.()
  if (ready === undefined) throw new Error('there is no workbench')
  for (const name of budgets) {
    const way = isNotFor('stdio', name, ready) ? '--http' : '--stdio'
    expect(() => budgetsOf(readConfig(ready, [way, `--${name}`, 'x']))).toThrow(UsageError)
  }
})

/** What is typed after each command that cannot be. */
const LINES: readonly string[] = [
  ...['serve nowhere', 'serve ./nowhere.mjs', 'serve ./file/nowhere.mjs', 'serve .', 'serve ccmcp words'],
  ...[
    'start nowhere',
    'start ./nowhere.mjs',
    'dev',
    'dev ./nowhere.mjs',
    'dev ./throws.mjs --start-timeout 0',
  ],
  ...[
    'console',
    'console nonsense',
    'console http://127.0.0.1:9 --port x',
    'console http://127.0.0.1:9 --revision x',
  ],
  ...['gateway nonsense', 'gateway --from ./nowhere', 'gateway --from ./file', 'gateway --pins ./file/x'],
  ...['gateway --audit ./file/x', 'gateway --env =x -- node', 'gateway --cwd ./nowhere -- node'],
  ...[
    'gateway login',
    'gateway login nothing',
    'gateway login mine --timeout x',
    'gateway login mine --port x',
  ],
  ...[
    'gateway logout',
    'gateway logout nothing',
    'gateway approve nothing --pins ./nowhere',
    'gateway status words',
  ],
  ...[
    'create a b',
    'create .',
    'call',
    'call x',
    'call x --url nonsense',
    'call x --url http://127.0.0.1:9 --args {',
  ],
  ...['call x --timeout x --url http://127.0.0.1:9', 'call x --header nonsense --url http://127.0.0.1:9'],
  ...['call x --env =x -- node', 'call x --cwd ./nowhere -- node', 'call x --root ./nowhere -- node'],
  ...['call x --log x -- node', 'call x --revision x -- node', `call nothing -- node ${BIN}/ccmcp.js`],
  ...[
    'tools',
    `tools nothing -- node ${BIN}/ccmcp.js`,
    'read',
    'prompt',
    `prompt nothing -- node ${BIN}/ccmcp.js`,
  ],
  ...['ping', 'ping words --url http://127.0.0.1:9', 'watch', 'fit nothing', 'fit ./nowhere.mjs'],
  ...['lock nothing', 'lock ccmcp --check', 'lock ccmcp --since nonsense', 'lock ccmcp --file ./file/x'],
  ...[
    'install nothing',
    'install ccmcp --to nothing --yes',
    'install ccmcp --name a/b',
    'install ccmcp --env =x',
  ],
  ...['install ccmcp --timeout x', 'uninstall', 'uninstall nothing', 'uninstall nothing --to nothing'],
  ...[
    'record',
    'record --file ./file/x -- node',
    'replay',
    'replay ./nowhere -- node',
    'replay ./file -- node',
  ],
  ...['mock', 'mock ./nowhere', 'mock ./file', 'pack ./nowhere.mjs', 'pack ./throws.mjs --timeout x'],
  ...[
    'bench',
    'bench nonsense',
    'bench --seconds x -- node',
    'bench --args { -- node',
    'bench --revision x -- node',
  ],
].map((line) => `perigee ${line}`)

const TASKS: readonly string[] = [
  ...[
    'list --status x',
    'list --priority x',
    'list --due-before nonsense',
    'list --limit x',
    'list --zone Nowhere',
  ],
  ...[
    'list --parent nothing',
    'list --tasks nonsense',
    'list --config ./nowhere',
    'add',
    'add x --due nonsense',
  ],
  ...[
    'add x --priority x',
    'add x --parent nothing',
    'done',
    'done nothing',
    'edit nothing',
    'show',
    'show nothing',
  ],
  ...['export words'],
].map((line) => `bossman ${line}${line.includes('--tasks') ? '' : ' --tasks memory:'}`)

describe.concurrent('what is typed that cannot be ends with 2', () => {
  it.each([...LINES, ...TASKS])('%s', async (line) => {
    const { code, stderr } = await run(line)
    expect([code, stderr]).toEqual([2, expect.stringMatching(/^(perigee|bossman): /)])
  })
})

it('every command is in the table', () => {
  const typed = [...LINES, ...TASKS]
  const names = [
    ...Object.keys(COMMANDS).map((name) => `perigee ${name}`),
    ...Object.keys(DEEDS).map((name) => `perigee gateway ${name}`),
    ...Object.keys(VERBS).map((name) => `bossman ${name}`),
  ]
  expect(names.filter((name) => !typed.some((line) => `${line} `.startsWith(`${name} `)))).toEqual([])
})

describe.concurrent('what is no mistake of whoever typed it has a code of its own', () => {
  it.each([
    [1, 'perigee serve ./throws.mjs'],
    [1, 'perigee serve bb-mcp-server --module ./throws.mjs'],
    [1, 'perigee serve bb-mcp-server --check ./throws.mjs'],
    [1, 'perigee serve ccmcp --store sqlite:./file/x'],
    [1, 'bossman list --tasks sqlite:./file/x'],
    [1, `perigee call read_file path=nowhere -- node ${BIN}/ccmcp.js`],
    [1, `perigee read file:///nowhere -- node ${BIN}/ccmcp.js`],
    [3, 'perigee tools --url http://127.0.0.1:9'],
    [3, 'perigee ping -- ./nowhere'],
    [3, 'perigee ping -- node -e 5'],
    [3, 'perigee record -- ./nowhere'],
    [3, 'perigee bench http://127.0.0.1:9'],
    [3, 'perigee bench -- ./nowhere'],
    [3, 'perigee bench -- node -e 5'],
    [3, 'perigee gateway login mine'],
    [4, 'perigee ping --timeout 0.3 -- node -e setInterval(Date,1000)'],
  ])('%i for %s', async (expected, line) => {
    const { code, stderr } = await run(line)
    expect([code, stderr]).toEqual([expected, expect.stringMatching(/\S/)])
  })
})
