import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, sep } from 'node:path'
import { describe, expect, it } from 'vitest'

const SRC = join(import.meta.dirname, '..', '..', 'src')

/** Which folders of src a folder may import, beside itself. */
const MAY_IMPORT: { readonly [folder: string]: readonly string[] } = {
  kernel: [],
  schema: ['kernel'],
  platform: ['kernel'],
  context: ['kernel', 'sandbox', 'process'],
  sandbox: ['kernel'],
  authoring: ['kernel', 'context', 'schema', 'platform', 'stores', 'middleware', 'process'],
  stores: ['kernel', 'databases'],
  transports: ['kernel', 'process', 'console', 'contract'],
  console: ['kernel', 'middleware'],
  client: ['kernel', 'transports', 'process'],
  testing: ['kernel', 'authoring', 'client'],
  middleware: ['kernel'],
  process: ['kernel'],
  modules: ['kernel', 'authoring', 'client', 'databases', 'confined', 'contract', 'schema', 'process'],
  contract: ['kernel', 'schema'],
  recording: ['kernel', 'console', 'contract'],
  bench: ['kernel'],
  servers: ['kernel', 'authoring', 'modules', 'process'],
  cli: [
    ...['kernel', 'bench', 'authoring', 'servers', 'transports', 'middleware', 'process', 'stores'],
    ...['modules', 'client', 'schema', 'console', 'contract', 'context', 'recording', 'confined'],
  ],
  databases: ['process'],
  confined: [],
  '': ['kernel', 'authoring', 'client', 'transports', 'middleware', 'stores'],
}

/** The stairs of the kernel, from the ground up: what runs imports only what stands on a lower step. */
const STAIRS: readonly (readonly string[])[] = [
  ['words', 'meta.ts', 'log-level.ts', 'loading.ts', 'once.ts', 'version.ts'],
  ['faults.ts'],
  ['jsonrpc'],
  ['check'],
  ['callers', 'ports', 'revisions', 'definitions', 'dialect.ts', 'settings.ts'],
  ['budgets', 'fitting'],
  ['catalogue', 'asking'],
  ['calls', 'results'],
  ['tasks'],
  ['methods'],
  ['receive'],
  ['create-server.ts'],
  ['index.ts'],
]

interface Import {
  readonly from: string
  readonly to: string
  /** Whether it is there when the program runs, and not for its types alone. */
  readonly runs: boolean
}

