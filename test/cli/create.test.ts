import { execFileSync, spawnSync } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { makeProject } from '../../src/cli/create/make-project.ts'
import { dependencyOn } from '../../src/cli/create/origin.ts'
import { PERIGEE, perigee } from './run.ts'
import { needTerminal, typeAt } from './terminal.ts'

const ROOT = join(import.meta.dirname, '..', '..')
const FILES = [
  ...['.gitignore', 'AGENTS.md', 'README.md', 'package.json', 'server.ts', 'test', 'tsconfig.json'],
]

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'perigee-create-'))
})
afterAll(() => rmSync(folder, { recursive: true }))

/** Somewhere with nothing in it. */
function fresh(): string {
  return mkdtempSync(join(folder, 'in-'))
}

function create(cwd: string, ...args: readonly string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [PERIGEE, 'create', ...args], {
    cwd,
    encoding: 'utf8',
    input: '',
    timeout: 60_000,
  })
  return { status, stdout, stderr }
}

describe('what is made', () => {
  let project: string
  let said: ReturnType<typeof create>
  beforeAll(() => {
    const cwd = fresh()
    said = create(cwd, 'weather', '--description', 'Tells the "weather" for $& and $1')
    project = join(cwd, 'weather')
    // As npm install would, without waiting for it.
    mkdirSync(join(project, 'node_modules', '@types'), { recursive: true })
    symlinkSync(ROOT, join(project, 'node_modules', 'perigee'))
    for (const name of ['typescript', '@types/node', 'undici-types', 'jiti'])
      symlinkSync(join(ROOT, 'node_modules', name), join(project, 'node_modules', name))
  })

  const npm = (...args: readonly string[]) =>
    execFileSync('npm', ['run', '--silent', ...args], {
      cwd: project,
      encoding: 'utf8',
      env: { ...process.env, PATH: `${join(ROOT, 'node_modules', '.bin')}:${process.env['PATH']}` },
    })

  it('is told with what to do next, line by line', () => {
    expect({ ...said, stdout: '' }).toEqual({ status: 0, stdout: '', stderr: '' })
    expect(said.stdout).toContain('\n  cd weather\n  npm install\n  npm test\n  npm run dev\n')
    expect(said.stdout).toContain(`claude mcp add weather -- npx perigee dev ${join(project, 'server.ts')}\n`)
    expect(readdirSync(project).filter((name) => name !== 'node_modules')).toEqual(FILES)
  })

  it('has the name and the description that were given, and no others', () => {
    const manifest = JSON.parse(readFileSync(join(project, 'package.json'), 'utf8'))
    expect(manifest).toMatchObject({ name: 'weather', description: 'Tells the "weather" for $& and $1' })
    expect(readFileSync(join(project, 'README.md'), 'utf8')).toMatch(
      /^# weather\n\nTells the "weather" for \$& and \$1\n/,
    )
    expect(readFileSync(join(project, 'server.ts'), 'utf8')).toContain("defineServer({ name: 'weather'")
    for (const file of ['AGENTS.md', 'README.md', 'package.json', 'server.ts', 'tsconfig.json'])
      expect(readFileSync(join(project, file), 'utf8')).not.toContain('my-server')
  })

  it('depends on the package that made it', () => {
    const manifest = JSON.parse(readFileSync(join(project, 'package.json'), 'utf8'))
    expect(manifest.dependencies).toEqual({ perigee: `file:${ROOT}` })
  })

  it('passes its tests, and builds', () => {
    expect(npm('test')).toMatch(/^(# |ℹ )pass 2$/m)
    rmSync(join(project, 'dist'), { recursive: true })
    npm('build')
    expect(existsSync(join(project, 'dist', 'server.js'))).toBe(true)
  })

  it('fails its tests when its types are wrong, or its tool is', () => {
    const file = join(project, 'server.ts')
    const text = readFileSync(file, 'utf8')
    try {
      for (const wrong of [text.replace("'Near is good'", '42'), text.replace('Hello,', 'Goodbye,')]) {
        writeFileSync(file, wrong)
        expect(() => npm('test')).toThrow()
      }
    } finally {
      writeFileSync(file, text)
    }
  })

  it('is served, and its tool called, as it says', async () => {
    const line = 'npx perigee call hello name=you -- npx perigee serve'
    for (const file of ['AGENTS.md', 'README.md'])
      expect(readFileSync(join(project, file), 'utf8')).toContain(line)
    npm('build')
    const serve = ['--', process.execPath, PERIGEE, 'serve', 'dist/server.js']
    expect(await perigee(['call', 'hello', 'name=you', ...serve], '', project)).toMatchObject({
      status: 0,
      stdout: 'Hello, you!\n',
    })
    const dev = ['--', process.execPath, PERIGEE, 'dev', 'server.ts']
    expect((await perigee(['call', 'hello', 'name=you', ...dev], '', project)).stdout).toBe('Hello, you!\n')
    expect((await perigee(['ping', ...serve], '', project)).stdout).toMatch(/^weather 1\.0\.0 answers in /)
  })

  it('is what the docs show, and asks for what we are tested with', () => {
    const docs = ['README.md', 'docs/AUTHORS.md'].map((file) => readFileSync(join(ROOT, file), 'utf8')).join()
    const blocks = [...readFileSync(join(project, 'server.ts'), 'utf8').matchAll(/^const [\s\S]*?^\}\)$/gm)]
    expect(blocks).toHaveLength(2)
    for (const [block] of blocks) expect(docs).toContain(block)
    const ours = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))
    const theirs = JSON.parse(readFileSync(join(ROOT, 'templates/project/_package.json'), 'utf8'))
    const bare = (range: string) => range.replace(/^[~^]/, '')
    for (const [name, range] of Object.entries<string>(theirs.devDependencies))
      expect([name, bare(range)]).toEqual([name, bare(ours.devDependencies[name])])
    expect(theirs.engines).toEqual(ours.engines)
    expect(theirs.dependencies).toEqual({ perigee: '*' })
  })
})

