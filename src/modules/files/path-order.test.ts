import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { editFile } from './edit-file.ts'
import { openFolder } from './folder.ts'
import { PathOrder, type Turn } from './path-order.ts'
import { basicTools } from './tools.ts'

const root = mkdtempSync(join(tmpdir(), 'files-order-'))

afterAll(() => rmSync(root, { recursive: true }))

/** Runs what is given at once, and tells what has begun whenever one of them is let end. */
function queue(turns: readonly (readonly [Turn['does'], string, Turn['call']?])[]) {
  const order = new PathOrder()
  const begun: number[] = []
  const ends: ((how: 'well' | 'badly') => void)[] = []
  const results = turns.map(([does, path, call], index) =>
    order.run({ does, path, call }, () => {
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
  return { begun, end, results }
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

const [ANN, BOB] = [{ owner: 'ann' }, { owner: 'bob' }]

it('has callers come in turn, so that nobody waits for all that another has asked for', async () => {
  const { begun, end } = queue([
    ['write', '/r/a', ANN],
    ['write', '/r/a', ANN],
    ['write', '/r/a', ANN],
    ['write', '/r/a', BOB],
    ['write', '/r', BOB],
  ])
  expect(begun).toEqual([0])
  await end(0)
  expect(begun).toEqual([0, 3])
  await end(3)
  expect(begun).toEqual([0, 3, 1])
  await end(1)
  expect(begun).toEqual([0, 3, 1, 4])
  await end(4)
  expect(begun).toEqual([0, 3, 1, 4, 2])
})

it('has nobody wait for what somebody else reads, nor for what they have not come to', async () => {
  const { begun, end } = queue([
    ['read', '/r/a', ANN],
    ['write', '/r/a', ANN],
    ['write', '/r/a', BOB],
    ['read', '/r/a', BOB],
  ])
  expect(begun).toEqual([0, 2])
  await end(0)
  expect(begun).toEqual([0, 2])
  await end(2)
  expect(begun).toEqual([0, 2, 1])
})

it('has whoever leaves give up the turn that has not come, and lets nobody pass who is still before', async () => {
  const [leaving, gone] = [new AbortController(), AbortSignal.abort(new Error('gone'))]
  const { begun, end, results } = queue([
    ['write', '/r/a'],
    ['write', '/r/a', { signal: leaving.signal }],
    ['write', '/r/a', { signal: gone }],
    ['read', '/r/a'],
  ])
  leaving.abort(new Error('left'))
  await expect(results[1]).rejects.toThrow('left')
  await expect(results[2]).rejects.toThrow('gone')
  expect(begun).toEqual([0])
  await end(0)
  expect(begun).toEqual([0, 3])
})

it('has nothing that is read wait for a dry run, which writes nothing', async () => {
  const folder = openFolder(root)
  const path = 'dry.txt'
  writeFileSync(join(root, path), 'a')
  let release = () => {}
  const held = new Promise<void>((resolve) => {
    release = resolve
  })
  const reading = folder.use({ path, does: 'read' }, () => held)
  const edit = editFile(folder).run as unknown as (args: object) => Promise<unknown> // Where nobody calls.
  const dry = edit({ path, edits: [{ oldText: 'a', newText: 'b' }], dryRun: true })
  expect(await dry).toMatchObject({ structuredContent: { written: false, replaced: 1 } })
  release()
  await reading
  rmSync(join(root, path))
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
