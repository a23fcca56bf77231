import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { VERSION } from '../../src/kernel/index.ts'

const ROOT = join(import.meta.dirname, '..', '..')
const read = (file: string) => readFileSync(join(ROOT, file), 'utf8')

it('is the same in the package, its lock and the code', () => {
  const lock = JSON.parse(read('package-lock.json'))
  expect(JSON.parse(read('package.json')).version).toBe(VERSION)
  expect([lock.version, lock.packages[''].version]).toEqual([VERSION, VERSION])
})

/** A release writes it there, and would have to find every other place. */
it('stands nowhere else', () => {
  const listed = execFileSync(
    'git',
    ['ls-files', '-z', 'src', 'templates', 'docs', 'README.md', 'test', 'examples'],
    {
      cwd: ROOT,
      encoding: 'utf8',
    },
  )
  const files = listed.split('\0').filter((file) => /\.(ts|tsx|mjs|md|json|txt)$/.test(file))
  const ours = new RegExp(`perigee-${escaped}\\b|version['"]?: ['"]${escaped}['"]`)
  const found = files.filter((file) => ours.test(read(file)))
  expect(files.length).toBeGreaterThan(500)
  expect(found).toEqual([])
})

const escaped = VERSION.replaceAll('.', '\\.')
