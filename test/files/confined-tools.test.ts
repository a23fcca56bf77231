import {
  mkdir,
  mkdtemp,
  open,
  readdir,
  readFile,
  realpath,
  rename,
  rm,
  rmdir,
  symlink,
  writeFile,
} from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { checkInside, openDirectory, recheckPath } from '../../src/confined/confine.ts'
import { openFolder } from '../../src/modules/files/folder.ts'
import { basicTools } from '../../src/modules/files/tools.ts'

let base: string
let root: string
let outside: string

beforeEach(async () => {
  base = await realpath(await mkdtemp(join(tmpdir(), 'files-confine-')))
  root = join(base, 'root')
  outside = join(base, 'root-not')
  await mkdir(join(root, 'docs'), { recursive: true })
  await mkdir(join(outside, 'docs'), { recursive: true })
  await writeFile(join(root, 'docs', 'a.txt'), 'inside')
  await writeFile(join(outside, 'docs', 'a.txt'), 'secret')
})

afterEach(() => rm(base, { recursive: true, force: true }))

const ACTIONS = {
  read: (path: string) => basicTools(openFolder(root))[0].run({ path }),
  write: (path: string) => basicTools(openFolder(root))[1].run({ path, content: 'changed' }),
  list: (path: string) => basicTools(openFolder(root))[2].run({ path }),
}

describe.each(['read', 'write', 'list'] as const)('%s', (name) => {
  const act = ACTIONS[name]

  afterEach(async () => {
    expect(await readdir(outside)).toEqual(['docs'])
    expect(await readdir(join(outside, 'docs'))).toEqual(['a.txt'])
    expect(await readFile(join(outside, 'docs', 'a.txt'), 'utf8')).toBe('secret')
  })

  it.each(['..', '../root-not', 'docs/../docs/a.txt', 'docs/..', '../root/docs', './/../x'])(
    'refuses %s for its ".."',
    async (path) => {
      await expect(act(path)).rejects.toThrow(`${path} contains "..", which could lead outside the root`)
    },
  )

  it('refuses ".." in an absolute path, even one that stays inside', async () => {
    await expect(act(`${root}/docs/../docs/a.txt`)).rejects.toThrow('contains ".."')
  })

  it('refuses absolute paths outside, whether or not they exist', async () => {
    for (const path of ['/', base, outside, `${outside}/docs/a.txt`, `${root}x`, '/no/such/thing']) {
      await expect(act(path)).rejects.toThrow(new Error(`${path} is outside the root`))
    }
  })

  it('refuses a NUL byte', async () => {
    await expect(act('docs\0/a.txt')).rejects.toThrow('docs\\u0000/a.txt contains a NUL byte')
  })

  it.each([
    ['a file', 'root-not/docs/a.txt'],
    ['a directory', 'root-not/docs'],
    ['the directory around the root', '.'],
    ['nothing', 'root-not/missing'],
    ['something inside a file', 'root-not/docs/a.txt/x'],
    ['nothing in nothing', 'root-not/missing/missing'],
  ])('refuses a link to %s outside, always in the same words', async (_what, target) => {
    await symlink(join(base, target), join(root, 'absolute'))
    await symlink(join('..', target), join(root, 'relative'))
    await symlink('relative', join(root, 'chain'))
    for (const path of ['absolute', 'relative', 'chain', 'chain/a.txt', 'chain/missing', 'absolute/docs/']) {
      await expect(act(path)).rejects.toThrow(new Error(`${path} is outside the root`))
    }
  })

  it('refuses a loop of links', async () => {
    await symlink('b', join(root, 'a'))
    await symlink('a', join(root, 'b'))
    await expect(act('a')).rejects.toThrow('a leads through too many symbolic links')
    await expect(act('a/x')).rejects.toThrow('a/x leads through too many symbolic links')
  })

  it('refuses a name that is too long', async () => {
    const path = 'x'.repeat(300)
    await expect(act(path)).rejects.toThrow(`The name ${path} is too long`)
  })

  it('refuses a path that goes through a file', async () => {
    await expect(act('docs/a.txt/b')).rejects.toThrow('Part of docs/a.txt/b is not a directory')
    await expect(act('docs/a.txt/')).rejects.toThrow('Part of docs/a.txt/ is not a directory')
  })
})

