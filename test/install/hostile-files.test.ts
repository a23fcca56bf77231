import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { apply } from '../../src/cli/install/apply.ts'
import { putEntry } from '../../src/cli/install/edit.ts'
import { jsonc } from '../../src/cli/install/formats/jsonc.ts'
import { toml } from '../../src/cli/install/formats/toml.ts'
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
