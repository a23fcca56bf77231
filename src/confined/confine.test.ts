import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readlinkSync } from 'node:fs'
import files, {
  mkdir,
  mkdtemp,
  open,
  realpath,
  rename,
  rm,
  symlink,
  unlink,
  writeFile,
} from 'node:fs/promises'
import { syncBuiltinESMExports } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { openDirectory, openFile, recheckPath, statInside } from './confine.ts'
import { type Found, locate } from './locate.ts'

let base: string
let root: string
let outside: string

beforeEach(async () => {
  base = await realpath(await mkdtemp(join(tmpdir(), 'folders-confine-')))
  root = join(base, 'root')
  outside = join(base, 'outside')
  for (const folder of [root, outside]) await mkdir(join(folder, 'docs'), { recursive: true })
  await writeFile(join(root, 'docs', 'a.txt'), 'inside')
  await writeFile(join(outside, 'docs', 'a.txt'), 'secret')
})

afterEach(() => rm(base, { recursive: true, force: true }))

/** What a file was found to be, a moment before something else took its place. */
async function swapped(swap: (path: string) => unknown): Promise<Found> {
  const found = await locate(root, 'docs/a.txt')
  await unlink(found.path)
  await swap(found.path)
  return found
}

/** How many descriptors of this process lead below a folder. */
function descriptors(folder: string): number {
  return readdirSync('/proc/self/fd').filter((fd) => {
    try {
      return readlinkSync(`/proc/self/fd/${fd}`).startsWith(folder)
    } catch {
      return false // It was the one that read the list.
    }
  }).length
}

describe('a file that was found and then swapped', () => {
  it.each([
    ['a link that leads outside', (path: string) => symlink(join(outside, 'docs', 'a.txt'), path), 'ELOOP'],
    ['a link that stays inside', (path: string) => symlink(root, path), 'ELOOP'],
    ['a directory', (path: string) => mkdir(path), 'EISDIR'],
    ['a FIFO', (path: string) => execFileSync('mkfifo', [path]), 'NOT_REGULAR'],
    ['nothing', () => undefined, 'ENOENT'],
  ])('for %s is not opened', async (_what, swap, code) => {
    await expect(openFile(await swapped(swap))).rejects.toMatchObject({ code })
  })
})

it('a file that was found and then swapped for a link is not told of', async () => {
  const target = join(outside, 'docs', 'a.txt')
  const found = await swapped((path) => symlink(target, path))
  await expect(statInside(found)).rejects.toMatchObject({ code: 'OUTSIDE' })
})

it('without /proc, a file outside is refused also where a link inside leads to the very same', async () => {
  const target = join(outside, 'docs', 'a.txt')
  const path = join(root, 'docs', 'link')
  await symlink(target, path)
  const handle = await open(target)
  await expect(recheckPath(handle, { root, path })).rejects.toMatchObject({ code: 'OUTSIDE' })
  await handle.close()
})

describe('without /proc', () => {
  beforeEach(() => {
    const { readlink } = files
    const missing = Object.assign(new Error('no /proc'), { code: 'ENOENT' })
    Object.assign(files, { readlink: () => Promise.reject(missing) })
    syncBuiltinESMExports()
    onTestFinished(() => {
      Object.assign(files, { readlink })
      syncBuiltinESMExports()
    })
  })

  it('a file is opened by its own name, and looked at', async () => {
    const found = await locate(root, 'docs/a.txt')
    const file = await openFile(found)
    expect(await file.readFile('utf8')).toBe('inside')
    await file.close()
    expect((await statInside(found)).ino).toBe(found.stats.ino)
  })

  it('a folder above it that was swapped for a link is told by where that leads', async () => {
    const found = await locate(root, 'docs/a.txt')
    await rename(join(root, 'docs'), join(root, 'old'))
    await symlink(outside, join(root, 'docs'))
    const place = { root, path: join(found.path, '..', 'docs') }
    await expect(openDirectory(place)).rejects.toMatchObject({ code: 'OUTSIDE' })
  })
})

describe('a directory that was found and then swapped', () => {
  async function swappedFolder(target: string): Promise<Found> {
    const found = await locate(root, 'docs/a.txt')
    await rename(join(root, 'docs'), join(root, 'old'))
    await symlink(target, join(root, 'docs'))
    return found
  }

  it('for a link is not opened, be it inside or outside', async () => {
    for (const target of ['old', join(outside, 'docs')]) {
      const { root: top, path } = await swappedFolder(target)
      await expect(openDirectory({ root: top, path: join(path, '..') })).rejects.toMatchObject({
        code: 'ENOTDIR',
      })
      await rm(join(root, 'docs'))
      await rename(join(root, 'old'), join(root, 'docs'))
    }
  })

  it('above what is asked for is told by where it leads', async () => {
    await mkdir(join(outside, 'docs', 'deep'))
    await mkdir(join(root, 'docs', 'deep'))
    const { path } = await locate(root, 'docs/deep')
    await rename(join(root, 'docs'), join(root, 'old'))
    await symlink(join(outside, 'docs'), join(root, 'docs'))
    await expect(openDirectory({ root, path })).rejects.toMatchObject({ code: 'OUTSIDE' })
  })
})

describe('descriptors', () => {
  beforeEach(({ skip }) => skip(!existsSync('/proc/self/fd'), 'there is no /proc to count them in'))

  it('are let go of by what is refused', async () => {
    const directory = await swapped((path) => mkdir(path))
    for (let times = 0; times < 20; times++) await expect(openFile(directory)).rejects.toThrow()
    expect(descriptors(base)).toBe(0)
    await symlink(join(outside, 'docs'), join(root, 'trap'))
    for (let times = 0; times < 20; times++) {
      await expect(openDirectory({ root, path: join(root, 'trap', '.') })).rejects.toThrow()
      await expect(openDirectory({ root: join(root, 'docs'), path: root })).rejects.toThrow()
    }
    expect(descriptors(base)).toBe(0)
  })

  it('of a directory are let go of once its file is open', async () => {
    const file = await openFile(await locate(root, 'docs/a.txt'))
    expect(descriptors(base)).toBe(1)
    await file.close()
    expect(descriptors(base)).toBe(0)
  })
})
