import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { endsAsDirectory, findMisspelling, isInside, locate } from './locate.ts'

function createRoot(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'locate-')))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const root = join(folder, 'root')
  mkdirSync(join(root, 'inner'), { recursive: true })
  writeFileSync(join(root, 'inner', 'file'), '')
  writeFileSync(join(folder, 'secret'), '')
  return root
}

it('follows forty links, and not one more', async () => {
  const root = createRoot()
  symlinkSync('inner/file', join(root, 'link1'))
  for (let number = 2; number <= 41; number++) symlinkSync(`link${number - 1}`, join(root, `link${number}`))
  expect((await locate(root, 'link40')).path).toBe(join(root, 'inner', 'file'))
  await expect(locate(root, 'link41')).rejects.toMatchObject({ code: 'ELOOP' })
})

it('follows links inside of the root, absolute ones too, and none that lead out', async () => {
  const root = createRoot()
  symlinkSync(join(root, 'inner'), join(root, 'absolute'))
  symlinkSync('../inner', join(root, 'inner', 'back'))
  symlinkSync('../../secret', join(root, 'inner', 'out'))
  symlinkSync('/etc/passwd', join(root, 'away'))
  symlinkSync('../../nothing', join(root, 'inner', 'nowhere'))
  expect((await locate(root, 'absolute/file')).path).toBe(join(root, 'inner', 'file'))
  expect((await locate(root, 'inner/back/file')).path).toBe(join(root, 'inner', 'file'))
  expect((await locate(root, '')).path).toBe(root)
  expect((await locate(root, join(root, 'inner'))).stats.isDirectory()).toBe(true)
  for (const path of ['inner/out', 'away', 'inner/nowhere', '/etc/passwd', `${root}x`])
    await expect(locate(root, path), path).rejects.toMatchObject({ code: 'OUTSIDE' })
  await expect(locate(root, 'inner/none')).rejects.toMatchObject({ code: 'ENOENT' })
})

it('takes a path that can only mean a directory for nothing else', async () => {
  const root = createRoot()
  expect((await locate(root, 'inner/')).path).toBe(join(root, 'inner'))
  for (const path of ['inner/file/', 'inner/file/.'])
    await expect(locate(root, path), path).rejects.toMatchObject({ code: 'ENOTDIR' })
  expect(['', 'a/', 'a/.', '.', 'a', 'a/b', 'a.'].map(endsAsDirectory)).toEqual([
    true,
    true,
    true,
    true,
    false,
    false,
    false,
  ])
})

it('refuses what no path may have in it', async () => {
  const root = createRoot()
  expect(['a\0b', '../a', 'a/../b', 'a/..', 'a..b', '...'].map(findMisspelling)).toEqual([
    'NUL',
    'DOT_DOT',
    'DOT_DOT',
    'DOT_DOT',
    undefined,
    undefined,
  ])
  await expect(locate(root, 'a\0b')).rejects.toMatchObject({ code: 'NUL' })
  await expect(locate(root, 'inner/../inner/file')).rejects.toMatchObject({ code: 'DOT_DOT' })
})

it('is inside of a root by its whole name', () => {
  expect([isInside('/a/b', '/a/b'), isInside('/a/b', '/a/b/c'), isInside('/', '/c')]).toEqual([
    true,
    true,
    true,
  ])
  expect([isInside('/a/b', '/a/bc'), isInside('/a/b', '/a')]).toEqual([false, false])
})
