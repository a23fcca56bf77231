import { expect, it } from 'vitest'
import { PLANTED } from '../../test/setup/planted-secrets.ts'
import { mask, maskText } from './mask.ts'

it.each(PLANTED)('takes out %s', (_where, message, secret) => {
  expect(JSON.stringify(message)).toContain(secret)
  expect(JSON.stringify(mask(message))).not.toContain(secret)
})

it('knows at least thirty', () => {
  expect(PLANTED.length).toBeGreaterThanOrEqual(30)
})

it.each([
  ['progress', { _meta: { progressToken: 'p-1' } }],
  ['how many tokens', { params: { maxTokens: 1000 }, usage: { inputTokens: 12 } }],
  ['where a list goes on', { nextCursor: 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIx' }],
  [
    'pictures',
    {
      content: [
        { type: 'image', mimeType: 'image/png', data: 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJ' },
      ],
    },
  ],
  [
    'a form that asks for a password',
    { inputSchema: { properties: { password: { type: 'string', title: 'Your password' } } } },
  ],
  ['JSON in a text, as it was written', { text: '{ "a": [1, 2],  "b": "c" }' }],
  ['lists of names', { required: ['user', 'password', 'town'] }],
  ['where somebody is', { text: 'PWD=/home/ann' }],
  [
    'words about secrets',
    { text: 'Use --tokens, or <token>. A password is wanted; see --token-file [PATH]' },
  ],
  ['what passes and what is a compass', { pass: true, compass: 'north', bypass: 'yes', author: 'Ann' }],
  ['paths', { text: '/home/ann/projects/Perigee2/src/transports/http/sessions' }],
  ['UUIDs', { id: '3f2504e0-4f89-41d3-9a0c-0305e82c3301' }],
  ['plain numbers, truth and nothing', { a: 1, b: true, c: null, d: [] }],
])('leaves %s as it is', (_what, message) => {
  expect(mask(message)).toEqual(message)
})

const encoded = (text: string) => Buffer.from(text).toString('base64')

it.each([
  [
    'a file',
    (text: string) => ({ uri: 'file:///.env', mimeType: 'text/plain', blob: text }),
    'API_KEY=in-64-1\n',
  ],
  ['a file of no said type', (text: string) => ({ uri: 'file:///.env', blob: text }), 'API_KEY=in-64-2\n'],
  ['a file of JSON', (text: string) => ({ mimeType: 'a/b', data: text }), '{"auth":{"pass":"in-64-3"}}'],
  ['a word of a text', (text: string) => ({ text: `it is ${text}, see?` }), 'Authorization: Bearer in-64-4'],
  ['an address', (text: string) => ({ uri: `data:;base64,${text}` }), 'https://ann:in-64-5@example.com/x'],
  ['something encoded', (text: string) => ({ text: encoded(text) }), 'password=in-64-6 and no more'],
])('what %s has in base64 is looked into, and stays encoded', (_where, place, text) => {
  const told = JSON.stringify(mask(place(encoded(text))))
  const plain = told.replace(/[\w+/]{20,}=*/g, (word) => Buffer.from(word, 'base64').toString())
  const twice = plain.replace(/[\w+/]{20,}=*/g, (word) => Buffer.from(word, 'base64').toString())
  expect(twice).not.toContain('in-64-')
  expect(twice).toMatch(/masked|redacted/)
})

it.each([
  [
    'a file of plain words',
    { mimeType: 'text/plain', blob: encoded('Nothing to see here, really nothing.') },
  ],
  ['bytes that are no text', { uri: 'a:b', blob: Buffer.from('token=\0secret').toString('base64') }],
  [
    'a long file of no said type',
    { uri: 'a:b', blob: Buffer.alloc(3000, 'plain Words 12 ').toString('base64') },
  ],
])('leaves %s as it is', (_what, message) => {
  expect(mask(message)).toEqual(message)
})

it('does not change what it was given', () => {
  const message = { arguments: { password: 'hunter2' } }
  mask(message)
  expect(message.arguments.password).toBe('hunter2')
})

it.each([
  ...['token\\', 'a:b@', 'aA1', 'bearer ', '://', '"password": "', 'cookie: ', 'pwd='],
  ...['-----BEGIN PRIVATE KEY-----', '-----BEGIN A '],
  ...['eyJ', 'sk', 'gh', 'ghp_', 'xoxa', 'AKIA', 'AIza', 'ya29', 'npm_', 'SG', 'abcdef'].flatMap((begin) =>
    ['', '-', '_', '.', '-.'].map((between) => `${begin}${between}`),
  ),
])(
  'takes time in proportion to the text where it is nothing but %j',
  (piece) => {
    expect(maskText(piece.repeat(40_000)).length).toBeGreaterThan(0)
  },
  20_000,
)

it('takes a long word of many parts', () => {
  const word = `aB123${'x'.repeat(20)}${'-'.repeat(200_000)}`
  expect(mask({ text: word })).toEqual({ text: '[masked]' })
})

it('shows nothing that it has not looked at: 20,000 members, and a quarter of a million characters', () => {
  const rows = Array.from({ length: 30_000 }, (_, at) => at)
  const list = mask({ id: 1, rows }) as { rows: unknown[] }
  expect([list.rows.length, list.rows.at(-2), list.rows.at(-1)]).toEqual([
    19_999,
    19_997,
    '[masked] 10002 more',
  ])
  const many = mask(Object.fromEntries(rows.map((at) => [`k${at}`, at]))) as { [name: string]: unknown }
  expect([Object.keys(many).length, many['[masked]']]).toEqual([20_001, '10000 more'])
  const text = 'word '.repeat(30_000)
  const { a, ...others } = mask({ a: text, b: text, c: 'short' }) as { a: string }
  expect([a === text, others]).toEqual([true, { b: '[masked] 150000 characters', c: 'short' }])
})
