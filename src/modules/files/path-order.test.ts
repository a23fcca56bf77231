import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { openFolder } from './folder.ts'
import { PathOrder, type Turn } from './path-order.ts'
import { basicTools } from './tools.ts'

const root = mkdtempSync(join(tmpdir(), 'files-order-'))

afterAll(() => rmSync(root, { recursive: true }))

/** Runs what is given at once, and tells what has begun whenever one of them is let end. */
function queue(turns: readonly (readonly [Turn['does'], string])[]) {
  const order = new PathOrder()
  const begun: number[] = []
  const ends: ((how: 'well' | 'badly') => void)[] = []
  const results = turns.map(([does, path], index) =>
    order.run({ does, path }, () => {
      begun.push(index)
      return new Promise<void>((resolve, reject) => {
        ends[index] = (how) => (how === 'well' ? resolve() : reject(new Error('failed')))
      })
    }),
  )
  for (const result of results) result.catch(() => {})
  const end = async (index: number, how: 'well' | 'badly' = 'well') => {
    ends[index]?.(how)
    await new Promise(setImmediate)
  }
  return { begun, end }
}

it('has what touches one path wait for what was asked before, however that ended', async () => {
  const { begun, end } = queue([
    ['write', '/r/a'],
    ['read', '/r/a'],
    ['read', '/r/a'],
    ['write', '/r/a'],
  ])
  expect(begun).toEqual([0])
  await end(0, 'badly')
  expect(begun).toEqual([0, 1, 2])
  await end(1)
  expect(begun).toEqual([0, 1, 2])
  await end(2)
  expect(begun).toEqual([0, 1, 2, 3])
})

it('has other paths wait for nothing, and a directory for what is written in it', async () => {
  const { begun, end } = queue([
    ['write', '/r/a/x'],
    ['write', '/r/ab'],
    ['read', '/r/b'],
    ['read', '/r/a'],
    ['read', '/r'],
  ])
  expect(begun).toEqual([0, 1, 2])
  await end(0)
  expect(begun).toEqual([0, 1, 2, 3])
  await end(1)
  expect(begun).toEqual([0, 1, 2, 3, 4])
})

it('reads and lists what was written just before, all asked for at once', async () => {
  const [read, write, list] = basicTools(openFolder(root))
  const path = 'fresh.txt'
  const said = await Promise.all([
    write.run({ path, content: 'one' }),
    read.run({ path: `./${path}` }),
    list.run({ path: '.' }),
    write.run({ path, content: 'three' }),
    read.run({ path: join(root, path) }),
  ])
  expect(said).toEqual([
    'Wrote 3 bytes to fresh.txt',
    'one',
    'F fresh.txt',
    'Wrote 5 bytes to fresh.txt',
    'three',
  ])
})

it('writes nothing for a call that was cancelled before its turn was over', async () => {
  const [, write] = basicTools(openFolder(root))
  const call = { aborted: false }
  const first = write.run({ path: 'kept.txt', content: 'first' })
  const second = write.run({ path: 'kept.txt', content: 'second' }, call)
  call.aborted = true
  await first
  await expect(second).rejects.toThrow('cancelled')
  expect(readFileSync(join(root, 'kept.txt'), 'utf8')).toBe('first')
  expect(readdirSync(root).filter((name) => name.endsWith('.tmp'))).toEqual([])
})

it('names the root and what chooses it to whoever asks for a path outside, where it may', async () => {
  const [read] = basicTools(openFolder(root, { chosenBy: '--root or ROOT' }))
  await expect(read.run({ path: '/etc/passwd' })).rejects.toThrow(
    `/etc/passwd is outside the root ${root}; --root or ROOT chooses another`,
  )
  const [silent] = basicTools(openFolder(root))
  await expect(silent.run({ path: '/etc/passwd' })).rejects.toThrow(/^\/etc\/passwd is outside the root$/)
})
