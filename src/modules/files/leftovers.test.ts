import { mkdir, mkdtemp, readdir, rm, symlink, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { openFolder } from './folder.ts'
import { temporaryName } from './leftovers.ts'
import { basicTools } from './tools.ts'

const HOUR = 3_600_000

let root: string

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'files-leftovers-'))
  await mkdir(join(root, 'docs'))
})

afterEach(async () => {
  vi.useRealTimers()
  vi.restoreAllMocks()
  await rm(root, { recursive: true, force: true })
})

const open = () => {
  const [, write] = basicTools(openFolder(root))
  return (path: string) => write.run({ path, content: 'x' })
}

/** Leaves a file behind, as a process does that is killed while it writes. */
async function leave(name: string, ageMs: number): Promise<string> {
  const path = join(root, 'docs', name)
  await writeFile(path, 'half of')
  const then = new Date(Date.now() - ageMs)
  await utimes(path, then, then)
  return name
}

it('removes what a killed process left in a directory that is written to', async () => {
  await leave(temporaryName(), 2 * HOUR)
  await open()('docs/a.txt')
  expect(await readdir(join(root, 'docs'))).toEqual(['a.txt'])
})

it('leaves alone what is young, what is not its own, and what is no file', async () => {
  const kept = [
    await leave(temporaryName(), HOUR / 2),
    await leave(`.${crypto.randomUUID()}.tmp`, 2 * HOUR),
    await leave(`x${temporaryName()}`, 2 * HOUR),
    await leave(`${temporaryName()}x`, 2 * HOUR),
    await leave('.perigee-notes.tmp', 2 * HOUR),
  ]
  const [folder, link] = [temporaryName(), temporaryName()]
  await mkdir(join(root, 'docs', folder))
  await symlink('../elsewhere', join(root, 'docs', link))
  const old = new Date(Date.now() - 2 * HOUR)
  await utimes(join(root, 'docs', folder), old, old)
  await open()('docs/a.txt')
  expect((await readdir(join(root, 'docs'))).sort()).toEqual([...kept, folder, link, 'a.txt'].sort())
})

it('looks once an hour, so that what was too young is found later', async () => {
  const write = open()
  await write('docs/a.txt')
  const left = await leave(temporaryName(), 2 * HOUR)
  await write('docs/a.txt')
  expect(await readdir(join(root, 'docs'))).toContain(left)
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + HOUR })
  await write('docs/a.txt')
  expect(await readdir(join(root, 'docs'))).toEqual(['a.txt'])
})

it('writes by way of a name that it knows again', async () => {
  const uuid = '00000000-0000-4000-8000-000000000000' as const
  vi.spyOn(crypto, 'randomUUID').mockReturnValue(uuid)
  await leave(`.perigee-${uuid}.tmp`, 0)
  await expect(open()('docs/a.txt')).rejects.toThrow('docs/a.txt could not be used (EEXIST)')
})
