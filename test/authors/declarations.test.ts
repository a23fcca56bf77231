import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { expect, it } from 'vitest'

const ROOT = join(import.meta.dirname, '..', '..')
const DIST = join(ROOT, 'dist')
const { files } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { files: readonly string[] }
const declarations = readdirSync(DIST, { recursive: true, encoding: 'utf8' }).filter((file) =>
  file.endsWith('.d.ts'),
)

it('every declaration that is published leads to its source, which is published, too', () => {
  const left = ['bench', 'cli', 'confined', 'databases', 'process', 'sandbox', 'schema', 'servers']
  expect(files).toEqual([
    ...['dist', 'docs/*.md', 'templates', 'src', '!dist/.tsbuildinfo'],
    ...left.map((folder) => `!src/${folder}`),
    '!src/**/*.test.ts',
  ])
  expect(declarations.length).toBeGreaterThan(50)
  for (const file of declarations) {
    const { sources } = JSON.parse(readFileSync(join(DIST, `${file}.map`), 'utf8'))
    const source = relative(ROOT, join(DIST, dirname(file), sources[0]))
    expect(source).toBe(join('src', file.replace(/\.d\.ts$/, '.ts')))
    expect(existsSync(join(ROOT, source)), source).toBe(true)
    expect(source).not.toMatch(new RegExp(`^src/(${left.join('|')})/|\\.test\\.ts$`))
  }
})

it('every declaration that another one refers to is published', () => {
  for (const file of declarations) {
    const text = readFileSync(join(DIST, file), 'utf8')
    for (const [, to = ''] of text.matchAll(/(?:from |import\()['"](\.[^'"]+)['"]/g)) {
      expect(declarations, file).toContain(join(dirname(file), to).replace(/\.ts$/, '.d.ts'))
    }
  }
})
