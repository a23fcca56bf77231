import { execFileSync } from 'node:child_process'
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { platform, tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished, type TestContext } from 'vitest'
import { SmallFiles } from './small-files.ts'

/** Elsewhere nothing tells where an open file really is, and all is read the long way. */
function needLinux({ skip }: TestContext): void {
  if (platform() !== 'linux') skip('only Linux has /proc')
}

function makeRoot(): string {
  const root = mkdtempSync(join(tmpdir(), 'perigee-small-'))
  onTestFinished(() => rmSync(root, { recursive: true, force: true }))
  mkdirSync(join(root, 'in'))
  writeFileSync(join(root, 'in', 'note.txt'), 'hello')
  writeFileSync(join(root, 'in', 'large.txt'), Buffer.alloc(64 * 1024 + 1))
  writeFileSync(join(root, 'in', 'full.txt'), Buffer.alloc(64 * 1024))
  writeFileSync(join(root, 'in', 'none.txt'), '')
  symlinkSync(join(root, 'in', 'note.txt'), join(root, 'in', 'link.txt'))
  symlinkSync('in', join(root, 'way'))
  execFileSync('mkfifo', [join(root, 'in', 'fifo')])
  return root
}

/** Something that knows these roots. */
async function readerOf(...roots: readonly string[]): Promise<SmallFiles> {
  const small = new SmallFiles()
  for (const root of roots) await small.learn(root)
  return small
}

const lengthOf = (bytes: Buffer) => bytes.length

/** What is open in a folder, whoever opened it. */
function openIn(folder: string): readonly string[] {
  const paths = readdirSync('/proc/self/fd').map((one) => {
    try {
      return readlinkSync(`/proc/self/fd/${one}`)
    } catch {
      return '' // It has been closed meanwhile.
    }
  })
  return paths.filter((path) => path.startsWith(folder))
}

it('a plain small file is read at once', async (context) => {
  needLinux(context)
  const root = makeRoot()
  const small = await readerOf(root)
  expect(small.read(root, 'in/note.txt', String)).toBe('hello')
  expect(small.read(root, join(root, 'in', 'note.txt'), String)).toBe('hello')
  expect(small.read(root, 'in/none.txt', lengthOf)).toBe(0)
  expect(small.read(root, 'in/full.txt', lengthOf)).toBe(64 * 1024)
  expect(new SmallFiles().read(root, 'in/note.txt', lengthOf)).toBe(undefined)
  expect(openIn(root)).toEqual([])
})

it.for([
  'in/large.txt',
  'in/link.txt',
  'way/note.txt',
  'in/fifo',
  'in',
  'in/',
  'in/note.txt/',
  'in/../in/note.txt',
  'in/no\0te.txt',
  'in/nothing.txt',
  '/etc/hostname',
  '../note.txt',
])('%j is left to the long way, and nothing stays open', async (path, context) => {
  needLinux(context)
  const root = makeRoot()
  expect((await readerOf(root)).read(root, path, lengthOf)).toBe(undefined)
  expect(openIn(root)).toEqual([])
})

it('a path that is long, though it leads to such a file, is left to the long way', async (context) => {
  needLinux(context)
  const root = makeRoot()
  const small = await readerOf(root)
  const ofLength = (length: number) => `in${'/'.repeat(length - 10)}note.txt`
  expect(small.read(root, ofLength(4096), String)).toBe('hello')
  expect(small.read(root, ofLength(4097), String)).toBe(undefined)
})

it('a root that is a link, that is gone, or that is on no disk is left to the long way', async (context) => {
  needLinux(context)
  const root = makeRoot()
  symlinkSync(root, `${root}-link`)
  onTestFinished(() => rmSync(`${root}-link`))
  const small = await readerOf(`${root}-link`, `${root}-gone`, '/proc/self')
  expect(small.read(`${root}-link`, 'in/note.txt', lengthOf)).toBe(undefined)
  expect(small.read(`${root}-gone`, 'in/note.txt', lengthOf)).toBe(undefined)
  expect(small.read('/proc/self', 'status', lengthOf)).toBe(undefined)
})
