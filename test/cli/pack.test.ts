import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { pack } from '../../src/cli/commands/pack.ts'
import { makeBundle, manifestOf } from '../../src/cli/pack/bundle.ts'
import { collectFiles } from '../../src/cli/pack/collect.ts'
import { authorOf, repositoryOf } from '../../src/cli/pack/package-json.ts'
import { entryName, serverJson } from '../../src/cli/pack/server-json.ts'
import { zip } from '../../src/cli/pack/zip.ts'
import { connect } from '../../src/client/index.ts'
import { checkAgainst } from '../setup/draft-schemas.ts'
import { perigee } from './run.ts'
import { unzip } from './unzip.ts'

const ROOT = join(import.meta.dirname, '..', '..')
const folder = mkdtempSync(join(tmpdir(), 'perigee-pack-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const SERVER = `import { defineServer } from 'perigee'
import { text } from './words.mjs'
const hello = { name: 'hello', description: 'Says hello', run: () => text }
export default defineServer({ name: 'weather', version: '9.9.9', title: 'Weather', tools: [hello] })
`

const PACKAGE = {
  name: '@you/weather',
  version: '1.2.3',
  type: 'module',
  description: 'Tells the weather',
  author: 'Ann <ann@example.com> (https://example.com)',
  license: 'MIT',
  repository: 'github:you/weather',
  bin: 'server.js',
  dependencies: { perigee: '*' },
}

/** A package with a server in it, which finds perigee as a linked one. */
function makePackage(name: string, json: object, files: { readonly [path: string]: string } = {}): string {
  const place = join(folder, name)
  const all = {
    'package.json': JSON.stringify(json),
    'server.js': SERVER,
    'words.mjs': `export const text = 'Hello!'\n`,
    '.env': 'SECRET=1',
    ...files,
  }
  for (const [path, text] of Object.entries(all)) {
    mkdirSync(join(place, dirname(path)), { recursive: true })
    writeFileSync(join(place, path), text)
  }
  mkdirSync(join(place, 'node_modules'), { recursive: true })
  symlinkSync(ROOT, join(place, 'node_modules', 'perigee'))
  return place
}

interface Packed {
  readonly name: string
  readonly lock: string
  readonly files: readonly { readonly path: string; readonly sha256: string }[]
  readonly notes: readonly string[]
}

describe('a packed server', () => {
  const url = 'https://github.com/you/weather/releases/download/v1.2.3/weather.mcpb'
  let place = ''
  let packed: Packed
  let entry: { [name: string]: unknown }
  let files: ReturnType<typeof unzip>

  beforeAll(async () => {
    place = makePackage('weather', PACKAGE)
    const args = ['pack', 'server.js', '--json', '--out', 'release', '--bundle-url', url]
    const { status, stdout, stderr } = await perigee(args, '', place)
    expect([status, stderr]).toEqual([0, ''])
    packed = JSON.parse(stdout)
    entry = JSON.parse(readFileSync(join(place, 'release', 'server.json'), 'utf8'))
    files = unzip(readFileSync(join(place, 'release', 'weather.mcpb')))
  })

  it('has an entry for the registry, by its schema', () => {
    expect(checkAgainst('server.json', entry)).toEqual([])
    expect(entry).toMatchObject({
      name: 'io.github.you/weather',
      version: '1.2.3',
      title: 'Weather',
      description: 'Tells the weather',
      repository: { url: 'https://github.com/you/weather', source: 'github' },
      packages: [
        { registryType: 'npm', identifier: '@you/weather', version: '1.2.3' },
        { registryType: 'mcpb', identifier: url, fileSha256: packed.files[1]?.sha256 },
      ],
      _meta: { 'io.modelcontextprotocol.registry/publisher-provided': { 'perigee/lock': packed.lock } },
    })
    expect(packed.notes).toEqual([
      'the registry asks the package whose it is: add "mcpName": "io.github.you/weather" to package.json',
    ])
  })

  it('has a bundle with a manifest by its schema, and without what is nobody else’s business', () => {
    const manifest = JSON.parse(String(files.get('manifest.json')?.bytes))
    expect(checkAgainst('manifest.json', manifest)).toEqual([])
    expect(manifest).toMatchObject({
      name: 'weather',
      display_name: 'Weather',
      version: '1.2.3',
      author: { name: 'Ann', email: 'ann@example.com', url: 'https://example.com' },
      server: { type: 'node', entry_point: 'server.js' },
      tools: [{ name: 'hello', description: 'Says hello' }],
    })
    const paths = [...files.keys()]
    expect(paths).toEqual(paths.toSorted())
    expect(paths).toEqual(
      expect.arrayContaining(['server.js', 'words.mjs', 'node_modules/jose/package.json']),
    )
    expect(
      paths.filter((path) => /(^|\/)\.|\.ts$|\.map$|release|perigee\/(test|bench|node_modules)/.test(path)),
    ).toEqual([])
  })

  it('has a bundle that runs where it is unpacked', async () => {
    const unpacked = mkdtempSync(join(folder, 'unpacked-'))
    for (const [path, { bytes, mode }] of files) {
      mkdirSync(join(unpacked, dirname(path)), { recursive: true })
      writeFileSync(join(unpacked, path), bytes)
      chmodSync(join(unpacked, path), mode & 0o777)
    }
    const { server } = JSON.parse(String(files.get('manifest.json')?.bytes))
    const args = server.mcp_config.args.map((arg: string) => arg.replace(/^\$\{__dirname\}/, unpacked))
    await using client = await connect({ command: process.execPath, args })
    expect((await client.callTool('hello', {})).content).toEqual([{ type: 'text', text: 'Hello!' }])
  })

  it('is the same bytes every time', async () => {
    const { stdout } = await perigee(
      ['pack', 'server.js', '--json', '--out', 'again', '--bundle-url', url],
      '',
      place,
    )
    const again = JSON.parse(stdout) as Packed
    expect(again.files.map(({ sha256 }) => sha256)).toEqual(packed.files.map(({ sha256 }) => sha256))
  })
})

describe('what cannot be packed is told in a sentence', () => {
  const info = { name: 'weather', version: '1.0.0' }

  /** All that is made once a server has said what it is. */
  function make(what: string, changed: object) {
    const json = { ...PACKAGE, ...changed }
    const own = { folder: makePackage(what.replaceAll(/\W/g, '-'), json), json }
    const parts = { info, package: own, lock: 'sha256:0', remotes: [], author: undefined }
    serverJson({ ...parts, name: entryName(undefined, info, own) })
    makeBundle({ ...parts, entry: 'server.js', tools: [], hasPrompts: false })
  }

  it.each([
    ['no author', { author: undefined }, 'who has made it? Add "author" to package.json, or --author NAME'],
    [
      'no name',
      { repository: undefined },
      'what is it called in the registry? Add "mcpName" to package.json',
    ],
    ['a range of versions', { version: '^1.2.3' }, 'version: expected one such as 1.2.3, got "^1.2.3"'],
    [
      'files without it',
      { files: ['words.mjs'] },
      'server.js would not be in the bundle: "files" of package.json',
    ],
    [
      'a missing dependency',
      { dependencies: { nowhere: '1' } },
      'nowhere is not installed, and @you/weather needs it',
    ],
    [
      'no perigee',
      { dependencies: {} },
      'perigee would not be in the bundle: it is none of the "dependencies"',
    ],
    [
      'a name that is none',
      { mcpName: 'weather' },
      'name: expected a name such as io.github.you/weather, got "weather"',
    ],
  ])('%s', (what, changed, message) => {
    expect(() => make(what, changed)).toThrow(message)
  })

  it.each([
    ['ccmcp', [], 'ccmcp comes with perigee, and is run by that: packed is a server of your own, in a file'],
    ['nowhere.js', [], 'there is no file nowhere.js'],
    [
      'server.ts',
      [],
      'server.ts is TypeScript, and where a bundle runs nothing compiles it: compile it first',
    ],
    [
      'server.js',
      ['--remote', 'here'],
      'remote: expected an address such as https://example.com/…, got "here"',
    ],
    ['server.js', ['and', 'more'], 'expected one server, got and, more as well'],
  ])('%s %j', async (file, more, message) => {
    const place = mkdtempSync(join(folder, 'typed-'))
    writeFileSync(join(place, 'package.json'), '{}')
    if (file.startsWith('server')) writeFileSync(join(place, file), '')
    const named = file.startsWith('server') ? join(place, file) : file
    await expect(pack([named, ...more])).rejects.toThrow(message)
  })

  it('a server.json that was made otherwise', async () => {
    const place = makePackage('own', PACKAGE, { 'server.json': '{"name":"a/b"}' })
    const { status, stderr } = await perigee(['pack', 'server.js'], '', place)
    expect(stderr).toBe(
      'perigee: server.json was made otherwise: --replace writes over it, --out DIR beside it\n',
    )
    expect(status).toBe(2)
  })
})

describe('what package.json says', () => {
  it('passes as far as the schemas take it, whatever it is', () => {
    const info = { name: 'x', version: '1.0.0' }
    const odd = [5, 'x'.repeat(500), '', null, [], {}, 'https://', 'not an address', { url: 5 }, { name: '' }]
    for (const value of odd) {
      const members = ['author', 'repository', 'homepage', 'license', 'description', 'keywords', 'name']
      const json = Object.fromEntries(members.map((member) => [member, value]))
      const own = { folder, json }
      const entry = serverJson({ info, name: 'a/b', package: own, remotes: [], lock: 'sha256:0' })
      expect([value, checkAgainst('server.json', entry)]).toEqual([value, []])
      const parts = {
        info,
        package: own,
        entry: 'x.js',
        tools: [],
        hasPrompts: true,
        author: 'Ann',
        lock: 'sha256:0',
      }
      expect([value, checkAgainst('manifest.json', manifestOf(parts))]).toEqual([value, []])
    }
  })

  it.each([
    ['git+https://github.com/you/weather.git', 'https://github.com/you/weather'],
    ['git@github.com:you/weather.git', 'https://github.com/you/weather'],
    ['ssh://git@gitlab.com/you/weather.git', 'https://gitlab.com/you/weather'],
    ['gitlab:you/weather', 'https://gitlab.com/you/weather'],
    ['you/weather', 'https://github.com/you/weather'],
    ['somewhere', undefined],
  ])('names its repository: %s', (repository, expected) => {
    expect(repositoryOf({ repository })).toBe(expected)
    expect(repositoryOf({ repository: { type: 'git', url: repository } })).toBe(expected)
  })

  it('names its author in any of the ways that npm takes', () => {
    expect(authorOf({ author: 'Ann' })).toEqual({ name: 'Ann' })
    expect(authorOf({ author: { name: 'Ann', email: 'none' } })).toEqual({ name: 'Ann' })
    expect(authorOf({ author: '<ann@example.com>' })).toBe(undefined)
  })

  it('names its files as npm has it', () => {
    const json = {
      ...PACKAGE,
      dependencies: {},
      files: ['dist', '*.md', 'src/**/*.js', '!dist/secret.js', './lib/'],
    }
    const place = makePackage('files', json, {
      ...{ 'dist/a.js': '', 'dist/b/c.js': '', 'dist/secret.js': '', 'README.md': '', 'docs/x.md': '' },
      ...{ 'src/d.js': '', 'src/deep/e.js': '', 'src/f.ts': '', 'lib/g.js': '', 'other.js': '' },
    })
    expect(
      collectFiles({ folder: place, json })
        .map(({ path }) => path)
        .toSorted(),
    ).toEqual([
      ...['README.md', 'dist/a.js', 'dist/b/c.js', 'lib/g.js', 'package.json', 'src/d.js', 'src/deep/e.js'],
    ])
  })

  it('has two versions of a package each where its user finds it', () => {
    const json = { name: 'x', dependencies: { one: '1', two: '1' } }
    const place = makePackage('versions', json, {
      'node_modules/one/package.json': '{"name":"one","version":"1.0.0"}',
      'node_modules/two/package.json': '{"name":"two","dependencies":{"one":"2","three":"1"}}',
      'node_modules/two/node_modules/one/package.json': '{"name":"one","version":"2.0.0"}',
      'node_modules/three/package.json': '{"name":"three","dependencies":{"one":"1"}}',
    })
    const paths = collectFiles({ folder: place, json }).map(({ path }) => path)
    expect(paths.filter((path) => path.startsWith('node_modules')).toSorted()).toEqual([
      'node_modules/one/package.json',
      'node_modules/three/package.json',
      'node_modules/two/node_modules/one/package.json',
      'node_modules/two/package.json',
    ])
  })
})

it('a zip archive is what was put into it, whatever the order', () => {
  const files = [
    { path: 'b/ü.txt', bytes: Buffer.from('ü'), executable: false },
    { path: 'a.sh', bytes: Buffer.alloc(100_000, 'x'), executable: true },
    { path: 'empty', bytes: Buffer.alloc(0), executable: false },
  ]
  const archive = zip(files)
  expect(zip(files.toReversed())).toEqual(archive)
  expect(
    [...unzip(archive)].map(([path, { bytes, mode }]) => [path, bytes.length, mode.toString(8)]),
  ).toEqual([
    ['a.sh', 100_000, '100755'],
    ['b/ü.txt', 2, '100644'],
    ['empty', 0, '100644'],
  ])
})
