import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { DEEDS } from '../../src/cli/commands/gateway.ts'
import { serve } from '../../src/cli/commands/serve.ts'
import { EXIT_CODES } from '../../src/cli/exit-codes.ts'
import { COMMANDS, main } from '../../src/cli/main.ts'
import { tasks } from '../../src/cli/tasks/command.ts'
import { VERBS } from '../../src/cli/tasks/verbs.ts'
import { UsageError } from '../../src/cli/usage-error.ts'
import { bossman } from '../../src/servers/bossman.ts'
import { SERVERS } from '../../src/servers/index.ts'

const ROOT = join(import.meta.dirname, '..', '..')

/** Every command there is; one that is added is in here. */
const LINES: readonly string[] = [
  ...Object.keys(COMMANDS),
  ...Object.keys(DEEDS).map((deed) => `gateway ${deed}`),
  ...Object.keys(SERVERS).map((name) => `serve ${name}`),
]

/** What prints nothing that a script would read. */
const WITHOUT_JSON: { readonly [reason: string]: readonly string[] } = {
  'it serves': [
    'serve',
    'start',
    'dev',
    'console',
    'gateway',
    'mock',
    ...LINES.filter((line) => line.startsWith('serve ')),
  ],
  'it hands on what others say': ['record'],
  'what it makes is files, or what a person answers': [
    'create',
    'gateway login',
    'gateway logout',
    'gateway approve',
  ],
}

const isSilent = (line: string) => Object.values(WITHOUT_JSON).some((lines) => lines.includes(line))

/** Runs a line in this process; gives what it printed, or the sentence it ended with. */
async function say(
  args: readonly string[],
  run = main,
): Promise<{ readonly said: string; readonly refused: string }> {
  const said: string[] = []
  vi.spyOn(console, 'log').mockImplementation((text: string) => void said.push(text))
  const write = (text: string | Uint8Array) => Boolean(said.push(String(text)))
  vi.spyOn(process.stdout, 'write').mockImplementation(write)
  vi.spyOn(process.stderr, 'write').mockImplementation(write)
  try {
    await run(args)
    return { said: said.join('\n'), refused: '' }
  } catch (error) {
    if (!(error instanceof UsageError)) throw error
    return { said: said.join('\n'), refused: error.message }
  } finally {
    vi.restoreAllMocks()
  }
}

afterEach(() => vi.restoreAllMocks())

describe.each(LINES)('perigee %s', (line) => {
  const args = line.split(' ')

  it('says with --help how it is called, with an example, and without colours', async () => {
    const { said, refused } = await say([...args, '--help'])
    expect(refused).toBe('')
    const [command = ''] = args
    expect(said).toMatch(new RegExp(`^Usage: perigee ${command === 'start' ? 'serve' : command}`, 'm'))
    expect(said).toMatch(/^Example: .*perigee /m)
    expect(said).not.toContain('\u001b')
  })

  it('names the option that was probably meant', async () => {
    const { said, refused } = await say([...args, '--hlep'])
    expect(said).toBe('')
    expect(refused).toBe('there is no option --hlep. Did you mean --help? See --help')
  })
})

it.each(LINES.filter((line) => !isSilent(line)))('perigee %s has --json', async (line) => {
  expect((await say([...line.split(' '), '--help'])).said).toMatch(/^ {2}--json /m)
})

it('no reason is given for a command that is not there, or that has --json', async () => {
  for (const line of Object.values(WITHOUT_JSON).flat()) {
    expect(LINES).toContain(line)
    expect((await say([...line.split(' '), '--help'])).said).not.toMatch(/^ {2}--json /m)
  }
})

it('perigee --help names every command', async () => {
  const { said } = await say(['--help'])
  for (const command of Object.keys(COMMANDS)) expect(said).toMatch(new RegExp(`\\b${command}\\b`))
})

it('a command that is not there is told with the nearest one', async () => {
  expect((await say(['srve'])).refused).toBe('there is no command srve. Did you mean serve?')
})

it('perigee gateway --help shows every form of it, and its own options before those that all servers have', async () => {
  const { said } = await say(['gateway', '--help'])
  const forms = ['--from FILE', 'URL', '[options] -- COMMAND', ...Object.keys(DEEDS)]
  for (const form of forms) expect(said).toContain(`perigee gateway ${form}`)
  const places = ['\nOptions:\n  --from', '--audit FILE', '\nAs every server:', '\nBudgets'].map((one) =>
    said.indexOf(one),
  )
  expect(places).toEqual(places.toSorted((a, b) => a - b))
  expect(places).not.toContain(-1)
})

