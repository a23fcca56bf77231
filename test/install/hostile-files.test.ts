import { spawnSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { parse as parseYaml } from 'yaml'
import { apply } from '../../src/cli/install/apply.ts'
import { dropEntry, putEntry } from '../../src/cli/install/edit.ts'
import { jsonc } from '../../src/cli/install/formats/jsonc.ts'
import { toml } from '../../src/cli/install/formats/toml.ts'
import { yaml } from '../../src/cli/install/formats/yaml.ts'
import { INSTALL_HOSTS } from '../../src/cli/install/hosts.ts'
import type { Installable } from '../../src/cli/install/installable.ts'
import { type FileHistory, readJournal } from '../../src/cli/install/journal.ts'
import { type Plan, type Planned, planAll } from '../../src/cli/install/plan.ts'
import { planUndo, undo } from '../../src/cli/install/undo.ts'

const MOON: Installable = { name: 'moon', command: 'node', args: ['moon.js'], env: {} }

const folder = mkdtempSync(join(tmpdir(), 'perigee-hostile-'))
let perigeeHome: string | undefined
let home: string
beforeAll(() => {
  perigeeHome = process.env['PERIGEE_HOME']
})
beforeEach(() => {
  home = mkdtempSync(join(folder, 'home-'))
  process.env['PERIGEE_HOME'] = join(home, 'state')
})
afterAll(() => {
  if (perigeeHome === undefined) delete process.env['PERIGEE_HOME']
  else process.env['PERIGEE_HOME'] = perigeeHome
  rmSync(folder, { recursive: true })
})

async function plan(id: string, text?: string, options = {}): Promise<Plan> {
  const config = join(home, '.config')
  const host = INSTALL_HOSTS.find((one) => one.id === id)
  const [file] =
    host?.user({ platform: 'linux', home, config, settings: config, variable: () => undefined }) ?? []
  if (host === undefined || file === undefined) throw new Error(`there is no ${id}`)
  if (text !== undefined) {
    mkdirSync(dirname(file.path), { recursive: true })
    writeFileSync(file.path, text)
  }
  const [found] = await planAll([[host, file]], { server: MOON, replace: false, ...options })
  if (found === undefined) throw new Error('nothing was planned')
  return found
}

async function planned(id: string, text?: string): Promise<Planned> {
  const found = await plan(id, text)
  if (!('after' in found)) throw new Error(found.reason)
  return found
}

function historyOf({ settings: { real } }: Planned): FileHistory {
  const history = readJournal()[real]
  if (history === undefined) throw new Error(`nothing is known of ${real}`)
  return history
}

async function uninstall(done: Planned): Promise<void> {
  await undo(await planUndo(done.settings.real, historyOf(done), 'moon'))
}

describe('a file of YAML', () => {
  it.each([
    ['an alias of nothing', 'b: 1\na: *nope\n', 2],
    ['a value that has itself within it', 'a: &a\n  b: *a\n', 2],
    ['aliases that would fill the memory', bomb(), 2],
  ])('with %s is left alone, with its line', async (_name, text, line) => {
    expect(await plan('goose', text)).toMatchObject({
      ...{ status: 'unreadable', reason: expect.stringContaining(`config.yaml:${line}: `) },
    })
  })

  it('whose entry others refer to is left alone', async () => {
    const text = 'extensions:\n  moon: &m\n    cmd: a\nother: *m\n'
    expect(await plan('goose', text, { replace: true })).toMatchObject({
      ...{ status: 'unreadable', reason: expect.stringContaining('without changing something else') },
    })
  })

  it('that has a list in the place of names is left alone', async () => {
    expect(await plan('goose', 'extensions:\n- a\n')).toMatchObject({ status: 'unreadable' })
  })
})

function bomb(): string {
  const names = ['a', 'b', 'c', 'd', 'e', 'f', 'g']
  const level = (name: string, at: number) =>
    `${name}: &${name} [${Array.from({ length: 9 }, () => (at === 0 ? 'x' : `*${names[at - 1]}`)).join(', ')}]\n`
  return names.map(level).join('')
}

describe('YAML in flow style that others have changed since', () => {
  const theirs = 'theirs: { enabled: true, cmd: a }'
  it.each([
    ['at the end', `extensions: {${theirs}}\nmodel: x\n`],
    ['alone', 'extensions: {}\nmodel: x\n'],
    ['in lines, with a remark', `extensions: {\n  # mine\n  ${theirs},\n}\nmodel: x\n`],
    ['with everything around it', `{ extensions: { ${theirs} }, model: x }\n`],
    ['and nothing around it', '{ model: x }\n'],
  ])('is without the entry, and else as it was: %s', async (_name, text) => {
    const done = await planned('goose', text)
    await apply(done)
    const now = readFileSync(done.settings.real, 'utf8')
    writeFileSync(done.settings.real, now.replace('model: x', 'model: y').replace('"moon": ', 'moon :   '))
    await uninstall(done)
    const left = readFileSync(done.settings.real, 'utf8')
    const before = parseYaml(text.replace('model: x', 'model: y'))
    expect(parseYaml(left)).toEqual(before)
    if (text.includes('# mine')) expect(left).toContain('  # mine\n')
  })
})

it.each([
  ['between others', 'extensions: { a: 1, moon: { cmd: b }, c: 2 }\n', 'extensions: { a: 1, c: 2 }\n'],
  ['at the end', 'extensions: { a: 1, moon: { cmd: b } }\n', 'extensions: { a: 1 }\n'],
  ['before a last comma', 'extensions: { a: 1, moon: { cmd: b }, }\n', 'extensions: { a: 1, }\n'],
  [
    'in a line of its own',
    'extensions: {\n  a: 1, # one\n  moon: { cmd: b }, # two\n  c: 2,\n}\n',
    undefined,
  ],
])('an entry of YAML in flow style is taken out %s', (_where, text, left) => {
  const dropped = dropEntry(yaml, text, ['extensions', 'moon'])
  if (left !== undefined) expect(dropped).toBe(left)
  expect(parseYaml(dropped)).toEqual({ extensions: { a: 1, ...(text.includes('c:') && { c: 2 }) } })
})

describe('a script that ends before its last line', () => {
  const line = /^mcp add moon .*$/m

  it.each([
    ['a word for it', 'option a\nexit 0\n'],
    ['one in a line with others', 'option a; exit\n'],
    ['one that returns', 'option a\nreturn 0 # enough\noption b\n'],
    ['one after blocks', 'if x; then exit 1; fi\ncase $a in\n  b) exit 2 ;;\nesac\n(exit 3)\nexit\n'],
  ])('has the entry before its end: %s', async (_name, text) => {
    const done = await planned('crush', text)
    await apply(done)
    const now = readFileSync(done.settings.real, 'utf8')
    const ran = spawnSync('bash', ['-c', `mcp() { echo "mcp $*"; }; option() { :; }; x() { false; }\n${now}`])
    expect(ran.stdout.toString()).toMatch(line)
    await uninstall(done)
    expect(readFileSync(done.settings.real, 'utf8')).toBe(text)
  })

  it.each([
    ['where it depends', '[ -n "$A" ] || exit 0\nif a; then\nexit 1\nfi\nf() {\n  return 1\n}\n'],
    ['where it is a text', 'cat <<END\nexit 0\nEND\n'],
    ['where it is of another shell', '(exit 1)\ntrue | exit 1\n'],
  ])('has it at the end %s', async (_name, text) => {
    expect((await planned('crush', text)).after.startsWith(text)).toBe(true)
  })

  it('takes an entry that nobody gets to for none', async () => {
    const found = await planned('crush', 'exit 0\nmcp add moon --type stdio --command old\n')
    expect(found.replaced).toBeUndefined()
    expect(found.after).toMatch(/^mcp add moon .*\nexit 0\nmcp add moon --type stdio --command old\n$/)
  })
})

it('a line of a file that cannot be changed is one that it has', async () => {
  expect(await plan('codex', 'mcp_servers = { a = { command = "b" } }\n')).toMatchObject({
    reason: expect.stringMatching(/config\.toml:1: it cannot be changed/),
  })
})

it('a character that JSON takes as it is, and TOML does not, is written as each wants it', () => {
  const value = { command: 'a\u007f\u0085' }
  expect(jsonc.parse(putEntry(jsonc, '{}', { path: ['a', 'b'], value }))).toEqual({ a: { b: value } })
  expect(toml.put('', ['a', 'b'], value)).toContain('"a\\u007f\u0085"')
})

it.each(['codex', 'goose'])('a variable that %s would not fill in is refused', async (id) => {
  const server = { ...MOON, args: ['--key=${KEY}'] }
  expect(await plan(id, undefined, { server })).toMatchObject({
    ...{ status: 'refused', reason: expect.stringContaining('KEY') },
  })
})

describe('what is written down', () => {
  it('is there before the file is, so that nothing is written that cannot be taken out', async () => {
    mkdirSync(join(home, 'state'))
    writeFileSync(join(home, 'state', 'installs.json'), '{broken')
    const found = await planned('cursor')
    await expect(apply(found)).rejects.toThrow('cannot be read')
    expect(existsSync(found.settings.real)).toBe(false)
  })

  it.each([
    ['[]', 'expected an object'],
    ['null', 'expected an object'],
    ['{"/a": 3}', '"/a": expected an object, got'],
    ['{"/a": {"hash": "x"}}', '"/a": records: expected an array'],
    ['{"/a": {"hash": "x", "records": [null]}}', '"/a": records[0]: expected an object'],
    [
      '{"/a": {"hash": "x", "records": [{"name": "moon", "hosts": "cursor"}]}}',
      '"/a": records[0].hosts: expected an array',
    ],
    [
      '{"/a": {"hash": "x", "records": [{"name": "m", "hosts": [], "file": "a", "format": "ini", "path": []}]}}',
      '"/a": records[0].format: expected',
    ],
  ])('and is not ours, %s, is told with its place', async (text, message) => {
    mkdirSync(join(home, 'state'))
    writeFileSync(join(home, 'state', 'installs.json'), text)
    expect(() => readJournal()).toThrow(message)
    expect(() => readJournal()).toThrow(/installs\.json cannot be read: .* move it away/)
  })

  it('is as it was where the file could not be written', async () => {
    const found = await planned('cursor', '{}')
    writeFileSync(found.settings.real, '{"theirs":1}')
    await expect(apply(found)).rejects.toThrow('changed by somebody else')
    expect(readJournal()).toEqual({})
  })

  it('is no hindrance where what it tells of never came to be', async () => {
    const found = await planned('cursor', '{ "a": 1 }')
    await apply(found)
    writeFileSync(found.settings.real, '{ "a": 1 }')
    await apply(await planned('cursor'))
    await uninstall(found)
    expect(readFileSync(found.settings.real, 'utf8')).toBe('{ "a": 1 }')
    expect(readJournal()).toEqual({})
  })
})

it('several at once do not forget about each other', async () => {
  const text = '{ "a": 1 }'
  const found = await planned('cursor', text)
  const { host, file } = found
  const names = ['one', 'two', 'three', 'four']
  for (let left = names; left.length > 0; ) {
    const plans = await Promise.all(
      left.map((name) => planAll([[host, file]], { server: { ...MOON, name }, replace: false })),
    )
    const done = await Promise.allSettled(plans.flat().map((one) => apply(one as Planned)))
    left = left.filter((_name, at) => done[at]?.status === 'rejected')
  }
  for (const name of names) await undo(await planUndo(file.path, historyOf(found), name))
  expect(readFileSync(file.path, 'utf8')).toBe(text)
})

it('a file that was made for an entry stays if somebody has changed it since it was looked at', async () => {
  const found = await planned('cursor')
  await apply(found)
  const undoing = await planUndo(found.settings.real, historyOf(found), 'moon')
  writeFileSync(found.settings.real, '{"theirs":1}')
  chmodSync(found.settings.real, 0o600)
  await expect(undo(undoing)).rejects.toThrow('changed by somebody else')
  expect(readFileSync(found.settings.real, 'utf8')).toBe('{"theirs":1}')
})