describe('what leads inside works', () => {
  it('by absolute path', async () => {
    expect(await ACTIONS.read(`${root}/docs/a.txt`)).toBe('inside')
    expect(await ACTIONS.list(root)).toBe('D docs')
    expect(await ACTIONS.list(`${root}/`)).toBe('D docs')
  })

  it('by every spelling of a relative path', async () => {
    expect(await ACTIONS.read('./docs//./a.txt')).toBe('inside')
    expect(await ACTIONS.list('docs/')).toBe('F a.txt')
  })

  it('by links: of a file, of a directory, in a chain, by way of the outside', async () => {
    await symlink('docs/a.txt', join(root, 'file'))
    await symlink(join(root, 'docs'), join(root, 'directory'))
    await symlink('../root/directory', join(root, 'chain'))
    await symlink('../../root', join(root, 'docs', 'up'))
    for (const path of ['file', 'directory/a.txt', 'chain/a.txt', 'docs/up/chain/up/file']) {
      expect(await ACTIONS.read(path)).toBe('inside')
    }
    expect(await ACTIONS.list('chain')).toBe('F a.txt\nD up')
  })

  it('under a root that is a link itself, by its name and by its real path', async () => {
    const link = join(base, 'link')
    await symlink(root, link)
    await symlink(join(link, 'docs', 'a.txt'), join(root, 'through-the-link'))
    const [read] = basicTools(openFolder(link))
    for (const path of ['docs/a.txt', `${link}/docs/a.txt`, `${root}/docs/a.txt`, 'through-the-link']) {
      expect(await read.run({ path })).toBe('inside')
    }
  })

  it('with names that only look dangerous', async () => {
    for (const path of ['..a', 'a..', '...', '..\\x', 'C:\\x', '%2e%2e', '~', 'x (deleted)', 'x\ny']) {
      await ACTIONS.write(path)
      expect(await ACTIONS.read(path)).toBe('changed')
    }
  })

  it('under the root of the whole file system', async () => {
    const [read] = basicTools(openFolder('/'))
    expect(await read.run({ path: `${root}/docs/a.txt` })).toBe('inside')
    expect(await read.run({ path: `${root}/docs/a.txt`.slice(1) })).toBe('inside')
  })
})

describe('an open handle', () => {
  const place = (path: string) => ({ root, path: join(root, path) })

  it('is refused when it turns out to lie outside', async () => {
    await using(join(outside, 'docs'), async (handle) => {
      await expect(checkInside(handle, place('docs'))).rejects.toMatchObject({ code: 'OUTSIDE' })
      await expect(recheckPath(handle, place('docs'))).rejects.toMatchObject({ code: 'OUTSIDE' })
    })
  })

  it('is refused when a link took the place of what was opened', async () => {
    await using(join(root, 'docs'), async (handle) => {
      await rename(join(root, 'docs'), join(base, 'moved'))
      await symlink(outside, join(root, 'docs'))
      await expect(checkInside(handle, place('docs'))).rejects.toMatchObject({ code: 'OUTSIDE' })
      await expect(recheckPath(handle, place('docs'))).rejects.toMatchObject({ code: 'OUTSIDE' })
    })
  })

  it('is accepted inside, also without /proc', async () => {
    await using(join(root, 'docs'), async (handle) => {
      expect(await recheckPath(handle, place('docs'))).toBe(join(root, 'docs'))
      expect(await readdir(await checkInside(handle, place('docs')))).toEqual(['a.txt'])
    })
  })

  it('of a deleted directory is refused', async () => {
    await mkdir(join(root, 'gone'))
    await using(join(root, 'gone'), async (handle) => {
      await rmdir(join(root, 'gone'))
      await expect(checkInside(handle, place('gone'))).rejects.toMatchObject({ code: 'ENOENT' })
    })
  })

  it('of a file that was just replaced is accepted', async () => {
    await using(join(root, 'docs', 'a.txt'), async (handle) => {
      await writeFile(join(root, 'b.txt'), 'newer')
      await rename(join(root, 'b.txt'), join(root, 'docs', 'a.txt'))
      await checkInside(handle, place('docs/a.txt'))
      expect(await handle.readFile('utf8')).toBe('inside')
    })
  })

  it('of a directory may end in what /proc calls a deleted one', async () => {
    await mkdir(join(root, 'old (deleted)'))
    const directory = await openDirectory(place('old (deleted)'))
    await directory.close()
  })
})

type Handle = Awaited<ReturnType<typeof open>>

async function using(path: string, work: (handle: Handle) => Promise<void>): Promise<void> {
  const handle = await open(path)
  try {
    await work(handle)
  } finally {
    await handle.close()
  }
}
