import { execFile } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join, posix, relative } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, expect, it } from 'vitest'
import { linksIn, readPage } from './markdown.ts'

const ROOT = join(import.meta.dirname, '..', '..')
const MiB = 1024 * 1024

interface Manifest {
  readonly dependencies?: { readonly [name: string]: string }
}

function sizeOf(folder: string): number {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((file) =>
    statSync(join(folder, file)),
  )
  return files.filter((file) => file.isFile()).reduce((sum, { size }) => sum + size, 0)
}

/** A package's dependencies and theirs, as they lie in `node_modules`. */
function dependenciesOf(folder: string): readonly string[] {
  const { dependencies = {} } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest
  const folders = Object.keys(dependencies).map((name) => join(ROOT, 'node_modules', name))
  return [...new Set(folders.flatMap((one) => [one, ...dependenciesOf(one)]))]
}

/** As after a start. */
const kept = join(ROOT, 'dist', '.cache', 'a-body')
mkdirSync(kept, { recursive: true })
writeFileSync(join(kept, 'a-node'), '')
afterAll(() => rmSync(kept, { recursive: true }))

const { stdout } = await promisify(execFile)('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], {
  cwd: ROOT,
  maxBuffer: 64 * MiB,
})
const [{ unpackedSize, files }] = JSON.parse(stdout) as [
  { readonly unpackedSize: number; readonly files: readonly { readonly path: string }[] },
]

it('takes no more than 5 MiB to install, with all that it needs', () => {
  const sizes = dependenciesOf(ROOT).map(sizeOf)
  expect(sizes.length).toBeGreaterThan(0)
  expect(sizes.reduce((sum, size) => sum + size, unpackedSize)).toBeLessThan(5 * MiB)
})

const published = new Set(files.map(({ path }) => path))

it('does not publish what a start has kept', () => {
  expect([...published].filter((file) => file.includes('.cache'))).toEqual([])
})

it('every declaration that is published leads to its source, which is published, too', () => {
  const declarations = [...published].filter((file) => file.endsWith('.d.ts'))
  // One only stands for another, and has no source.
  const written = declarations.filter((file) => existsSync(join(ROOT, `${file}.map`)))
  expect(declarations.filter((file) => !written.includes(file))).toEqual(['dist/bundled.d.ts'])
  expect(written.length).toBeGreaterThan(50)
  for (const file of written) {
    const { sources } = JSON.parse(readFileSync(join(ROOT, `${file}.map`), 'utf8'))
    const source = relative(ROOT, join(ROOT, dirname(file), sources[0]))
    expect(source).toBe(file.replace(/^dist/, 'dist/src').replace(/\.d\.ts$/, '.ts'))
    expect(published, source).toContain(source)
  }
  const sources = [...published].filter((file) => /^(dist\/)?src\//.test(file))
  expect(sources).toHaveLength(written.length)
})

/** What is for those who work on Perigee, large, or a picture, stays in the repository. */
const IN_THE_REPOSITORY =
  /^(docs\/(decisions|pictures)\/|bench\/results\/|docs\/(ARCHITECTURE|PERFORMANCE|QUESTIONS|STYLE)\.md$|(AGENTS|CONTRIBUTING)\.md$)/

it('every link on a page that is published leads to what is published, or to what is known to stay behind', () => {
  const folders = new Set([...published].map((file) => posix.dirname(file)))
  const pages = [...published].filter((file) => file.endsWith('.md'))
  const targets = pages.flatMap((page) =>
    linksIn(readPage(page))
      .hrefs.filter((href) => !/^([a-z]+:|#|node_modules\/perigee\/)/.test(href))
      .map((href) => posix.join(posix.dirname(page), href.replace(/\/?(#.*)?$/, ''))),
  )
  const lost = targets.filter((file) => !published.has(file) && !folders.has(file))
  expect(lost.filter((file) => !IN_THE_REPOSITORY.test(`${file}${file.endsWith('.md') ? '' : '/'}`))).toEqual(
    [],
  )
  expect(targets.length - lost.length).toBeGreaterThan(150)
})