describe('where it goes', () => {
  it('is my-server where nothing is said and nobody can be asked', () => {
    const cwd = fresh()
    expect(create(cwd).status).toBe(0)
    expect(readdirSync(join(cwd, 'my-server'))).toEqual(FILES)
    expect(create(cwd, '--yes')).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('is there already, with .gitignore, AGENTS.md, README.md … in it'),
    })
  })

  it('is the folder one is in, if that is empty or a new repository', () => {
    const cwd = join(fresh(), 'here')
    mkdirSync(join(cwd, '.git'), { recursive: true })
    const { status, stdout } = create(cwd, '.')
    expect(status).toBe(0)
    expect(stdout).not.toContain('  cd ')
    expect(readdirSync(cwd)).toEqual(['.git', ...FILES])
  })

  it('may be folders away, which are made', () => {
    const cwd = fresh()
    expect(create(cwd, 'a/b/deep-one').stdout).toContain('\n  cd a/b/deep-one\n')
    expect(readdirSync(join(cwd, 'a', 'b', 'deep-one'))).toEqual(FILES)
  })

  it('overwrites nothing', () => {
    const cwd = fresh()
    mkdirSync(join(cwd, 'full'))
    writeFileSync(join(cwd, 'full', 'server.ts'), 'mine')
    writeFileSync(join(cwd, 'file'), 'mine')
    symlinkSync(join(cwd, 'nowhere'), join(cwd, 'dangling'))
    expect(create(cwd, 'full')).toMatchObject({ status: 2, stdout: '' })
    expect(create(cwd, 'file').stderr).toContain('is there already, and is no folder')
    expect(create(cwd, 'dangling')).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('dangling cannot be made: something of that name is there already'),
    })
    expect(readFileSync(join(cwd, 'full', 'server.ts'), 'utf8')).toBe('mine')
    expect(readdirSync(cwd)).toEqual(['dangling', 'file', 'full'])
  })

  it('must be a place where folders can be', () => {
    const cwd = fresh()
    writeFileSync(join(cwd, 'file'), '')
    expect(create(cwd, 'file/x')).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('file/x cannot be made: a part of the path is a file'),
    })
  })

  it('must be a place that one may write to', ({ skip }) => {
    const cwd = fresh()
    chmodSync(folder, 0o755)
    chmodSync(cwd, 0o555)
    // To whom everything is allowed is somebody else here.
    const options = { cwd, encoding: 'utf8', ...(process.getuid?.() === 0 && { uid: 65_534 }) } as const
    const knows = spawnSync(process.execPath, [PERIGEE, '--version'], options).status === 0
    skip(!knows, 'somebody else may not read this folder')
    const { status, stderr } = spawnSync(process.execPath, [PERIGEE, 'create', 'x'], options)
    expect([status, stderr]).toEqual([
      2,
      expect.stringContaining('x cannot be made: you may not write there'),
    ])
  })

  it('leaves nothing of what could not be made whole, and everything that was there', () => {
    const cwd = join(fresh(), 'a', 'b')
    const files = [
      { path: 'one', text: '1' },
      { path: join('two', 'three'), text: '2' },
      { path: join('one', 'four'), text: '4' },
    ]
    expect(() => makeProject(cwd, files)).toThrow(/cannot be made/)
    expect(existsSync(join(cwd, '..'))).toBe(false)
    mkdirSync(join(cwd, '.git'), { recursive: true })
    expect(() => makeProject(cwd, files)).toThrow(/cannot be made/)
    expect(readdirSync(cwd)).toEqual(['.git'])
  })
})

