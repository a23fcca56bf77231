import { execFile } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'

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

it('every declaration that is published leads to its source, which is published, too', () => {
  const published = new Set(files.map(({ path }) => path))
  const declarations = [...published].filter((file) => file.endsWith('.d.ts'))
  // One only stands for another, and has no source.
  const written = declarations.filter((file) => existsSync(join(ROOT, `${file}.map`)))
  expect(declarations.filter((file) => !written.includes(file))).toEqual(['dist/bundled.d.ts'])
  expect(written.length).toBeGreaterThan(50)
  for (const file of written) {
    const { sources } = JSON.parse(readFileSync(join(ROOT, `${file}.map`), 'utf8'))
    const source = relative(ROOT, join(ROOT, dirname(file), sources[0]))
    expect(source).toBe(file.replace(/^dist/, 'src').replace(/\.d\.ts$/, '.ts'))
    expect(published, source).toContain(source)
  }
  expect([...published].filter((file) => /^src.*\.test\.ts$/.test(file))).toEqual([])
})
