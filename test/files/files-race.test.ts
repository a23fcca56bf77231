import { existsSync } from 'node:fs'
import {
  lstat,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  realpath,
  rm,
  stat,
  symlink,
  utimes,
  writeFile,
} from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { ClientRoots } from '../../src/modules/files/client-roots.ts'
import { openFolder } from '../../src/modules/files/folder.ts'
import { allTools } from '../../src/modules/files/tools.ts'

const ATTEMPTS = 200

// Another thread that never yields: what it swaps, it swaps between any two steps of ours.
// Where a tool has made a folder in the gap, that is cleared away.
const SWAPPER = `
  const { renameSync, rmSync, symlinkSync } = require('node:fs')
  const { root, outside } = require('node:worker_threads').workerData
  const at = (name) => root + '/' + name
  const swap = (from, to) => {
    for (;;) {
      try {
        return renameSync(at(from), at(to))
      } catch {
        try { rmSync(at(to), { recursive: true, force: true }) } catch {}
      }
    }
  }
  for (;;) {
    swap('door', 'parked')
    swap('trap', 'door')
    swap('door', 'trap')
    swap('parked', 'door')
    symlinkSync(outside, at('next'))
    swap('next', 'link')
    symlinkSync('inner', at('next'))
    swap('next', 'link')
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

beforeEach(async ({ skip }) => {
  skip(!existsSync('/proc/self/fd'), 'only /proc closes the gap between looking and using')
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
  for (const name of ['a.txt', 'deep/a.txt']) await utimes(join(outside, name), 1e9, 1e9)
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

/** Every tool, by its name, as it is called; what it answers is taken as text. */
function useTools() {
  const folder = openFolder(root)
  const tools = new Map(allTools(folder, new ClientRoots(folder, 'here')).map((tool) => [tool.name, tool]))
  const answers: string[] = []
  const refusals: string[] = []
  const attempt = async (name: string, args: object) => {
    try {
      // Nobody calls, so nothing is bounded.
      const answer = await tools.get(name)?.run(args as never, undefined as never)
      answers.push(JSON.stringify(answer))
    } catch (error) {
      refusals.push((error as Error).message)
    }
  }
  return { answers, refusals, attempt }
}

it.each(['door', 'door/deep', 'link/deep'])(
  'in %s, while it is being swapped, nothing outside is read, listed or changed by any tool',
  async (name) => {
    startSwapping(SWAPPER)
    const { answers, refusals, attempt } = useTools()
    const before = await photograph()
    for (let n = 0; n < ATTEMPTS; n += 1) {
      const [file, fresh] = [`${name}/a.txt`, `${name}/new-${n % 10}.txt`]
      await Promise.all([
        attempt('read_file', { path: file }),
        attempt('read_file', { path: file, startLine: 1 }),
        attempt('read_files', { paths: [file] }),
        attempt('list_directory', { path: name }),
        attempt('directory_tree', { path: name }),
        attempt('search_files', { path: name, text: 'e' }),
        attempt('search_files', { path: '.', text: 'e' }),
        attempt('file_info', { path: file }),
        attempt('write_file', { path: file, content: 'inside' }),
        attempt('write_file', { path: fresh, content: 'inside' }),
        attempt('edit_file', { path: fresh, edits: [{ oldText: 'inside', newText: 'within' }] }),
        attempt('create_directory', { path: `${name}/folder-${n % 10}` }),
        attempt('copy_file', { from: file, to: `${name}/copy-${n}.txt` }),
        attempt('move_file', { from: `${name}/copy-${n - 1}.txt`, to: `${name}/copy.txt`, overwrite: true }),
        attempt('move_file', { from: `${name}/secret.txt`, to: `mine-${n}.txt` }),
      ])
    }
    await swapper.terminate()
    expect(answers.filter((text) => /secret|2001-/.test(text))).toEqual([])
    expect(refusals.filter((message) => message.includes(base))).toEqual([])
    expect(await photograph()).toEqual(before)
    expect(await secretsInside()).toEqual([])
    expect(answers.length).toBeGreaterThan(0)
    expect(refusals.length).toBeGreaterThan(0)
  },
)

it.each([
  ['its folder is taken out of the root and brought back', REMOVER],
  ['it is swapped for a link and for a directory', FILE_SWAPPER],
])('a file is read as it was inside or not at all, by any tool, while %s', async (_what, code) => {
  startSwapping(code)
  const { answers, refusals, attempt } = useTools()
  for (let n = 0; n < ATTEMPTS; n += 1) {
    await attempt('read_file', { path: 'inner/a.txt' })
    await attempt('read_file', { path: 'inner/a.txt', offset: 0 })
    await attempt('search_files', { path: '.', text: 'e', name: 'a.txt' })
    await attempt('copy_file', { from: 'inner/a.txt', to: `copy-${n % 10}.txt`, overwrite: true })
  }
  await swapper.terminate()
  expect(answers.filter((text) => text.includes('secret'))).toEqual([])
  expect(await secretsInside()).toEqual([])
  expect(answers.length).toBeGreaterThan(0)
  expect(refusals.length).toBeGreaterThan(0)
  expect(refusals.filter((message) => message.includes(base))).toEqual([])
})

/** Files inside that hold what was outside, but for the one that the remover itself puts there. */
async function secretsInside(): Promise<readonly string[]> {
  const found: string[] = []
  const here = await realpath(root)
  for (const name of await readdir(root, { recursive: true })) {
    const real = await realpath(join(root, name)).catch(() => '') // A link to nothing.
    if (!real.startsWith(`${here}/`) || name === 'inner/a.txt' || !(await lstat(real)).isFile()) continue
    if ((await readFile(real, 'utf8')).includes('secret')) found.push(name)
  }
  return found
}

async function photograph(): Promise<unknown[]> {
  const names = (await readdir(outside, { recursive: true })).sort()
  return Promise.all(names.map((name) => photographEntry(join(outside, name))))
}

async function photographEntry(path: string): Promise<unknown> {
  const stats = await stat(path)
  const content = stats.isFile() ? await readFile(path, 'utf8') : undefined
  return { path, content, changed: stats.ctimeMs }
}