describe('what cannot be', () => {
  it.each([
    ['Weather Server', 'Would weather-server do?'],
    ['_x', 'Would x do?'],
    ['Ünï', 'Would uni do?'],
    ['', 'expected up to 64 small letters'],
    ['x'.repeat(65), 'expected up to 64 small letters'],
    ['/', 'expected up to 64 small letters'],
    ['été', 'expected up to 64 small letters'],
    ['node_modules', 'npm reserves it'],
    ['http', 'it is a part of Node'],
    ['perigee', 'npm installs no package into one of the same name'],
    ['nul', 'Windows has no such folder'],
    ['con.server', 'Windows has no such folder'],
    ['@me/weather', 'a folder has no scope. Create weather, and put @me/weather into its package.json'],
  ])('the name %j is refused in a sentence', (name, sentence) => {
    const cwd = fresh()
    const { status, stdout, stderr } = create(cwd, name)
    expect(stderr).toContain(sentence)
    expect([status, stdout, stderr.trimEnd().split('\n').length, readdirSync(cwd)]).toEqual([2, '', 1, []])
  })

  it.each([
    [['x', 'y'], 'expected one name, got "x", "y"'],
    [['x', '--ye'], 'there is no option --ye. Did you mean --yes?'],
    [['x', '--description', 'two\nlines'], 'description: expected one line of up to 200 characters'],
    [['x', '--description='], 'description: expected one line of up to 200 characters'],
  ])('%j is refused in a sentence', (args, sentence) => {
    const cwd = fresh()
    expect(create(cwd, ...args)).toMatchObject({
      status: 2,
      stdout: '',
      stderr: expect.stringContaining(sentence),
    })
    expect(readdirSync(cwd)).toEqual([])
  })

  it('is explained with --help, which has an example', () => {
    expect(create(fresh(), '--help')).toMatchObject({
      status: 0,
      stdout: expect.stringContaining('Example: perigee create weather'),
    })
  })
})

describe('on a terminal', () => {
  beforeEach(needTerminal)

  const [CALLED, DOES] = ['What is it called? (my-server) ', 'What does it do? (An MCP server) ']
  const type = (cwd: string, args: readonly string[], turns: readonly (readonly [string, string])[]) =>
    typeAt([process.execPath, PERIGEE, 'create', ...args], cwd, turns)

  it('asks for what was not said, again where the answer will not do', async () => {
    const cwd = fresh()
    const turns = [
      [CALLED, 'No Name\n'],
      [`Would no-name do?\n${CALLED}`, 'sky\n'],
      [DOES, 'Looks up\n'],
    ] as const
    expect(await type(cwd, [], turns)).toMatchObject({ status: 0 })
    const manifest = JSON.parse(readFileSync(join(cwd, 'sky', 'package.json'), 'utf8'))
    expect(manifest).toMatchObject({ name: 'sky', description: 'Looks up' })
  })

  it('looks at what was said before it asks for the rest', async () => {
    const cwd = fresh()
    const { shown, status } = await type(cwd, ['No'], [])
    expect([status, shown]).toEqual([
      2,
      expect.stringMatching(/^perigee: "No" cannot be the name of a project/),
    ])
    expect((await type(cwd, ['yes'], [[DOES, '\n']])).shown).not.toContain(CALLED)
    expect(readdirSync(join(cwd, 'yes'))).toEqual(FILES)
  })

  it('takes the defaults of whoever just presses Return, and asks nothing with --yes', async () => {
    const cwd = fresh()
    await type(
      cwd,
      [],
      [
        [CALLED, '\n'],
        [DOES, '\n'],
      ],
    )
    expect(readdirSync(join(cwd, 'my-server'))).toEqual(FILES)
    expect((await type(cwd, ['other', '--yes'], [])).shown).not.toContain('What')
    expect(readdirSync(join(cwd, 'other'))).toEqual(FILES)
  })

  it.each([
    ['Ctrl-D', '\u0004'],
    ['Ctrl-C', '\u0003'],
  ])('makes nothing for whoever presses %s', async (_name, key) => {
    const cwd = fresh()
    const { shown, status } = await type(cwd, [], [[CALLED, key]])
    expect(shown).toContain('perigee: nothing was made')
    expect([status, readdirSync(cwd)]).toEqual([130, []])
  })
})

describe('where the package comes from', () => {
  const installedFrom = (resolved: string | undefined) => {
    const cwd = fresh()
    const modules = join(cwd, 'node_modules')
    mkdirSync(join(modules, 'perigee'), { recursive: true })
    writeFileSync(join(cwd, 'p.tgz'), '')
    const packages = { 'node_modules/perigee': { version: '1.2.3', resolved } }
    if (resolved !== undefined)
      writeFileSync(join(modules, '.package-lock.json'), JSON.stringify({ packages }))
    return dependencyOn(join(modules, 'perigee'), '1.2.3').replace(cwd, '…')
  }

  it.each([
    ['a tarball', 'file:p.tgz', 'file:…/p.tgz'],
    ['a tarball that is gone', 'file:gone.tgz', '^1.2.3'],
    ['an address', 'https://example.com/perigee-1.2.3.tgz', '^1.2.3'],
    ['somebody who does not say', undefined, '^1.2.3'],
  ])('is written down: %s', (_name, resolved, expected) => {
    expect(installedFrom(resolved)).toBe(expected)
  })
})
