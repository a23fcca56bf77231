import { expect, it } from 'vitest'
import { cut, printRedacted, redact } from './redact.ts'

it.each([
  ['Authorization: Bearer abc.def-123', 'Authorization: Bearer [redacted]'],
  ['use basic dXNlcjpwdw==, please', 'use basic [redacted], please'],
  ['postgres://me:secret@host/db', 'postgres://[redacted]@host/db'],
  ['postgres://me:se@cret@host/db', 'postgres://[redacted]@host/db'],
  ['got "x:me:secret@host"', 'got "x:[redacted]@host"'],
  ['me:secret@host is no address', 'me:[redacted]@host is no address'],
  ['no file /a/http:/me:secret@host', 'no file /a/http:/me:[redacted]@host'],
  ['got "http://me:hunt/er2@host:1/mcp"', 'got "http://[redacted]@host:1/mcp"'],
  ['got "http://me:/er@2@host:1/mcp"', 'got "http://[redacted]@host:1/mcp"'],
  ['me:hunt/er2@host is no address', 'me:[redacted]@host is no address'],
  ['no file /a/http:/me:hunt/er2@host', 'no file /a/http:/me:[redacted]@host'],
  ['{"at":"http://h:b/","to":"ann@example.com"}', '{"at":"http://h:b/","to":"ann@example.com"}'],
  ['http://localhost:3000/@scope/a@1.0.0', 'http://localhost:3000/@scope/a@1.0.0'],
  ['expected postgres://USER:PASSWORD@HOST:PORT', 'expected postgres://USER:PASSWORD@HOST:PORT'],
  ['expected redis://:PASSWORD@HOST', 'expected redis://:PASSWORD@HOST'],
  ['a stack: file:///a/b@1.0.0/c.js:3:4', 'a stack: file:///a/b@1.0.0/c.js:3:4'],
  ['{"time":"12:30","to":"ann@example.com"}', '{"time":"12:30","to":"ann@example.com"}'],
  ['https://h/p?access_token=1&q=2#f', 'https://h/p?access_token=[redacted]&q=2#f'],
  ['https://h/p?key=1&monkey=2&sig=3', 'https://h/p?key=[redacted]&monkey=2&sig=[redacted]'],
  ['https://h/p?q=a@b', 'https://h/p?q=a@b'],
  ['failed: {"apiKey":"k 1","n":2}', 'failed: {"apiKey":"[redacted]","n":2}'],
  [
    '{"text":"{\\"password\\":\\"a b\\",\\"n\\":1}"}',
    '{"text":"{\\"password\\":\\"[redacted]\\",\\"n\\":1}"}',
  ],
  [
    'https://i/.well-known/oauth-authorization-server: connect ECONNREFUSED',
    'https://i/.well-known/oauth-authorization-server: connect ECONNREFUSED',
  ],
  ['password=pw1 user=ann', 'password=[redacted] user=ann'],
  ["client_secret: 'never closed", "client_secret: '[redacted]'"],
  ['see https://h/?token=t1&sig=s1', 'see https://h/?token=[redacted]&sig=[redacted]'],
  ['note: token=abc', 'note: token=[redacted]'],
  ['nothing to hide', 'nothing to hide'],
])('takes credentials out of %j', (text, expected) => {
  expect(redact(text)).toBe(expected)
})

it('takes out what is named like a secret, at any depth', () => {
  const value = {
    apiKey: 'k1',
    api_key: 'k2',
    nested: [{ Authorization: 'k3', password: { old: 'k4' }, refreshToken: 'k5' }],
    note: 'Bearer k6',
    name: 'Ann',
  }
  const text = printRedacted(value)
  expect(text).not.toMatch(/k\d/)
  expect(JSON.parse(text ?? '')).toMatchObject({ apiKey: '[redacted]', name: 'Ann' })
})

it('keeps no more than a few thousand characters', () => {
  expect(printRedacted({ text: 'x'.repeat(100_000) })).toHaveLength(4097)
  expect(printRedacted(Array.from({ length: 10_000 }, () => 'word'))).toHaveLength(4097)
  expect(printRedacted('x'.repeat(4094))).toHaveLength(4096)
  expect(cut('abcdef', 3)).toBe('abc…')
})

it('has nothing to say of what JSON cannot say', () => {
  const ring: { self?: object } = {}
  ring.self = ring
  expect([printRedacted(ring), printRedacted(undefined), printRedacted(5n)]).toEqual([
    undefined,
    undefined,
    undefined,
  ])
})

it('takes its time from no text', () => {
  for (const text of [
    '?key'.repeat(20_000),
    '://'.repeat(20_000),
    'bearer '.repeat(20_000),
    '?'.repeat(60_000),
    '://a:'.repeat(20_000),
    ':'.repeat(60_000),
  ]) {
    expect(redact(text).length).toBeGreaterThan(0)
  }
})
