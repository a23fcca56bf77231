import { getEventListeners } from 'node:events'
import { expect, it } from 'vitest'
import { follow } from './stop.ts'

const counts = (...signals: AbortSignal[]) =>
  signals.map((signal) => getEventListeners(signal, 'abort').length)

it('aborts with whichever signal does, for the same reason', () => {
  const [one, other, stop] = [new AbortController(), new AbortController(), new AbortController()]
  follow(stop, undefined, one.signal, other.signal)
  const reason = new Error('enough')
  other.abort(reason)
  expect(stop.signal.reason).toBe(reason)
})

it('aborts at once with a signal that has', () => {
  const stop = new AbortController()
  follow(stop, AbortSignal.abort('before'))
  expect(stop.signal.reason).toBe('before')
})

it('leaves nothing behind on what lives longer', () => {
  const [one, other, stop] = [new AbortController(), new AbortController(), new AbortController()]
  const release = follow(stop, one.signal, other.signal)
  expect(counts(one.signal, other.signal)).toEqual([1, 1])
  release()
  expect(counts(one.signal, other.signal)).toEqual([0, 0])
  one.abort()
  expect(stop.signal.aborted).toBe(false)
})
