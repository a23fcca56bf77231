import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { files } from './index.ts'

const ATTEMPTS = 250

// Another thread that never yields: what it swaps, it swaps between any two steps of ours.
const SWAPPER = `
  const { renameSync, symlinkSync } = require('node:fs')
  const { root, outside } = require('node:worker_threads').workerData
  const at = (name) => root + '/' + name
  for (;;) {
    renameSync(at('door'), at('parked'))
    renameSync(at('trap'), at('door'))
    renameSync(at('door'), at('trap'))
    renameSync(at('parked'), at('door'))
    symlinkSync(outside, at('next'))
    renameSync(at('next'), at('link'))
    symlinkSync('inner', at('next'))
    renameSync(at('next'), at('link'))
  }
`

// It takes a folder out of the root, puts a secret where its file was, and brings all of it back.
const REMOVER = `
  const { renameSync } = require('node:fs')
  const { root, outside } = require('node:worker_threads').workerData
  const [home, away] = [root + '/inner', outside + '/inner']
  // Long enough for a reader to get somewhere, and seldom the same.
  const stay = () => { for (const end = performance.now() + Math.random(); performance.now() < end; ); }
  for (;;) {
    stay()
    renameSync(home, away)
    renameSync(away + '/a.txt', away + '/b.txt')
    renameSync(outside + '/secret.txt', away + '/a.txt')
    stay()
    renameSync(away + '/a.txt', outside + '/secret.txt')
    renameSync(away + '/b.txt', away + '/a.txt')
    renameSync(away, home)
  }
`

// It swaps the file itself for a link, a directory and back.
const FILE_SWAPPER = `
  const { renameSync, symlinkSync, mkdirSync } = require('node:fs')
  const { root, outside } = require('node:worker_threads').workerData
  const at = (name) => root + '/inner/' + name
  symlinkSync(outside + '/a.txt', at('link'))
  mkdirSync(at('folder'))
  for (;;) {
    for (const other of ['link', 'folder']) {
      renameSync(at('a.txt'), at('parked'))
      renameSync(at(other), at('a.txt'))
      renameSync(at('a.txt'), at(other))
      renameSync(at('parked'), at('a.txt'))
    }
  }
`

let base: string
let root: string
let outside: string
let swapper: Worker

beforeEach(async () => {
  base = await mkdtemp(join(tmpdir(), 'files-race-'))
  root = join(base, 'root')
  outside = join(base, 'outside')
  for (const directory of [join(root, 'door'), join(root, 'inner'), outside]) {
    const text = directory === outside ? 'secret' : 'inside'
    await mkdir(join(directory, 'deep'), { recursive: true })
    await writeFile(join(directory, 'a.txt'), text)
    await writeFile(join(directory, 'deep', 'a.txt'), text)
  }
  await writeFile(join(outside, 'secret.txt'), 'secret')
  await writeFile(join(outside, 'deep', 'secret.txt'), 'secret')
  await symlink(outside, join(root, 'trap'))
  await symlink('inner', join(root, 'link'))
})

const startSwapping = (code: string) => {
  swapper = new Worker(code, { eval: true, workerData: { root, outside } })
}

afterEach(async () => {
  await swapper.terminate()
  await rm(base, { recursive: true, force: true })
})

// Only /proc closes the gap between looking and using.
const confined = it.runIf(existsSync('/proc/self/fd'))

confined.each(['door', 'door/deep', 'link/deep'])(
  'in %s, while it is being swapped, nothing outside is read, listed or changed',
  async (name) => {
    startSwapping(SWAPPER)
    const [read, write, list] = files({ root }).tools
    const before = await photograph()
    const answers: string[] = []
    const refusals: string[] = []
    const attempt = (work: Promise<string>) =>
      work.then((text) => answers.push(text)).catch((error: Error) => refusals.push(error.message))
    for (let n = 0; n < ATTEMPTS; n += 1) {
      await Promise.all([
        attempt(read.run({ path: `${name}/a.txt` })),
        attempt(list.run({ path: name })),
        attempt(write.run({ path: `${name}/a.txt`, content: 'inside' })),
        attempt(write.run({ path: `${name}/new-${n % 10}.txt`, content: 'inside' })),
      ])
    }
    expect(answers.filter((text) => text.includes('secret'))).toEqual([])
    expect(refusals.filter((message) => message.includes(base))).toEqual([])
    expect(await photograph()).toEqual(before)
    expect(answers.length).toBeGreaterThan(0)
    expect(refusals.length).toBeGreaterThan(0)
  },
)

confined.each([
  ['its folder is taken out of the root and brought back', REMOVER],
  ['it is swapped for a link and for a directory', FILE_SWAPPER],
])('a file is read as it was inside or not at all, while %s', async (_what, code) => {
  startSwapping(code)
  const [read] = files({ root }).tools
  const answers: string[] = []
  const refusals: string[] = []
  for (let n = 0; n < 4 * ATTEMPTS; n += 1) {
    await read.run({ path: 'inner/a.txt' }).then(
      (text) => answers.push(text),
      (error: Error) => refusals.push(error.message),
    )
  }
  expect(new Set(answers)).toEqual(new Set(['inside']))
  expect(refusals.length).toBeGreaterThan(0)
  expect(refusals.filter((message) => message.includes(base))).toEqual([])
})

async function photograph(): Promise<unknown[]> {
  const names = (await readdir(outside, { recursive: true })).sort()
  return Promise.all(names.map((name) => photographEntry(join(outside, name))))
}

async function photographEntry(path: string): Promise<unknown> {
  const stats = await stat(path)
  const content = stats.isFile() ? await readFile(path, 'utf8') : undefined
  return { path, content, changed: stats.ctimeMs }
}
