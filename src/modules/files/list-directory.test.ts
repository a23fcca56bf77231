import { execFileSync } from 'node:child_process'
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { openFolder } from './folder.ts'
import { listDirectory } from './list-directory.ts'

let base: string
let root: string
const list = (path: string) => listDirectory(openFolder(root)).run({ path })

beforeEach(async () => {
  base = await mkdtemp(join(tmpdir(), 'files-list-'))
  root = join(base, 'root')
  await mkdir(join(root, 'docs'), { recursive: true })
})

afterEach(() => rm(base, { recursive: true, force: true }))

it('shows files and directories, sorted by name', async () => {
  for (const name of ['b.txt', 'a.txt', 'é', 'Z', 'docs.md']) await writeFile(join(root, name), '')
  expect(await list('.')).toBe('F Z\nF a.txt\nF b.txt\nD docs\nF docs.md\nF é')
})

it('takes "." and the empty path for the root', async () => {
  expect(await list('.')).toBe('D docs')
  expect(await list('')).toBe('D docs')
})

it('shows an empty directory as nothing', async () => {
  expect(await list('docs')).toBe('')
})

it('keeps an entry on one line, whatever its name', async () => {
  await writeFile(join(root, 'a\nD fake'), '')
  await writeFile(join(root, 'b\\n"c"'), '')
  await mkdir(join(root, 'c\u001b\t'))
  expect(await list('.')).toBe('F a\\nD fake\nF b\\n"c"\nD c\\u001b\\t\nD docs')
})

it('shows a link as what it leads to inside, and as a file otherwise', async () => {
  await symlink('docs', join(root, 'l1-directory'))
  await symlink(join(root, 'l1-directory'), join(root, 'l2-chain'))
  await symlink('.', join(root, 'l3-root'))
  await symlink(base, join(root, 'l4-outside'))
  await symlink('missing', join(root, 'l5-dangling'))
  await symlink('l6-loop', join(root, 'l6-loop'))
  await symlink('l7-file', join(root, 'l7-link'))
  await writeFile(join(root, 'l7-file'), '')
  expect(await list('.')).toBe(
    'D docs\nD l1-directory\nD l2-chain\nD l3-root\nF l4-outside\nF l5-dangling\nF l6-loop\nF l7-file\nF l7-link',
  )
})

it('names the path that is not there or is no directory', async () => {
  await writeFile(join(root, 'a.txt'), '')
  execFileSync('mkfifo', [join(root, 'pipe')])
  await expect(list('no')).rejects.toThrow(new Error('no was not found'))
  await expect(list('a.txt')).rejects.toThrow(new Error('a.txt is not a directory'))
  await expect(list('pipe')).rejects.toThrow(new Error('pipe is not a directory'))
})

it('names no path of the server when the root is missing', async () => {
  await rm(root, { recursive: true })
  await expect(list('')).rejects.toThrow(new Error('. was not found'))
})
