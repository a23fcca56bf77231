import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { defineServer } from '../../authoring/define-server.ts'
import { createTestClient } from '../../client/test-client.ts'
import { Gate } from './gate.ts'
import { files } from './index.ts'

/** Work that ends when it is told to. */
function createWork() {
  const begun: string[] = []
  const ends = new Map<string, () => void>()
  const begin = (name: string) => () =>
    new Promise<string>((resolve) => {
      begun.push(name)
      ends.set(name, () => resolve(name))
    })
  return { begun, begin, end: (name: string) => ends.get(name)?.() }
}

it('lets in so many at once, and the others in their order', async () => {
  const gate = new Gate()
  const { begun, begin, end } = createWork()
  const passing = ['a', 'b', 'c', 'd'].map((name) => gate.pass(2, begin(name)))
  expect([begun, gate.inside]).toEqual([['a', 'b'], 2])
  end('b')
  await expect.poll(() => begun).toEqual(['a', 'b', 'c'])
  end('a')
  await expect.poll(() => begun).toEqual(['a', 'b', 'c', 'd'])
  for (const name of ['c', 'd']) end(name)
  expect(await Promise.all(passing)).toEqual(['a', 'b', 'c', 'd'])
  await expect.poll(() => gate.inside).toBe(0)
})

it('forgets whoever gives up, also before it waited, and keeps the place of what failed', async () => {
  const gate = new Gate()
  const { begun, begin, end } = createWork()
  const first = gate.pass(1, begin('a'))
  const leaving = new AbortController()
  const second = gate.pass(1, begin('b'), leaving.signal)
  const gone = gate.pass(1, begin('c'), AbortSignal.abort(new Error('gone')))
  const failing = gate.pass(1, () => Promise.reject(new Error('broken')))
  const last = gate.pass(1, begin('d'))
  leaving.abort(new Error('left'))
  await expect(second).rejects.toThrow('left')
  await expect(gone).rejects.toThrow('gone')
  end('a')
  expect(await first).toBe('a')
  await expect(failing).rejects.toThrow('broken')
  await expect.poll(() => begun).toEqual(['a', 'd'])
  end('d')
  await last
  await expect.poll(() => gate.inside).toBe(0)
})

it('has a burst of reads worked off, a few files at a time', async () => {
  const root = await mkdtemp(join(tmpdir(), 'files-gate-'))
  try {
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
  } finally {
    await rm(root, { recursive: true, force: true })
  }
})