const files = readdirSync(SRC, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
  .map((file) => ({ file, text: readFileSync(join(SRC, file), 'utf8') }))

const imports: readonly Import[] = files.flatMap(({ file, text }) => importsOf(file, text))

function importsOf(file: string, text: string): Import[] {
  const found = text.matchAll(
    /(?:^(?:import|export)\b([^'"]*?)\bfrom\s+|\bimport\(\s*|^import\s+)'([^']+)'/gm,
  )
  return [...found].map(([, names = '', to = '']) => ({
    from: file,
    to: to.startsWith('.') ? relative(SRC, join(SRC, dirname(file), to)) : to,
    runs: !isTypesOnly(names),
  }))
}

function isTypesOnly(names: string): boolean {
  const [, listed] = /^\s*\{([^}]*)\}/.exec(names) ?? []
  const all = (listed ?? '').split(',').map((name) => name.trim())
  return (
    /^\s*type\b/.test(names) ||
    (listed !== undefined && all.every((one) => one === '' || one.startsWith('type ')))
  )
}

function roomOf(file: string): string {
  return file.split(sep)[1] ?? ''
}

function folderOf(file: string): string {
  return file.includes(sep) ? (file.split(sep)[0] ?? '') : ''
}

const relativeImports = imports.filter(({ to }) => to.endsWith('.ts'))

describe('the architecture', () => {
  it('has imports that point downwards only', () => {
    const offenders = relativeImports.filter(({ from, to }) => {
      const [above, below] = [folderOf(from), folderOf(to)]
      return above !== below && !(MAY_IMPORT[above] ?? []).includes(below)
    })
    expect(offenders).toEqual([])
  })

  it('knows no way that nobody goes', () => {
    const gone = new Set(relativeImports.map(({ from, to }) => `${folderOf(from)} to ${folderOf(to)}`))
    const known = Object.entries(MAY_IMPORT).flatMap(([above, below]) =>
      below.map((one) => `${above} to ${one}`),
    )
    expect(known.filter((way) => !gone.has(way))).toEqual([])
  })

  it('has stairs in the kernel, which are climbed in one direction', () => {
    const step = (file: string) => STAIRS.findIndex((rooms) => rooms.includes(file.split(sep)[1] ?? ''))
    const inside = imports.filter(
      ({ from, to }) =>
        folderOf(from) === 'kernel' && folderOf(to) === 'kernel' && roomOf(from) !== roomOf(to),
    )
    expect(inside.filter(({ from, to }) => step(from) < 0 || step(to) < 0)).toEqual([])
    expect(inside.filter(({ from, to, runs }) => runs && step(from) <= step(to))).toEqual([])
  })

  it('has no folder that the table does not know', () => {
    expect(
      [...new Set(files.map(({ file }) => folderOf(file)))].filter((folder) => !(folder in MAY_IMPORT)),
    ).toEqual([])
  })

  it('has modules, servers and transports that do not import their siblings', () => {
    const offenders = relativeImports.filter(({ from, to }) => {
      const [folder, sibling] = from.split(sep)
      const [target, other] = to.split(sep)
      const isOther = target === folder && sibling !== other && other?.endsWith('.ts') === false // A file is for all.
      return (folder === 'modules' || folder === 'transports') && isOther
    })
    expect(offenders).toEqual([])
  })

  it('has a kernel that imports nothing but itself', () => {
    const offenders = imports.filter(
      ({ from, to }) => folderOf(from) === 'kernel' && folderOf(to) !== 'kernel',
    )
    expect(offenders).toEqual([])
  })

  it('lets nobody past the face of the kernel', () => {
    const offenders = relativeImports.filter(
      ({ from, to }) =>
        folderOf(from) !== 'kernel' && folderOf(to) === 'kernel' && to !== join('kernel', 'index.ts'),
    )
    expect(offenders).toEqual([])
  })

  it('quotes dates of revisions in kernel/revisions only', () => {
    const offenders = files.filter(
      ({ file, text }) =>
        !file.startsWith(join('kernel', 'revisions')) && /['"`]20\d\d-\d\d-\d\d['"`]/.test(text),
    )
    expect(offenders.map(({ file }) => file)).toEqual([])
  })

  it('touches the process in bench, cli, process and stdio only', () => {
    const allowed = [
      ...[join('bench', ''), join('cli', ''), join('process', ''), join('transports', 'stdio', '')],
      join('client', 'wires', 'stdio.ts'), // A child needs its parent's PATH.
      join('client', 'wires', 'process-group.ts'), // To end a group is to kill its processes.
    ]
    // To load a part of Node when it is needed is no touch, nor is to wait until a turn of the loop has come to rest.
    const touch = /\bprocess\.(?!getBuiltinModule\b|nextTick\b)/
    const offenders = files.filter(
      ({ file, text }) => !allowed.some((folder) => file.startsWith(folder)) && touch.test(text),
    )
    expect(offenders.map(({ file }) => file)).toEqual([])
  })

  it('reads every fact of a revision somewhere', () => {
    const revision = files.find(({ file }) => file === join('kernel', 'revisions', 'revision.ts'))?.text ?? ''
    const facts = [...revision.slice(revision.indexOf('interface Revision')).matchAll(/readonly (\w+):/g)]
    const readers = files.filter(({ file }) => !file.startsWith(join('kernel', 'revisions')))
    const unread = facts
      .map(([, fact = '']) => fact)
      .filter(
        (fact) =>
          !readers.some(({ text }) =>
            new RegExp(`revision\\??\\.${fact}\\b|\\['${fact}'\\]|spoken\\.${fact}\\b`).test(text),
          ),
      )
    expect(facts.length).toBeGreaterThan(10)
    expect(unread).toEqual([])
  })

  it('has definitions that are types and tables', () => {
    const definitions = files.filter(({ file }) => file.startsWith(join('kernel', 'definitions')))
    expect(definitions.length).toBeGreaterThan(0)
    const offenders = definitions.filter(({ text }) => /^export (?!type|interface|const)/m.test(text))
    expect(offenders.map(({ file }) => file)).toEqual([])
  })

  it('has a map of which every place is there', () => {
    const map = readFileSync(join(SRC, '..', 'docs', 'ARCHITECTURE.md'), 'utf8')
    const places = [...map.matchAll(/[\w-]+(?:\/[\w.-]+)*\.ts\b|\b(?:[\w-]+\/)+(?=[`\s])/g)].map(
      ([place]) => place,
    )
    const known = files.flatMap(({ file }) =>
      [file, `${dirname(file)}/`].map((one) => `/src/${one.replaceAll(sep, '/')}`),
    )
    const root = (place: string) => existsSync(join(SRC, '..', place))
    const gone = places.filter((place) => !known.some((one) => one.includes(`/${place}`)) && !root(place))
    expect(places.length).toBeGreaterThan(80)
    expect(gone).toEqual(['kernel/methods/memos.ts']) // The example of what is to be written.
  })
})
