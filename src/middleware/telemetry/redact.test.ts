import { expect, it } from 'vitest'
import { printRedacted, redact, tellName, tellText } from './redact.ts'

const GITHUB = 'ghp_16C7e42F292c6912E7710c838347Ae178B4a'
const ANTHROPIC = 'sk-ant-api03-4f9dKq2LmN8pRs6tUv0wXy-AA'
const JWT = 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N_XgL0n3I9PlFUP0THsR8U'

it.each([GITHUB, ANTHROPIC, JWT, 'AKIAIOSFODNN7EXAMPLE', `glrt${'-x1y2z3x1y2z3x1y2z3x1'}`])(
  'knows the key %s by its shape, wherever it stands',
  (key) => {
    const told = [
      tellName(key),
      tellName(`client ${key}`),
      tellName(`/mcp/${key}/x`),
      tellName(`/mcp%2F${key}`),
      tellName(`my_key_${key === JWT ? `is.${key}` : key}`),
      tellText(`file:///${key}`),
      tellText(`Forbidden: Origin https://${key} is not allowed`),
      printRedacted({ a: key }),
      printRedacted({ [key]: 1 }),
    ]
    expect(told.filter((text) => text === undefined || text.includes(key.slice(-12)))).toEqual([])
    expect(told[2]).toBe('/mcp/[redacted]/x')
  },
)

it.each([
  '3f2504e0-4f89-41d3-9a0c-0305e82c3301',
  '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01',
  '9f86d081884c7d659a2feaa0c55ad0159f86d081884c7d659a2feaa0c55ad015',
  'q83vEjRWeJCrze8SNFZ4kKvN7xI0VniQq83vEjRWeJA',
  'task-list_create-many-tasks-at-once',
  'desk-0123456789-0123456789',
])('leaves the id, hash or name %s', (name) => {
  expect([tellName(name), tellText(`the ${name}: gone`)]).toEqual([name, `the ${name}: gone`])
})

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
  ['got "x:u:sekrit@h"', 'got "x:[redacted]@h"'],
  ['got "npm:u:sekrit@h"', 'got "npm:[redacted]@h"'],
  ['pkg://me:sekrit@h/foo@1.0', 'pkg://[redacted]@h/foo@1.0'],
  ['me:sekrit@10.0.0.1, me:sekrit@1.2.3.4:80', 'me:[redacted]@10.0.0.1, me:[redacted]@1.2.3.4:80'],
  ['me:sekrit@3com.example', 'me:[redacted]@3com.example'],
  ['pkg:npm/foo@1.0', 'pkg:npm/foo@1.0'],
  ['pkg:npm/%40scope/foo@latest?x=1', 'pkg:npm/%40scope/foo@latest?x=1'],
  ['npm:foo@^1.2.3, jsr:@std/fs@1.0.0-rc.1.', 'npm:foo@^1.2.3, jsr:@std/fs@1.0.0-rc.1.'],
  ['docker:alpine@sha256:0123abcd', 'docker:alpine@sha256:0123abcd'],
  ['uses: actions/checkout@v4', 'uses: actions/checkout@v4'],
  ['github:actions/checkout@v4', 'github:actions/checkout@v4'],
  ['mailto:ann@example.com', 'mailto:ann@example.com'],
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
  ['{"progressToken":"p-1","token":"t-1"}', '{"progressToken":"p-1","token":"[redacted]"}'],
  ['token: at-most-1', 'token: [redacted]'],
  ['password: expected', 'password: [redacted]'],
])('takes credentials out of %j', (text, expected) => {
  expect(redact(text)).toBe(expected)
})

it.each([
  'Invalid params: _meta.progressToken: at most 256 bytes, got 300 (--max-progress-token)',
  'Invalid params: _meta.progressToken: expected a string',
  'token: expected a string, got nothing (it is required)',
  'apiKeys: expected at least one key',
  'refused the user or the password: check both in the URL of the store',
  'wants a password: write it into the URL of the store, redis://:PASSWORD@HOST',
  'Bad request: expected one token after Authorization: Bearer',
  'client-secret-env: the variable A is not set',
  'defineServer: secrets: servers that share a store over HTTP seal what clients carry',
])('leaves our own words: %s', (text) => {
  expect(redact(text)).toBe(text)
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
  expect(tellText('abcdef', 3)).toBe('abc…')
})

it.each([
  ['tools/call', 'tools/call'],
  ['Bearer abc', 'Bearer [redacted]'],
  [`${'x'.repeat(120)} http://u:${'secret'.repeat(30)}@h`, `${'x'.repeat(120)} http://…`],
  [`http://u:${'secret'.repeat(30)}@h`, 'http://[redacted]@h'],
  ['x'.repeat(129), `${'x'.repeat(128)}…`],
])('tells %j as a name, without secrets, and not for ever', (name, told) => {
  expect(tellName(name)).toBe(told)
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
    ':a@1.'.repeat(20_000),
    ':a@1.0.0-'.repeat(20_000),
    'eyJ01234567-'.repeat(20_000),
    '-----BEGIN '.repeat(20_000),
    'SG.0123456789abcdef'.repeat(20_000),
    `${':'.repeat(1_000_000)}@h`,
    '://a:@'.repeat(150_000),
    `token:${'\\'.repeat(500_000)}"${'\\'.repeat(500_000)}`,
  ]) {
    expect(redact(text).length).toBeGreaterThan(0)
  }
})
