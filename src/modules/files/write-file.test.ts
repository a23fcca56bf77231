import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import {
  chmod,
  type FileHandle,
  link,
  lstat,
  mkdir,
  mkdtemp,
  open,
  readdir,
  readFile,
  readlink,
  rm,
  stat,
  symlink,
  writeFile as writeText,
} from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { openFolder } from './folder.ts'
import { writeFile } from './write-file.ts'

let root: string
const write = (path: string, content: string) => writeFile(openFolder(root)).run({ path, content })
const text = (path: string) => readFile(join(root, path), 'utf8')

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'files-write-'))
  await writeText(join(root, 'old.txt'), 'old content')
})

afterEach(() => rm(root, { recursive: true, force: true }))

it.each([
  ['', 'Wrote 0 bytes to a.txt'],
  ['x', 'Wrote 1 byte to a.txt'],
  ['Hello, world', 'Wrote 12 bytes to a.txt'],
  ['ü雪🌒', 'Wrote 9 bytes to a.txt'],
])('writes %j and counts its bytes', async (content, message) => {
  expect(await write('a.txt', content)).toBe(message)
  expect(await text('a.txt')).toBe(content)
})

it('replaces all of an old file and leaves nothing else behind', async () => {
  expect(await write('old.txt', 'new')).toBe('Wrote 3 bytes to old.txt')
  expect(await text('old.txt')).toBe('new')
  expect(await readdir(root)).toEqual(['old.txt'])
})

it.each([0o600, 0o644, 0o755, 0o666])('keeps the permission bits %o', async (mode) => {
  await chmod(join(root, 'old.txt'), mode)
  await write('old.txt', 'new')
  expect((await stat(join(root, 'old.txt'))).mode & 0o7777).toBe(mode)
})

it('gives a new file the usual permission bits', async () => {
  await writeText(join(root, 'usual.txt'), '')
  await write('a.txt', 'new')
  expect((await stat(join(root, 'a.txt'))).mode).toBe((await stat(join(root, 'usual.txt'))).mode)
})

it('writes a file with the longest possible name', async () => {
  const name = 'x'.repeat(255)
  await write(name, 'new')
  expect(await text(name)).toBe('new')
})

it('shows a path with a newline on one line', async () => {
  expect(await write('a\nb', 'x')).toBe('Wrote 1 byte to a\\nb')
})

it('asks for the parent directory', async () => {
  await expect(write('no/a.txt', 'x')).rejects.toThrow(
    new Error('The parent directory of no/a.txt was not found'),
  )
  expect(await readdir(root)).toEqual(['old.txt'])
})

it.each(['', '.', 'docs', 'docs/', 'new/', 'new/.'])('refuses the directory %j', async (path) => {
  await mkdir(join(root, 'docs'))
  await expect(write(path, 'x')).rejects.toThrow(`${path || '.'} is a directory, not a file`)
  expect(await readdir(root)).toEqual(['docs', 'old.txt'])
})

it('refuses a FIFO and a socket, and leaves them in place', async () => {
  execFileSync('mkfifo', [join(root, 'pipe')])
  const server = createServer().listen(join(root, 'socket'))
  await once(server, 'listening')
  await expect(write('pipe', 'x')).rejects.toThrow('pipe is not a regular file')
  await expect(write('socket', 'x')).rejects.toThrow('socket is not a regular file')
  expect((await lstat(join(root, 'pipe'))).isFIFO()).toBe(true)
  expect((await lstat(join(root, 'socket'))).isSocket()).toBe(true)
  server.close()
})

describe('links', () => {
  it('to a file inside are followed and stay links', async () => {
    await mkdir(join(root, 'docs'))
    await symlink('../old.txt', join(root, 'docs', 'link'))
    expect(await write('docs/link', 'new')).toBe('Wrote 3 bytes to docs/link')
    expect(await text('old.txt')).toBe('new')
    expect(await readlink(join(root, 'docs', 'link'))).toBe('../old.txt')
  })

  it('to a directory inside are followed to a new file', async () => {
    await mkdir(join(root, 'docs'))
    await symlink('docs', join(root, 'link'))
    await write('link/a.txt', 'new')
    expect(await text('docs/a.txt')).toBe('new')
  })

  it('that lead nowhere are refused, and their target is not created', async () => {
    await symlink('missing.txt', join(root, 'link'))
    await symlink('link', join(root, 'chain'))
    await expect(write('link', 'x')).rejects.toThrow('link is a symbolic link that leads nowhere')
    await expect(write('chain', 'x')).rejects.toThrow('chain is a symbolic link that leads nowhere')
    expect(await readdir(root)).toEqual(['chain', 'link', 'old.txt'])
  })

  it('to the root itself are directories', async () => {
    await symlink('.', join(root, 'link'))
    await expect(write('link', 'x')).rejects.toThrow('link is a directory, not a file')
  })

  it('that are hard do not carry a change to the other name', async () => {
    await link(join(root, 'old.txt'), join(root, 'other.txt'))
    await write('other.txt', 'new')
    expect(await text('old.txt')).toBe('old content')
  })
})

describe('a write that fails half-way', () => {
  it.each(['writeFile', 'chmod', 'sync'] as const)('in %s leaves the old file and no other', async (step) => {
    const noSpace = Object.assign(new Error(`ENOSPC: no space left, ${root}`), { code: 'ENOSPC' })
    const spy = vi.spyOn(await fileHandlePrototype(), step).mockRejectedValue(noSpace)
    try {
      const message = 'There is no space left to write old.txt'
      await expect(write('old.txt', 'new')).rejects.toThrow(new Error(message))
    } finally {
      spy.mockRestore()
    }
    expect(await readdir(root)).toEqual(['old.txt'])
    expect(await text('old.txt')).toBe('old content')
  })
})

it('lets concurrent writers replace each other, whole', async () => {
  const contents = Array.from({ length: 20 }, (_, n) => `${n}`.repeat(50_000))
  await Promise.all(contents.map((content) => write('old.txt', content)))
  expect(contents).toContain(await text('old.txt'))
  expect(await readdir(root)).toEqual(['old.txt'])
})

async function fileHandlePrototype(): Promise<FileHandle> {
  const handle = await open(root)
  await handle.close()
  return Object.getPrototypeOf(handle)
}
