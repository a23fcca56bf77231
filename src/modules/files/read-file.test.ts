import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, open, rm, truncate, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { defineServer } from '../../authoring/define-server.ts'
import { createTestClient } from '../../client/test-client.ts'
import { readAtMost } from '../../confined/read-at-most.ts'
import { openFolder } from './folder.ts'
import { files } from './index.ts'
import { readContent, readFile } from './read-file.ts'

let root: string
const read = (path: string) => readFile(openFolder(root)).run({ path })

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'files-read-'))
})

afterEach(() => rm(root, { recursive: true, force: true }))

it.each(['', 'one line', 'lines\r\nand a NUL \0\n', 'grüße 雪 🌒', '\ufeffwith a byte order mark'])(
  'reads %j as it is',
  async (text) => {
    await writeFile(join(root, 'a.txt'), text)
    expect(await read('a.txt')).toBe(text)
  },
)

it('gives each of several that are read at once its own', async () => {
  const names = ['a', 'b', 'c']
  for (const name of names) await writeFile(join(root, name), `this is ${name}`)
  const folder = openFolder(root)
  await folder.small.learn(root)
  const contents = await Promise.all(names.map((path) => readContent(folder, { path }, undefined)))
  expect(contents).toEqual(['this is a', 'this is b', 'this is c'])
})

it('names the path that was not found', async () => {
  await expect(read('no/such.txt')).rejects.toThrow(new Error('no/such.txt was not found'))
})

it.each(['', '.', 'docs', 'docs/'])('refuses the directory %j', async (path) => {
  await mkdir(join(root, 'docs'))
  await expect(read(path)).rejects.toThrow(`${path || '.'} is a directory, not a file`)
})

it('reads a file of exactly 1 MiB', async () => {
  await writeFile(join(root, 'a.txt'), 'x'.repeat(1048576))
  expect(await read('a.txt')).toHaveLength(1048576)
})

it('refuses a larger file and names its size and the limit', async () => {
  await writeFile(join(root, 'a.txt'), '')
  await truncate(join(root, 'a.txt'), 1048577)
  await expect(read('a.txt')).rejects.toThrow(
    'a.txt is too large: 1048577 bytes, and the limit is 1048576 bytes',
  )
})

it('reads no further than the limit, however far the file goes', async () => {
  await writeFile(join(root, 'a.txt'), 'x'.repeat(200_000))
  const file = await open(join(root, 'a.txt'))
  try {
    expect(await readAtMost(file, 150_001)).toHaveLength(150_001)
    expect(await readAtMost(file, 150_001)).toHaveLength(49_999)
  } finally {
    await file.close()
  }
})

it.each([0, 100, 199_999, 200_000, 300_000])(
  'reads all of it, whatever its size was said to be: %d',
  async (size) => {
    await writeFile(join(root, 'a.txt'), `${'x'.repeat(199_999)}y`)
    const file = await open(join(root, 'a.txt'))
    try {
      const bytes = await readAtMost(file, 1_000_000, size)
      expect([bytes.length, bytes.at(-1)]).toEqual([200_000, 121])
    } finally {
      await file.close()
    }
  },
)

it('refuses a large file that says it is empty', async ({ skip }) => {
  skip(!existsSync('/proc/kallsyms'), 'there is no /proc/kallsyms here')
  await expect(readFile(openFolder('/proc')).run({ path: 'kallsyms' })).rejects.toThrow(
    'kallsyms is too large: at least 1048577 bytes, and the limit is 1048576 bytes',
  )
})

it.each([
  ['a lone continuation', [0x61, 0x80]],
  ['a cut character', [0xe2, 0x82]],
  ['a surrogate', [0xed, 0xa0, 0x80]],
])('refuses %s as not UTF-8', async (_what, bytes) => {
  await writeFile(join(root, 'a.bin'), Buffer.from(bytes))
  await expect(read('a.bin')).rejects.toThrow(new Error('a.bin is not UTF-8 text'))
})

it('refuses a FIFO without waiting for its writer', async () => {
  execFileSync('mkfifo', [join(root, 'pipe')])
  await expect(read('pipe')).rejects.toThrow('pipe is not a regular file')
})

it('refuses a socket', async () => {
  const server = createServer().listen(join(root, 'socket'))
  await once(server, 'listening')
  await expect(read('socket')).rejects.toThrow('socket is not a regular file')
  server.close()
})

it.each(['zero', 'null', 'tty'])('refuses the device %s', async (name) => {
  await expect(readFile(openFolder('/dev')).run({ path: name })).rejects.toThrow(
    `${name} is not a regular file`,
  )
})

it('has a burst of reads worked off, a few files at a time', async () => {
  await writeFile(join(root, 'a.txt'), 'x'.repeat(1000))
  const server = defineServer({
    name: 'reader',
    version: '1',
    modules: [files({ root })],
    budgets: { maxReadingBytes: 3 * 1024 * 1024 },
  })
  const client = await createTestClient(server)
  const reads = Array.from({ length: 50 }, () => client.callTool('read_file', { path: 'a.txt' }))
  for (const { content } of await Promise.all(reads))
    expect(content).toMatchObject([{ text: 'x'.repeat(1000) }])
  expect(server.usage.read('maxReadingBytes')).toBe(3 * 1024 * 1024)
})
