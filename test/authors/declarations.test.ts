import { execFile } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'

const ROOT = join(import.meta.dirname, '..', '..')
const DIST = join(ROOT, 'dist')
const declarations = readdirSync(DIST, { recursive: true, encoding: 'utf8' }).filter((file) =>
  file.endsWith('.d.ts'),
)

async function listPublished(): Promise<ReadonlySet<string>> {
  const { stdout } = await promisify(execFile)('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], {
    cwd: ROOT,
    maxBuffer: 64 * 1024 * 1024,
  })
  const [{ files }] = JSON.parse(stdout) as [{ files: readonly { readonly path: string }[] }]
  return new Set(files.map(({ path }) => path))
}

it('every declaration that is published leads to its source, which is published, too', async () => {
  const published = await listPublished()
  // One only stands for another, and has no source.
  const written = declarations.filter((file) => existsSync(join(DIST, `${file}.map`)))
  expect(declarations.filter((file) => !written.includes(file))).toEqual(['bundled.d.ts'])
  expect(written.length).toBeGreaterThan(50)
  for (const file of written) {
    const { sources } = JSON.parse(readFileSync(join(DIST, `${file}.map`), 'utf8'))
    const source = relative(ROOT, join(DIST, dirname(file), sources[0]))
    expect(source).toBe(join('src', file.replace(/\.d\.ts$/, '.ts')))
    expect(published, source).toContain(source)
  }
  expect([...published].filter((file) => /^src.*\.test\.ts$/.test(file))).toEqual([])
})

it('every declaration that another one refers to is published', () => {
  for (const file of declarations) {
    const text = readFileSync(join(DIST, file), 'utf8')
    for (const [, to = ''] of text.matchAll(/(?:from |import\()['"](\.[^'"]+)['"]/g)) {
      expect(declarations, file).toContain(join(dirname(file), to).replace(/\.ts$/, '.d.ts'))
    }
  }
})
