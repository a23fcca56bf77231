import { expect, it } from 'vitest'
import { Gate } from './gate.ts'

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

function wish(most: number, signal?: AbortSignal) {
  return { owner: '', most, signal }
}

it('lets in so many at once, and the others in their order', async () => {
  const gate = new Gate()
  const { begun, begin, end } = createWork()
  const passing = ['a', 'b', 'c', 'd'].map((name) => gate.pass(wish(2), begin(name)))
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
  const first = gate.pass(wish(1), begin('a'))
  const leaving = new AbortController()
  const second = gate.pass(wish(1, leaving.signal), begin('b'))
  const gone = gate.pass(wish(1, AbortSignal.abort(new Error('gone'))), begin('c'))
  const failing = gate.pass(wish(1), () => Promise.reject(new Error('broken')))
  const last = gate.pass(wish(1), begin('d'))
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
