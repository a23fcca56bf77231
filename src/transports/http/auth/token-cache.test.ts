import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { TokenCache } from './token-cache.ts'

const ALICE = { id: 'alice' }

beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'], now: 0 }))
afterEach(() => void vi.useRealTimers())

it('forgets a token after a minute', () => {
  const cache = new TokenCache()
  cache.keep('token', ALICE, 3_600_000)
  vi.setSystemTime(59_999)
  expect(cache.find('token')).toBe(ALICE)
  vi.setSystemTime(60_000)
  expect(cache.find('token')).toBeUndefined()
})

it('forgets a token when it expires', () => {
  const cache = new TokenCache()
  cache.keep('token', ALICE, 5_000)
  vi.setSystemTime(5_000)
  expect(cache.find('token')).toBeUndefined()
})

it('keeps a bounded number of tokens', () => {
  const cache = new TokenCache()
  for (let number = 0; number <= 10_000; number++) cache.keep(`token ${number}`, ALICE, 60_000)
  expect(cache.find('token 0')).toBeUndefined()
  expect(cache.find('token 1')).toBe(ALICE)
  expect(cache.find('token 10000')).toBe(ALICE)
})

it('counts a token that was verified again among the newest', () => {
  const cache = new TokenCache()
  cache.keep('again', ALICE, 5_000)
  for (let number = 2; number < 10_000; number++) cache.keep(`token ${number}`, ALICE, 60_000)
  vi.setSystemTime(5_000)
  expect(cache.find('again')).toBeUndefined()
  for (const token of ['again', 'one more', 'another']) cache.keep(token, ALICE, 60_000)
  expect([cache.find('again'), cache.find('token 2')]).toEqual([ALICE, undefined])
})
