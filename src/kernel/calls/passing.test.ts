import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, it } from 'vitest'
import { Passing } from './passing.ts'

it('what has left is let go without the collector having to look at everything', () => {
  setFlagsFromString('--expose-gc')
  const gc: (options?: { readonly type: 'minor' }) => void = runInNewContext('gc')
  const calls = new Passing<number, readonly number[]>()
  gc() // From here on it is old.
  const before = process.memoryUsage().heapUsed
  for (let call = 0; call < 4000; call++) {
    calls.set(call, new Array(1000).fill(call))
    calls.delete(call - 16)
    if (call % 100 === 0) gc({ type: 'minor' })
  }
  gc({ type: 'minor' })
  expect(calls.size).toBe(16)
  expect(process.memoryUsage().heapUsed - before).toBeLessThan(4_000_000)
})

it('knows what is there, by key and in the order in which it came', () => {
  const calls = new Passing<string, number>()
  calls.set('a', 1)
  calls.set('b', 2)
  calls.set('a', 3)
  calls.delete('c')
  expect([calls.size, calls.has('a'), calls.get('a'), calls.get('c')]).toEqual([2, true, 3, undefined])
  expect(calls.values()).toEqual([3, 2])
})