it.each([
  ['statsu', 'there is no gateway statsu. Did you mean status?'],
  ['./mine.json', 'a file is named by --from ./mine.json'],
  ['npx', 'Expected login, logout, approve, status, a URL or options; a command stands after --. See --help'],
])('perigee gateway %s is told what would help', async (word, message) => {
  expect((await say(['gateway', word])).refused).toContain(message)
})

it.each(Object.keys(SERVERS))('the command of the ready server %s has an example, too', async (name) => {
  const ready = await SERVERS[name]?.()
  if (ready === undefined) throw new Error('there is no such server')
  const run = (args: readonly string[]) => serve(ready, args, ready.name)
  expect((await say(['--help'], run)).said).toMatch(new RegExp(`^Example: ${ready.name} --`, 'm'))
  expect((await say(['--hlep'], run)).refused).toContain('Did you mean --help?')
})

it.each(Object.keys(VERBS))('bossman %s has an example, the nearest option and --json', async (verb) => {
  const run = (args: readonly string[]) => tasks(bossman, verb, args)
  const { said } = await say(['--help'], run)
  expect(said).toMatch(new RegExp(`^Example: bossman ${verb} `, 'm'))
  expect(said).toMatch(/^ {2}--json /m)
  expect((await say(['--hlep'], run)).refused).toContain('Did you mean --help?')
})

it.each(['call', 'tools', 'read', 'prompt', 'ping', 'watch', 'fit', 'lock'])(
  'perigee %s --help says how any server is found, and what it ends with',
  async (name) => {
    const { said } = await say([name, '--help'])
    for (const word of ['--url URL', '-- COMMAND …', '--revision ID', '--header', 'It ends with:'])
      expect(said).toContain(word)
  },
)

it.each([
  ['serve --http ./mine.mjs', 'serve ./mine.mjs'],
  ['serve --http --port 0 ./mine.mjs', 'serve ./mine.mjs'],
  ['serve --root ./src ccmcp', 'serve ccmcp'],
  ['serve --module ./a.mjs --http bb-mcp-server', 'serve bb-mcp-server'],
  ['serve --http --port 0', 'serve workbench'],
  ['start --http moonphase', 'serve moonphase'],
  ['dev --http --watch ./src ./mine.mjs', 'dev ./mine.mjs'],
])('perigee %s is the same as what is served first', async (typed, meant) => {
  const { said, refused } = await say([...typed.split(' '), '--help'])
  expect(refused).toBe('')
  expect(said).toContain(`Usage: perigee ${meant} [options]`)
})

it('an option that is mistyped is told before the word that follows it', async () => {
  expect((await say(['serve', '--rot', '.', 'ccmcp'])).refused).toContain('Did you mean --root?')
  expect((await say(['serve', '--http', 'nowhere'])).refused).toContain(
    'there is no server nowhere. Expected: ',
  )
})

it('the docs have the same exit codes', () => {
  const docs = readFileSync(join(ROOT, 'docs', 'CLI.md'), 'utf8')
  for (const { code, meaning } of Object.values(EXIT_CODES))
    expect(docs).toContain(`| ${code} | ${meaning} |`)
})

it('no command ends with a number that is not in the table', () => {
  const folder = join(ROOT, 'src', 'cli')
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) =>
    file.endsWith('.ts'),
  )
  const numbers = files.flatMap((file) => {
    const text = readFileSync(join(folder, file), 'utf8')
    return [...text.matchAll(/CommandError\([1-9]|exitCode = [1-9]/g)].map(([found]) => `${file}: ${found}`)
  })
  expect(files.length).toBeGreaterThan(50)
  expect(numbers).toEqual([])
})

it.each([
  ['ping', ['--', process.execPath, '-e', 'setTimeout(() => {}, 1500)']],
  ['call', ['slow', '--', process.execPath, join(import.meta.dirname, 'slow.mjs')]],
])('%s shows on a terminal what it waits for after a second', async (name, args) => {
  const shown: string[] = []
  const { isTTY } = process.stderr
  process.stderr.isTTY = true
  vi.spyOn(process.stderr, 'write').mockImplementation((text) => Boolean(shown.push(String(text))))
  vi.spyOn(process.stdout, 'write').mockImplementation(() => true)
  try {
    await main([name, ...args]).catch(() => {}) // The first of them never answers.
  } finally {
    process.stderr.isTTY = isTTY
    vi.restoreAllMocks()
  }
  expect(shown.join('')).toContain(`waiting for ${process.execPath}`)
})
