import { expect, it } from 'vitest'
import { printRequest, targetOf } from './print-request.ts'

const TARGET = targetOf(new URL('http://me:s%3Acret@localhost:8080/a%20b?c=d'))

it('a request is its head and its body in one piece', () => {
  const request = { method: 'POST', headers: { Accept: 'a/b', accept: 'c/d' }, body: '{"é":1}' } as const
  expect(printRequest(targetOf(new URL('http://[::1]:80/mcp?x=1#here')), request).toString()).toBe(
    'POST /mcp?x=1 HTTP/1.1\r\nhost: [::1]\r\nuser-agent: perigee\r\naccept: c/d\r\ncontent-length: 8\r\n\r\n{"é":1}',
  )
})

it('who calls is said, and what the caller says of it goes before', () => {
  const print = (headers: { [name: string]: string }) =>
    printRequest(TARGET, { method: 'GET', headers }).toString('latin1')
  const pair = Buffer.from('me:s:cret').toString('base64')
  expect(print({})).toBe(
    `GET /a%20b?c=d HTTP/1.1\r\nhost: localhost:8080\r\nuser-agent: perigee\r\nauthorization: Basic ${pair}\r\n\r\n`,
  )
  expect(print({ Authorization: 'Bearer x', 'User-Agent': 'ü', Host: 'other' })).toBe(
    'GET /a%20b?c=d HTTP/1.1\r\nhost: other\r\nuser-agent: ü\r\nauthorization: Bearer x\r\n\r\n',
  )
})

it.each(['content-length', 'Transfer-Encoding', 'connection'])('nobody else says %s', (name) => {
  const headers = { [name]: 'chunked' }
  expect(printRequest(TARGET, { method: 'POST', headers, body: 'x' }).toString()).toContain(
    '\r\ncontent-length: 1\r\n\r\nx',
  )
  expect(printRequest(TARGET, { method: 'POST', headers, body: 'x' }).toString()).not.toContain('chunked')
})

it.each([
  ['a value', { a: 'b\r\nc: d' }],
  ['a value', { a: '→' }],
  ['a name', { 'a: b\r\nc': 'd' }],
  ['a name', { '': 'd' }],
])('%s that would be read as something else is not sent', (_what, headers) => {
  expect(() => printRequest(TARGET, { method: 'GET', headers })).toThrow(
    'a sign in it that no header may have',
  )
})
