import { execFile, execFileSync } from 'node:child_process'
import {
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { LineProcess, type ProcessOptions } from '../setup/process.ts'

const ROOT = join(import.meta.dirname, '..', '..')
const PROBE = join(import.meta.dirname, 'compiled-probe.mjs')

/** A package of its own, in which things can be broken. */
const folder = mkdtempSync(join(tmpdir(), 'perigee-compiled-'))
cpSync(join(ROOT, 'package.json'), join(folder, 'package.json'))
for (const name of ['index.js', 'parts', 'process', 'client', 'testing'])
  cpSync(join(ROOT, 'dist', name), join(folder, 'dist', name), { recursive: true })
afterAll(() => rmSync(folder, { recursive: true }))

const CACHE = join(folder, 'dist', '.cache')
const [body = ''] = readdirSync(join(folder, 'dist', 'parts')).filter((name) =>
  /^core-\w{12}\.js$/.test(name),
)
const kept = join(CACHE, body.replace('.js', ''))
const text = join(folder, 'dist', 'parts', body)
const WRITTEN = 1_000_000_000 // In seconds: what was written then is not mistaken for what is written now.
utimesSync(text, WRITTEN, WRITTEN)
const { mtimeMs } = statSync(text)
const file = join(kept, `${process.versions.v8}-${process.platform}-${process.arch}-${mtimeMs.toString(36)}`)

beforeEach(() => rmSync(CACHE, { recursive: true, force: true }))

interface Said {
  /** Whether there was something for V8, whether V8 took it, and whether something will be kept. */
  readonly given: boolean
  readonly taken: boolean
  readonly keeps: boolean
  readonly answer: string
}

const FIRST: Said = { given: false, taken: false, keeps: true, answer: 'hi' }
const LATER: Said = { given: true, taken: true, keeps: false, answer: 'hi' }

const open = (how: readonly string[], env: ProcessOptions['env'] = {}) =>
  new LineProcess(PROBE, {
    args: [pathToFileURL(folder).href, ...how],
    env: { NODE_OPTIONS: '', NODE_V8_COVERAGE: '', ...env },
  })

/** What a start says, which ends when `until` is so. */
async function start(
  how: readonly string[] = [],
  { until = (): boolean => true, env = {} } = {},
): Promise<Said> {
  const child = open(how, env)
  try {
    const said = JSON.parse((await child.lines.next()) ?? '{}') as Said
    await expect.poll(until).toBe(true)
    expect(await child.end()).toBe(0)
    expect(child.stderr).toBe('')
    return said
  } finally {
    await child.kill()
  }
}

const FLAGS = { NODE_OPTIONS: '--max-old-space-size=300' }

function isWhole(): boolean {
  if (!existsSync(file)) return false
  const twice = readFileSync(file)
  const half = twice.length / 2
  return half > 10_000 && twice.subarray(0, half).equals(twice.subarray(half))
}

/** Starts once, until what was compiled is kept and what is spare is gone. */
const keep = (...how: readonly string[]) =>
  start(['at-once', ...how], { until: () => isWhole() && !readdirSync(kept).some(isUnfinished) })

const isUnfinished = (name: string) => name.endsWith('.new')

describe('what V8 has compiled', () => {
  it('is kept a moment after the first start, and taken by the next', async () => {
    expect(await start([], { until: isWhole })).toEqual(FIRST)
    expect(await start()).toEqual(LATER)
  })

  it('is not kept by a process that has ended by then', async () => {
    expect(await start()).toEqual(FIRST)
    expect(existsSync(CACHE)).toBe(false)
  })

  it('is kept and taken by threads as well', async () => {
    expect(await keep('thread')).toEqual(FIRST)
    expect(await start(['thread'])).toEqual(LATER)
  })

  it('can be written by its owner alone, whatever else the process lets others write', async () => {
    await keep('umask')
    for (const path of [CACHE, kept, file]) expect(statSync(path).mode & 0o022, path).toBe(0)
  })

  it('can be read by all, whatever the process hides from others', async () => {
    await keep('umask-077')
    expect([CACHE, kept, file].map((path) => statSync(path).mode & 0o777)).toEqual([0o755, 0o755, 0o644])
  })

  it('is not taken for a text that was changed in place, however long that is', async () => {
    await keep()
    const before = readFileSync(text, 'utf8')
    writeFileSync(
      text,
      before.replace('"listChanged"', '"LISTChanged"').replace('listChanged:', 'LISTChanged:'),
    )
    expect(await start()).toEqual(FIRST)
    writeFileSync(text, before)
    utimesSync(text, WRITTEN, WRITTEN)
    expect(await start()).toEqual(LATER)
  })

  it('is left alone where a pipe stands in its place', async () => {
    mkdirSync(kept, { recursive: true })
    execFileSync('mkfifo', [file])
    expect(await start()).toEqual(FIRST)
  })

  it('is not kept by who is not the owner of the package', async ({ skip }) => {
    skip(process.getuid?.() !== 0, 'only root can give a folder to somebody else')
    const dist = join(folder, 'dist')
    chownSync(dist, 65534, 65534)
    expect(await start(['at-once'])).toEqual(FIRST)
    chownSync(dist, 0, 0)
    expect(existsSync(CACHE)).toBe(false)
  })

  it('is kept once by many that start together, and nothing is left over', async () => {
    const children = Array.from({ length: 6 }, () => open(['at-once']))
    try {
      for (const child of children)
        expect(JSON.parse((await child.lines.next()) ?? '')).toMatchObject({ answer: 'hi' })
      await expect.poll(isWhole).toBe(true)
      for (const child of children) expect(await child.end()).toBe(0)
      expect(children.map(({ stderr }) => stderr).join('')).toBe('')
    } finally {
      for (const child of children) await child.kill()
    }
    expect(readdirSync(kept).filter((name) => !isUnfinished(name))).toHaveLength(1)
    expect(await start()).toEqual(LATER)
  })

  it.each([
    {
      what: 'of which a byte is another',
      damage: (bytes: Buffer) => bytes.fill(~(bytes[5000] ?? 0), 5000, 5001),
    },
    { what: 'of which the end is missing', damage: (bytes: Buffer) => bytes.subarray(0, 9001) },
    { what: 'that is another file', damage: () => Buffer.from('{}{') },
  ])('is not given to V8 where it is one $what, and is kept anew', async ({ damage }) => {
    await keep()
    writeFileSync(file, damage(readFileSync(file)))
    expect(await keep()).toEqual(FIRST)
    expect(await start()).toEqual(LATER)
  })

  it.each([
    { what: 'nothing', bytes: Buffer.alloc(0) },
    { what: 'zeros, as after a crash', bytes: Buffer.alloc(500_000) },
  ])('is kept anew where V8 refuses it: $what', async ({ bytes }) => {
    await keep()
    writeFileSync(file, bytes)
    expect(await keep()).toEqual({ given: true, taken: false, keeps: true, answer: 'hi' })
    expect(await start()).toEqual(LATER)
  })

  it('is not kept by a process with other flags, whether V8 takes it or not, so that two kinds of starts do not take turns', async () => {
    expect(await start([], { env: FLAGS })).toEqual({ ...FIRST, keeps: false })
    await keep()
    expect(await start([], { env: FLAGS })).toMatchObject({ given: true, keeps: false, answer: 'hi' })
    expect(await start()).toEqual(LATER)
  })

  it.each(['NODE_DISABLE_COMPILE_CACHE', 'NODE_V8_COVERAGE'])(
    'is left alone where %s is set',
    async (name) => {
      await keep()
      const env = { [name]: join(folder, 'elsewhere') }
      expect(await start([], { env })).toEqual({ ...FIRST, keeps: false })
    },
  )

  it('is done without, and in silence, where there is no place for it', async () => {
    writeFileSync(CACHE, 'a file where the folder would be')
    expect(await start(['at-once'])).toEqual(FIRST)
    expect(readFileSync(CACHE, 'utf8')).toBe('a file where the folder would be')
  })

  it('is done without, and in silence, where Node permits no writing', async () => {
    const permission = process.allowedNodeEnvironmentFlags.has('--permission')
      ? '--permission'
      : '--experimental-permission'
    const env = { NODE_OPTIONS: `${permission} --allow-fs-read=* --no-warnings` }
    expect(await start(['at-once'], { env })).toEqual({ ...FIRST, keeps: false })
    expect(existsSync(CACHE)).toBe(false)
  })
})

describe('what was kept before', () => {
  const plant = (...path: readonly string[]) => {
    mkdirSync(join(CACHE, ...path.slice(0, -1)), { recursive: true })
    writeFileSync(join(CACHE, ...path), 'old')
  }
  const own = body.replace('.js', '')

  it('of another text goes when that of this one is kept, and what was never finished with it', async () => {
    plant('core-000000000000', 'older')
    plant('listening-000000000000', 'of another body')
    plant(own, 'another-node')
    plant(own, 'some.1-2.new')
    await start(['at-once'], { until: () => isWhole() && !existsSync(join(kept, 'some.1-2.new')) })
    expect(readdirSync(CACHE).sort()).toEqual([own, 'listening-000000000000'])
    expect(readdirSync(kept)).toHaveLength(2)
  })

  it('for many other Nodes goes as well', async () => {
    for (let count = 0; count < 8; count++) plant(own, `node-${count}`)
    await start(['at-once'], { until: () => isWhole() && readdirSync(kept).length === 1 })
  })
})

describe('a core that is a script', () => {
  const run = async (lines: string, flags: readonly string[] = []) => {
    const script = `import * as perigee from '${pathToFileURL(join(folder, 'dist', 'index.js')).href}'\n${lines}`
    const args = [...flags, '--no-warnings', '--input-type=module', '-e', script]
    return (await promisify(execFile)(process.execPath, args)).stdout.trim()
  }

  it('exports what a part has put in the place of its stub', async () => {
    const lines = `
      const { openStore: stub } = perigee
      stub('memory:')
      console.log(stub === perigee.openStore, perigee.openStore.name)`
    expect(await run(lines)).toBe('false openStore')
  })

  it('tells in a stack which function of which file it was', async () => {
    const lines = `try { perigee.defineServer({ name: 5 }) } catch ({ stack }) { console.log(stack) }`
    expect(await run(lines)).toMatch(/at checkDefinition \(file:.*\/dist\/parts\/core-\w+\.js:\d+:\d+\)/)
  })

  it('belongs to the context that loads it, as with Jest', async () => {
    const lines = `
      import { readFileSync } from 'node:fs'
      import vm from 'node:vm'
      const url = '${pathToFileURL(join(folder, 'dist', 'parts', 'core.js')).href}'
      const context = vm.createContext({ process, URL, console })
      const initializeImportMeta = (meta) => Object.assign(meta, { url })
      const module = new vm.SourceTextModule(readFileSync(new URL(url), 'utf8'), { context, initializeImportMeta })
      await module.link(() => {})
      await module.evaluate()
      const { Function } = vm.runInContext('globalThis', context)
      const functions = () => Object.values(module.namespace).filter((one) => typeof one === 'function')
      const isOwn = () => functions().every((one) => one instanceof Function)
      const before = isOwn()
      const stub = functions().find(({ name }) => name === 'openStore')
      stub('memory:')
      console.log(functions().length > 100, before, functions().includes(stub), isOwn())`
    expect(await run(lines, ['--experimental-vm-modules'])).toBe('true true false true')
  })
})
