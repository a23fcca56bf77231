import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { apply } from '../../src/cli/install/apply.ts'
import { findEntry } from '../../src/cli/install/edit.ts'
import { FORMATS } from '../../src/cli/install/formats/index.ts'
import {
  type HostFile,
  type HostFolders,
  INSTALL_HOSTS,
  type InstallHost,
} from '../../src/cli/install/hosts.ts'
import type { Installable } from '../../src/cli/install/installable.ts'
import { readJournal } from '../../src/cli/install/journal.ts'
import { type Plan, type Planned, planAll } from '../../src/cli/install/plan.ts'
import { planUndo, undo } from '../../src/cli/install/undo.ts'
import { BROKEN, FOREIGN, TEXTS } from './texts.ts'

const MOON: Installable = {
  name: 'moon',
  command: '/usr/bin/node',
  args: ['/opt/my tools/"moon".js', '--root', "/home/ann/it's"],
  env: { MOON_KEY: '${MOON_KEY}', MODE: 'a b' },
}

const folder = mkdtempSync(join(tmpdir(), 'perigee-install-'))
let perigeeHome: string | undefined
beforeAll(() => {
  perigeeHome = process.env['PERIGEE_HOME']
  process.env['PERIGEE_HOME'] = join(folder, 'state')
})
afterAll(() => {
  if (perigeeHome === undefined) delete process.env['PERIGEE_HOME']
  else process.env['PERIGEE_HOME'] = perigeeHome
  rmSync(folder, { recursive: true })
})

/** A machine with nothing on it. */
function machine(): HostFolders {
  const home = mkdtempSync(join(folder, 'home-'))
  const config = join(home, '.config')
  return { platform: 'linux', home, config, settings: config, variable: () => undefined }
}

/** The file that a host would have there, with a text in it unless there is to be none. */
function fileOf(host: InstallHost, text?: string, folders = machine()): HostFile {
  const [file] = host.user(folders)
  if (file === undefined) throw new Error(`${host.id} has no file`)
  if (text === undefined) return file
  mkdirSync(dirname(file.path), { recursive: true })
  writeFileSync(file.path, text)
  return file
}

async function plan(
  host: InstallHost,
  file: HostFile,
  { server = MOON, replace = false } = {},
): Promise<Plan> {
  const [found] = await planAll([[host, file]], { server, replace })
  if (found === undefined) throw new Error('nothing was planned')
  return found
}

async function install(host: InstallHost, file: HostFile, options = {}): Promise<Planned> {
  const found = await plan(host, file, options)
  if (!('after' in found)) throw new Error(`${found.status}: ${found.reason}`)
  if (found.status === 'write') await apply(found)
  return found
}

async function uninstall(real: string, name = 'moon') {
  const history = readJournal()[real]
  if (history === undefined) throw new Error(`nothing is known of ${real}`)
  const undoing = await planUndo(real, history, name)
  await undo(undoing)
  return undoing
}

