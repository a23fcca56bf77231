import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { readPlainFile } from './read-plain-file.ts'

function pathIn(make: (path: string) => unknown): string {
  const folder = mkdtempSync(join(tmpdir(), 'plain-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  make(join(folder, 'one'))
  return join(folder, 'one')
}

it.each<[what: string, make: (path: string) => unknown]>([
  ['a file', (path) => writeFileSync(path, 'grün')],
  [
    'a link to one',
    (path) => {
      writeFileSync(`${path}.there`, 'grün')
      symlinkSync(`${path}.there`, path)
    },
  ],
])('reads %s', (_what, make) => {
  expect(readPlainFile(pathIn(make), 5)).toBe('grün') // Which has five bytes.
})

it.each<[what: string, make: (path: string) => unknown, said: RegExp]>([
  ['what is not there', () => {}, /ENOENT/],
  ['a folder', (path) => mkdirSync(path), /one is a folder$/],
  ['a device without end', (path) => symlinkSync('/dev/zero', path), /one is no file$/],
  ['a pipe that nobody writes to', (path) => execFileSync('mkfifo', [path]), /one is no file$/],
  ['what is too long', (path) => writeFileSync(path, 'x'.repeat(11)), /one has more than 10 bytes$/],
])('says of %s that it is so', (_what, make, said) => {
  const path = pathIn(make)
  expect(() => readPlainFile(path, 10)).toThrow(said)
})
