import { expect, it } from 'vitest'
import { apiKeys } from './api-keys.ts'

it('refuses to start without a key', () => {
  expect(() => apiKeys({ keys: [] })).toThrow('expected at least one key')
})

it('refuses two keys of one name', () => {
  const keys = ['hush1', 'hush2'].map((key) => ({ name: 'alice', key }))
  expect(() => apiKeys({ keys })).toThrow('keys: there are two keys with the name alice')
})

it('refuses one key under two names', () => {
  const keys = ['alice', 'bob'].map((name) => ({ name, key: 'hush' }))
  expect(() => apiKeys({ keys })).toThrow('keys: alice and bob have the same key')
})

it('refuses a header that cannot be', () => {
  expect(() => apiKeys({ keys: [{ name: 'a', key: 'b' }], header: 'X Api' })).toThrow('is no header name')
})
