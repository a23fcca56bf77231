import { expect, it } from 'vitest'
import { maskPrinted } from './passing.ts'

const LONG = 'x'.repeat(10_000)
const headOf = (message: object) => JSON.parse(maskPrinted(JSON.stringify(message), 5000).text)

it.each([
  [
    { id: 7, method: 'tools/call', params: { LONG } },
    { id: 7, method: 'tools/call' },
  ],
  [{ id: 'a"b', result: { LONG } }, { id: 'a"b' }],
  [{ method: 'notifications/message', params: { LONG } }, { method: 'notifications/message' }],
])('a message that is too long still says what it is: %#', (message, known) => {
  const { id, method, begins } = headOf({ jsonrpc: '2.0', ...message })
  expect({ id, method }).toEqual({ id: undefined, method: undefined, ...known })
  expect(begins).toContain('"jsonrpc"')
})

it('of a batch that is too long nothing is said but its beginning', () => {
  expect(Object.keys(headOf([{ jsonrpc: '2.0', id: 1, method: LONG }]))).toEqual(['jsonrpc', 'cut', 'begins'])
})

it('a secret in a long id is none of what is said', () => {
  expect(
    JSON.stringify(
      headOf({ jsonrpc: '2.0', id: 'ghp_0123456789abcdefghijklmnopqrstuvwxyz', result: { LONG } }),
    ),
  ).not.toContain('ghp_0')
})
