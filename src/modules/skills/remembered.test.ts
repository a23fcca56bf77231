import { mkdtemp, realpath, rename, rm, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { locate } from '../../confined/locate.ts'
import { Remembered } from './remembered.ts'

let root: string
let made: string[]

beforeEach(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), 'skills-remembered-')))
  made = []
  await writeFile(join(root, 'a'), 'one')
})

afterEach(() => rm(root, { recursive: true, force: true }))

function remember(now: () => number): Remembered<string> {
  const make = (bytes: Buffer) => {
    made.push(bytes.toString())
    return bytes.toString()
  }
  return new Remembered({ make, now })
}

const HOUR = 3_600_000
const later = () => Date.now() + HOUR

it('makes nothing again of a file that has long been as it is', async () => {
  const remembered = remember(later)
  expect(await remembered.of(await locate(root, 'a'))).toBe('one')
  expect(await remembered.of(await locate(root, 'a'))).toBe('one')
  expect(made).toEqual(['one'])
})

it('does not trust a file that has only just changed', async () => {
  const remembered = remember(Date.now)
  await remembered.of(await locate(root, 'a'))
  await remembered.of(await locate(root, 'a'))
  expect(made).toEqual(['one', 'one'])
})

it('sees another size, and another file in the place', async () => {
  const remembered = remember(later)
  await remembered.of(await locate(root, 'a'))
  await writeFile(join(root, 'a'), 'longer')
  expect(await remembered.of(await locate(root, 'a'))).toBe('longer')
  await writeFile(join(root, 'b'), 'LONGER')
  await rename(join(root, 'b'), join(root, 'a'))
  expect(await remembered.of(await locate(root, 'a'))).toBe('LONGER')
})

it('forgets the files it need not keep', async () => {
  const remembered = remember(later)
  await remembered.of(await locate(root, 'a'))
  remembered.keep(new Set([join(root, 'a')]))
  await remembered.of(await locate(root, 'a'))
  remembered.keep(new Set())
  await remembered.of(await locate(root, 'a'))
  expect(made).toEqual(['one', 'one'])
})

it('refuses a file that has grown beyond what a skill may have', async () => {
  await truncate(join(root, 'a'), 16 * 1024 * 1024 + 1)
  await expect(remember(later).of(await locate(root, 'a'))).rejects.toMatchObject({ code: 'TOO_LARGE' })
})
