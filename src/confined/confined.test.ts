import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import files from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { slowFiles } from '../../test/setup/slow-files.ts'
import { openDirectory, openFile, openIn, statInside } from './confine.ts'
import { locate } from './locate.ts'
import { makeFolderOf, underLock, writePrivate } from './private-file.ts'
import { readEntries } from './read-entries.ts'

let root = ''
const path = (name: string) => join(root, name)

beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'perigee-slow-')))
  mkdirSync(path('docs'))
  writeFileSync(path('docs/a.txt'), 'inside')
})
afterEach(() => rmSync(root, { recursive: true }))

describe('by way of a folder that is held', () => {
  it('a file is opened before that is let go of, which it is', async () => {
    const found = await locate(root, 'docs/a.txt')
    const slow = slowFiles()
    const file = await openFile(found)
    expect(slow.underWay).toEqual([])
    expect(slow.asked.at(-1)).toBe('close')
    expect(await file.readFile('utf8')).toBe('inside')
    await file.close()
  })

  it.each(['docs', 'docs/a.txt'])('%s is looked at before that is let go of, which it is', async (name) => {
    const found = await locate(root, name)
    const slow = slowFiles()
    expect((await statInside(found)).ino).toBe(found.stats.ino)
    expect(slow.underWay).toEqual([])
    expect(slow.asked.at(-1)).toBe('close')
  })

  it('a file of another root is refused, and let go of', async () => {
    mkdirSync(path('other'))
    const directory = await openDirectory({ root, path: path('docs') })
    const slow = slowFiles()
    const opening = openIn(directory, { root: path('other'), path: path('docs/a.txt') })
    await expect(opening).rejects.toMatchObject({ code: 'OUTSIDE' })
    expect([slow.asked.at(-1), slow.underWay]).toEqual(['close', []])
    await directory.close()
  })
})

it('a folder of few files is read at once', async () => {
  const slow = slowFiles()
  expect(await readEntries({ path: root, close: async () => {} })).toHaveLength(1)
  expect(slow.asked).toEqual(['stat /…'])
})

it('a wide folder is read before it is let go of, which it is', async () => {
  for (let n = 0; n < 400; n++) writeFileSync(path(`${n}-${'x'.repeat(100)}`), '')
  const slow = slowFiles()
  const entries = await readEntries({ path: root, close: async () => {} })
  expect(entries).toHaveLength(401)
  expect([slow.asked.at(-1), slow.underWay]).toEqual(['close', []])
})

describe('a private file', () => {
  it('is written whole, and then has its name', async () => {
    const slow = slowFiles()
    await writePrivate(path('file'), 'text')
    expect([slow.asked, slow.underWay]).toEqual([['writeFile /…', 'rename /…'], []])
  })

  it('that cannot have its name leaves nothing beside it, and says so', async () => {
    const slow = slowFiles()
    await expect(writePrivate(path('docs'), 'text')).rejects.toThrow('EISDIR')
    expect(slow.underWay).toEqual([])
    expect(readdirSync(root)).toEqual(['docs'])
  })

  it('has its folder once that has been made', async () => {
    const slow = slowFiles()
    await makeFolderOf(path('new/file'))
    expect([slow.underWay, readdirSync(root)]).toEqual([[], ['docs', 'new']])
  })
})

describe('a lock', () => {
  const TAKEN = ['open /…', 'writeFile …', 'close']
  const UNLOCKED = ['open /…', 'close', 'rm /…']

  it('is written before what it is for begins, and gone when that is done', async () => {
    const slow = slowFiles()
    await underLock(path('file'), async () => {
      expect([slow.take(), slow.underWay]).toEqual([TAKEN, []])
    })
    expect([slow.asked, slow.underWay]).toEqual([UNLOCKED, []])
  })

  it('that cannot be written is not left, and says so', async () => {
    const { open } = files
    onTestFinished(() => void Object.assign(files, { open }))
    const writeFile = () => Promise.reject(new Error('full'))
    files.open = async (...args) => Object.assign(await open(...args), { writeFile })
    const slow = slowFiles()
    await expect(underLock(path('file'), async () => 'run')).rejects.toThrow('full')
    expect([slow.underWay, readdirSync(root)]).toEqual([[], ['docs']])
  })

  it('that was left behind is claimed, taken away and then taken', async () => {
    const time = Date.now() / 1000 - 60
    writeFileSync(path('file.lock'), '')
    utimesSync(path('file.lock'), time, time)
    const slow = slowFiles()
    await underLock(path('file'), async () => {
      const claimed = ['stat /…', 'open /…', 'writeFile', 'close', 'stat /…', 'rm /…', 'rm /…']
      expect(slow.take()).toEqual(['open /…', ...claimed, 'setTimeout', ...TAKEN])
    })
    expect(readdirSync(root)).toEqual(['docs'])
  })

  it('that somebody was about to take away who has died is claimed anew', async () => {
    const time = Date.now() / 1000 - 60
    writeFileSync(path('file.lock'), '')
    utimesSync(path('file.lock'), time, time)
    const claim = `file.lock.${Math.trunc(statSync(path('file.lock')).mtimeMs)}`
    writeFileSync(path(claim), '')
    utimesSync(path(claim), time, time)
    const slow = slowFiles()
    await underLock(path('file'), async () => {
      const first = ['open /…', 'stat /…', 'open /…', 'stat /…', 'rm /…', 'setTimeout']
      expect(slow.asked.slice(0, 6)).toEqual(first)
      expect(slow.asked.join()).not.toContain('during')
    })
    expect(readdirSync(root)).toEqual(['docs'])
  })

  it('of somebody else is looked at now and then', async () => {
    writeFileSync(path('file.lock'), '')
    const slow = slowFiles()
    const done = underLock(path('file'), async () => 'done', 30_000)
    const pauses = () => slow.asked.filter((one) => one.startsWith('setTimeout')).length
    while (pauses() < 3) await new Promise(setImmediate)
    rmSync(path('file.lock'))
    expect(await done).toBe('done')
    const look = ['open /…', 'stat /…', 'setTimeout']
    expect(slow.asked.slice(0, 9)).toEqual([...look, ...look, ...look])
  })
})