const read = (path: string) => readFileSync(path, 'utf8')
/** Whatever is a remark in any of these languages. */
const remarks = (text: string) => text.match(/(?:\/\/|#)[^\r\n]*|\/\*.*?\*\//g) ?? []

describe.each(INSTALL_HOSTS)('the file of $name', (host) => {
  const [{ format, under } = { format: 'json', under: [''] } as const] = host.user(machine())
  const texts = Object.entries(TEXTS[format](under.at(-1) ?? ''))

  it.each(texts)('with %s is changed by an entry alone, and put back byte for byte', async (_name, text) => {
    const file = fileOf(host, text)
    chmodSync(file.path, 0o640)
    const { path, value } = await install(host, file)
    const changed = read(file.path)
    expect(findEntry(await FORMATS[format](), changed, path)).toEqual(value)
    expect(changed).toEqual(expect.stringContaining('moon'))
    expect(remarks(changed)).toEqual(expect.arrayContaining([...remarks(text)]))
    if (text.includes('\r\n')) expect(changed.replaceAll('\r\n', '')).not.toContain('\n')
    expect(statSync(file.path).mode & 0o777).toBe(0o640)
    expect(await plan(host, file)).toMatchObject({ status: 'unchanged' })
    expect((await uninstall(file.path)).exact).toBe(true)
    expect(read(file.path)).toBe(text)
    expect(statSync(file.path).mode & 0o777).toBe(0o640)
    expect(readdirSync(dirname(file.path))).toHaveLength(1)
  })

  it('that is not there is made with its folders, and goes with them', async () => {
    const folders = machine()
    const file = fileOf(host, undefined, folders)
    await install(host, file)
    expect(existsSync(file.path)).toBe(true)
    await uninstall(file.path)
    expect(readdirSync(folders.home)).toEqual([])
  })

  it('keeps an entry that differs unless it is to be replaced, and gets it back', async () => {
    const text = FOREIGN[format](under.at(-1) ?? '')
    const file = fileOf(host, text)
    expect(await plan(host, file)).toMatchObject({
      status: 'differs',
      reason: expect.stringContaining('--replace'),
    })
    expect(read(file.path)).toBe(text)
    const { path, value } = await install(host, file, { replace: true })
    expect(findEntry(await FORMATS[format](), read(file.path), path)).toEqual(value)
    await uninstall(file.path)
    expect(read(file.path)).toBe(text)
  })

  it('is written where a link leads, and the link stays', async () => {
    const [, text = ''] = texts[0] ?? []
    const file = fileOf(host, text)
    const real = `${file.path}.real`
    writeFileSync(real, text)
    rmSync(file.path)
    symlinkSync(real, file.path)
    await install(host, file)
    expect(lstatSync(file.path).isSymbolicLink()).toBe(true)
    expect(read(real)).not.toBe(text)
    await uninstall(real)
    expect([lstatSync(file.path).isSymbolicLink(), read(real)]).toEqual([true, text])
  })

  it('that may not be written is left alone, and what would stand in it is shown', async () => {
    const [, text = ''] = texts[0] ?? []
    const file = fileOf(host, text)
    chmodSync(file.path, 0o444)
    expect(await plan(host, file)).toMatchObject({
      status: 'unwritable',
      snippet: expect.stringContaining('moon'),
    })
    expect(read(file.path)).toBe(text)
  })

  it('that cannot be read is left alone, with its line', async () => {
    const [text, line] = BROKEN[format]
    const file = fileOf(host, text)
    const shown = text.split('\n')[line - 1]?.trim()
    expect(await plan(host, file)).toMatchObject({
      ...{ status: 'unreadable', reason: expect.stringMatching(`:${line}: `) },
    })
    expect(await plan(host, file)).toMatchObject({ reason: expect.stringContaining(shown ?? '') })
    expect(read(file.path)).toBe(text)
  })

  it.each(texts)('with %s, changed by others since, loses the entry alone', async (_name, text) => {
    const file = fileOf(host, text)
    const { path } = await install(host, file)
    const added = format === 'json' ? '\n// theirs\n' : '\n# theirs\n'
    writeFileSync(file.path, read(file.path) + added)
    const { exact } = await uninstall(file.path)
    const left = read(file.path)
    const { parse } = await FORMATS[format]()
    expect(exact).toBe(false)
    expect(left.endsWith(added)).toBe(true)
    expect(findEntry(await FORMATS[format](), left, path)).toBeUndefined()
    expect(remarks(left)).toEqual(expect.arrayContaining([...remarks(text)]))
    expect(withoutEmpty(parse(left.replace('\uFEFF', '')))).toEqual(
      withoutEmpty(parse(text.replace('\uFEFF', ''))),
    )
  })
})

/** Whether a name with nothing behind it is there makes no difference to a host. */
function withoutEmpty(settings: object): object {
  return Object.fromEntries(
    Object.entries(settings).filter(([, one]) => one !== null && JSON.stringify(one) !== '{}'),
  )
}

describe('several servers in one file', () => {
  const names = ['one', 'two', 'three']

  it.each([
    ['one', 'two', 'three'],
    ['three', 'two', 'one'],
    ['two', 'one', 'three'],
  ])('are taken out in any order: %s, %s, %s', async (...order) => {
    for (const host of INSTALL_HOSTS) {
      const [{ format, under } = { format: 'json', under: [''] } as const] = host.user(machine())
      const text = TEXTS[format](under.at(-1) ?? '')['comments'] ?? ''
      const file = fileOf(host, text)
      for (const name of names) await install(host, file, { server: { ...MOON, name } })
      for (const name of order) expect((await uninstall(file.path, name)).exact).toBe(true)
      expect(read(file.path)).toBe(text)
    }
  })
})
