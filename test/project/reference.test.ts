import { execFileSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { type ReferenceEntry, readEntries } from '../../site/reference/entries.mjs'
import { createModuleReader } from '../../site/reference/modules.mjs'
import { createUses } from '../../site/reference/uses.mjs'

const ROOT = join(import.meta.dirname, '..', '..')
const FOLDER = join(ROOT, '.cache', 'reference')

const read = createModuleReader()
const entries = readEntries(ROOT, read)
const usersOf = createUses(
  read,
  entries.flatMap((entry) => entry.exports),
)

/** What examples may speak of without making it: everybody knows what it is. */
const AT_HAND = {
  perigee: ['server: Server', 'call: Call', "tool: import('perigee').ToolDefinition", 'client: TestClient'],
  'perigee/testing': ["server: import('perigee').Server"],
  'perigee/client': ["client: import('perigee/client').Client"],
  'perigee/kernel': ['server: Server', 'call: Call', 'link: Link'],
}

afterAll(() => rmSync(FOLDER, { recursive: true, force: true }))

const everything = entries.flatMap(({ name: entry, exports }) => exports.map((one) => ({ entry, ...one })))
const named = ({ entry, name }: (typeof everything)[number]) => `${entry}: ${name}`

it('everything that can be imported from any entry has a comment', () => {
  expect(entries.map(({ name }) => name)).toEqual(
    expect.arrayContaining(['perigee', 'perigee/client', 'perigee/kernel', 'perigee/modules/files']),
  )
  expect(entries.filter(({ exports }) => exports.length === 0)).toEqual([])
  expect(everything.filter(({ comment }) => comment === '').map(named)).toEqual([])
})

/** In declarations no line is empty, and a comment on a whole file would be taken for that of its first export. */
it('every comment of documentation stands on what it is about', () => {
  const sources = readdirSync(join(ROOT, 'src'), { recursive: true, encoding: 'utf8' })
  const written = sources.filter((file) => /(?<!\.test)\.tsx?$/.test(file))
  const astray = written.filter((file) =>
    /\/\*\*(?:(?!\*\/)[\s\S])*\*\/\n(?:\s*\n|import )/.test(readFileSync(join(ROOT, 'src', file), 'utf8')),
  )
  expect(written.length).toBeGreaterThan(500)
  expect(astray).toEqual([])
})

it('everything that runs has an example, and every type is seen in one', () => {
  const without = everything.filter(({ examples }) => examples.length === 0)
  const wanting = without.filter(({ kind, key }) => kind !== 'type' || usersOf(key).length === 0)
  expect(wanting.map(named)).toEqual([])
})

it('all examples in comments compile, against the declarations that are published', () => {
  rmSync(FOLDER, { recursive: true, force: true })
  mkdirSync(FOLDER, { recursive: true })
  const usual = entries.filter(({ condition }) => condition === undefined)
  const examples = usual.flatMap((entry) =>
    entry.exports.flatMap((one) => one.examples.map((text) => ({ entry, name: one.name, text }))),
  )
  expect(examples.length).toBeGreaterThan(100)
  // The names of some differ in their letters' case alone.
  for (const [number, { entry, name, text }] of examples.entries()) {
    writeFileSync(join(FOLDER, `${number}-${name}.mts`), moduleOf(entry, text))
  }
  const config = { extends: '../../tsconfig.json', compilerOptions: { rootDir: '../..' }, include: ['*.mts'] }
  writeFileSync(join(FOLDER, 'tsconfig.json'), JSON.stringify(config))
  try {
    execFileSync(join(ROOT, 'node_modules/.bin/tsc'), ['-p', FOLDER], { encoding: 'utf8' })
  } catch (error) {
    throw new Error(`Examples do not compile:\n${(error as { stdout: string }).stdout}`)
  }
})

/** A module with the example, and with what it may speak of. */
function moduleOf(entry: ReferenceEntry, example: string): string {
  const isMade = (word: string) =>
    new RegExp(`(const|let|using|import) (\\{[^}=]*)?\\b${word}\\b`).test(example)
  const spoken = wordsIn(example)
  const hand = AT_HAND[entry.name as keyof typeof AT_HAND] ?? []
  const given = hand.filter((one) => spoken.has(one.split(':')[0] ?? '') && !isMade(one.split(':')[0] ?? ''))
  const words = new Set(
    [...spoken, ...given.flatMap((one) => [...wordsIn(one)])].filter((word) => !isMade(word)),
  )
  const imports = new Set([entry, ...entries.filter(({ name }) => name === 'perigee').slice(0, 1)])
  const lines = [...imports].map((from) => importOf(from, words))
  return [...lines, ...given.map((one) => `declare const ${one}`), example, 'export {}', ''].join('\n')
}

function wordsIn(text: string): Set<string> {
  return new Set(text.match(/[A-Za-z_]\w*/g))
}

/** What an example uses of an entry; what two entries have is taken from the first. */
function importOf({ name, exports }: ReferenceEntry, words: Set<string>): string {
  const used = exports.filter((one) => words.delete(one.name))
  const names = used.map((one) => `${one.kind === 'type' ? 'type ' : ''}${one.name}`)
  return names.length === 0 ? '' : `import { ${names.join(', ')} } from '${name}'`
}
