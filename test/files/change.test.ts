import { existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { createFolder, FileDesk } from './desk.ts'

async function open() {
  const root = createFolder({ 'a.txt': 'A', 'b.txt': 'B', 'docs/c.txt': 'C' })
  const desk = await FileDesk.open({ root })
  const text = (path: string) => readFileSync(join(root, path), 'utf8')
  return { root, desk, text }
}

it('creates directories, with those above them, and leaves those that are there', async () => {
  const { root, desk } = await open()
  expect(await desk.say('create_directory', { path: 'x/y/z' })).toBe('Created x/y/z')
  expect(lstatSync(join(root, 'x/y/z')).isDirectory()).toBe(true)
  expect(await desk.say('create_directory', { path: 'x/y' })).toBe('x/y is there already')
  expect(await desk.say('create_directory', { path: '.' })).toBe('. is there already')
  expect(await desk.say('create_directory', { path: 'a.txt' })).toBe('error: a.txt is not a directory')
  expect(await desk.say('create_directory', { path: 'a.txt/x' })).toBe(
    'error: Part of a.txt/x is not a directory',
  )
  expect(await desk.say('create_directory', { path: '../x' })).toContain('error: ../x contains ".."')
  expect(await desk.say('create_directory', { path: 'y/'.repeat(200) })).toContain('is too long')
  expect(existsSync(join(root, 'y'))).toBe(false)
})

it('moves files and directories, and overwrites only what it is told to', async () => {
  const { root, desk, text } = await open()
  const move = (from: string, to: string, more = {}) => desk.say('move_file', { from, to, ...more })
  expect(await move('a.txt', 'docs/d.txt')).toBe('Moved a.txt to docs/d.txt')
  expect([text('docs/d.txt'), existsSync(join(root, 'a.txt'))]).toEqual(['A', false])
  expect(await move('b.txt', 'docs/c.txt')).toBe('error: docs/c.txt is there already')
  expect(text('docs/c.txt')).toBe('C')
  expect(await move('b.txt', 'docs/c.txt', { overwrite: true })).toBe('Moved b.txt to docs/c.txt')
  expect(text('docs/c.txt')).toBe('B')
  expect(await move('docs', 'papers')).toBe('Moved docs to papers')
  expect(await move('papers', 'papers/in')).toBe('error: papers/in lies inside what would be moved')
  mkdirSync(join(root, 'empty'))
  expect(await move('papers/c.txt', 'empty', { overwrite: true })).toContain('no directory is overwritten')
  expect(await move('no.txt', 'x')).toBe('error: no.txt was not found')
  expect(await move('papers', 'no/x')).toBe('error: The parent directory of no/x was not found')
  expect(await move('.', 'x')).toContain('error: . is a root')
  expect(await move(root, join(root, 'x'))).toContain('error: ')
  expect(await move('papers', '/etc/x')).toBe('error: /etc/x is outside the root')
  expect(readdirSync(root).sort()).toEqual(['empty', 'papers'])
})

it('moves a link, and not what it leads to', async () => {
  const { root, desk, text } = await open()
  symlinkSync('a.txt', join(root, 'link'))
  symlinkSync('/etc', join(root, 'etc'))
  expect(await desk.say('move_file', { from: 'link', to: 'other' })).toBe('Moved link to other')
  expect(lstatSync(join(root, 'other')).isSymbolicLink()).toBe(true)
  expect(text('a.txt')).toBe('A')
  expect(await desk.say('move_file', { from: 'a.txt', to: 'etc/x' })).toBe('error: etc/x is outside the root')
})

it('copies files of any kind, and overwrites only what it is told to', async () => {
  const large = Buffer.alloc(3_000_000, 0xfe)
  const root = createFolder({ 'a.bin': large, 'b.txt': 'B', 'docs/c.txt': 'C' })
  const desk = await FileDesk.open({ root })
  const copy = (from: string, to: string, more = {}) => desk.say('copy_file', { from, to, ...more })
  expect(await copy('a.bin', 'docs/a.bin')).toBe('Copied 3000000 bytes from a.bin to docs/a.bin')
  expect(readFileSync(join(root, 'docs/a.bin')).equals(large)).toBe(true)
  expect(await copy('b.txt', 'docs/c.txt')).toBe('error: docs/c.txt is there already')
  expect(await copy('b.txt', 'docs/c.txt', { overwrite: true })).toBe(
    'Copied 1 byte from b.txt to docs/c.txt',
  )
  expect(await copy('b.txt', 'b.txt', { overwrite: true })).toBe('error: b.txt is the same file')
  expect(await copy('docs', 'x')).toBe('error: docs is a directory, not a file')
  expect(await copy('b.txt', 'docs')).toBe('error: docs is a directory, not a file')
  expect(await copy('no.txt', 'x')).toBe('error: no.txt was not found')
  expect(readdirSync(join(root, 'docs')).sort()).toEqual(['a.bin', 'c.txt'])
})

it('does not wait for ever where two calls swap their files', async () => {
  const { desk, text } = await open()
  const move = (from: string, to: string) => desk.say('move_file', { from, to, overwrite: true })
  await Promise.all([
    move('a.txt', 'b.txt'),
    move('b.txt', 'a.txt'),
    move('a.txt', 'b.txt'),
    move('b.txt', 'a.txt'),
  ])
  expect(['A', 'B']).toContain(text('a.txt'))
})
