import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { patiently } from './patience.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

it('asks again only some time after a failure, and at once after a success', async () => {
  let asked = 0
  let works = false
  const ask = patiently(async (word: string) => {
    asked++
    if (!works) throw new Error(`no ${word}`)
    return word
  }, 5000)
  for (const word of ['a', 'b', 'c']) await expect(ask(word)).rejects.toThrow('no a')
  expect(asked).toBe(1)
  works = true
  vi.advanceTimersByTime(4999)
  await expect(ask('d')).rejects.toThrow('no a')
  vi.advanceTimersByTime(1)
  expect(await ask('e')).toBe('e')
  expect(await ask('f')).toBe('f')
  expect(asked).toBe(3)
})
