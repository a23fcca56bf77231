import { expect, it } from 'vitest'
import { mask, maskText } from './mask.ts'

const HEX = '9f86d081884c7d659a2feaa0c55ad015'
const JWT = 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N_XgL0n3I9PlFUP0THsR8U'

/** Thirty secrets where messages have them, each with the part of it that must be nowhere. */
const PLANTED: readonly (readonly [where: string, message: unknown, secret: string])[] = [
  ['an argument named password', { params: { arguments: { password: 'hunter2-x' } } }, 'hunter2'],
  ['one named apiKey', { params: { arguments: { apiKey: 'k1-abc' } } }, 'k1-abc'],
  ['one named api_key', { params: { arguments: { api_key: 'k2-abc' } } }, 'k2-abc'],
  ['one named "API key"', { params: { arguments: { 'API key': 'k3-abc' } } }, 'k3-abc'],
  ['one named accessToken', { arguments: { accessToken: 'tok-123' } }, 'tok-123'],
  ['one named refresh_token', { arguments: { refresh_token: 'tok-124' } }, 'tok-124'],
  ['a header named Authorization', { headers: { Authorization: 'Basic dXNlcjpwdw==' } }, 'dXNlcjpwdw'],
  ['a header named Cookie', { headers: { Cookie: 'sid=77777' } }, '77777'],
  ['a list named credentials', { credentials: ['alpha', 'beta'] }, 'alpha'],
  ['an object named secret', { secret: { inner: { deep: 'gamma-ray' } } }, 'gamma-ray'],
  ['a number named pin', { answers: { pin: 4711 } }, '4711'],
  ['one named client_secret', { client_secret: 'cs-999' }, 'cs-999'],
  ['one named privateKey', { privateKey: 'pk-999' }, 'pk-999'],
  ['a session in a field', { sessionId: 'sess-1234' }, 'sess-1234'],
  ['a bearer token in a text', { text: 'curl -H "Authorization: Bearer abc.def-123"' }, 'abc.def-123'],
  ['a JWT in a text', { text: `here it is: ${JWT}` }, 'eyJzdWIi'],
  ['a key of OpenAI', { text: 'use sk-proj-4f9dKq2LmN8pRs6tUv0wXy' }, '4f9dKq2LmN8p'],
  ['a key of Stripe', { text: `sk${'_live_'}51H8aZ2eZvKYlo2C` }, '51H8aZ2eZvKYlo2C'],
  ['a token of GitHub', { text: 'ghp_16C7e42F292c6912E7710c838347Ae178B4a' }, '16C7e42F292c'],
  ['a finer token of GitHub', { text: 'github_pat_11ABCDEFG0aBcDeFgHiJkL_mNoPq' }, '11ABCDEFG0'],
  ['a token of GitLab', { text: 'glpat-x1y2z3x1y2z3x1y2z3x1' }, 'x1y2z3'],
  ['a token of Slack', { text: `xoxb${'-123456789012-abcdefABCDEF'}` }, '123456789012'],
  ['a key id of AWS', { text: 'AKIAIOSFODNN7EXAMPLE' }, 'IOSFODNN7'],
  ['a secret key of AWS', { text: 'x wJalrXUtnFEMI7K7MDENG1bPxRfiCYEXAMPLEKEY y' }, 'wJalrXUtnFEMI'],
  ['a key of Google', { text: 'AIzaSyA1234567890abcdefghijklmnopqrstuvw' }, 'SyA1234567890'],
  [
    'a private key',
    { text: '-----BEGIN RSA PRIVATE KEY-----\nMIIEow\n-----END RSA PRIVATE KEY-----' },
    'MIIEow',
  ],
  ['a long number in hex', { text: `digest ${HEX}.` }, HEX],
  ['a long word in base64', { text: 'q83vEjRWeJCrze8SNFZ4kKvN7xI0VniQq83vEjRWeJA=' }, 'q83vEjRWeJCrze8S'],
  ['an address with a password', { uri: 'postgres://me:s3cr3t@db.example/x' }, 's3cr3t'],
  ['an address with a token', { uri: 'https://h.example/p?access_token=t0k3n&q=1' }, 't0k3n'],
  [
    'a default in a schema',
    { inputSchema: { properties: { a: { default: { password: 'dflt-1' } } } } },
    'dflt-1',
  ],
  ['JSON in a text', { text: '{"password":"in-json-1"}' }, 'in-json-1'],
  ['JSON in JSON in a text', { text: JSON.stringify({ a: '{"auth":{"pass":"in-json-2"}}' }) }, 'in-json-2'],
  ['a list named tokens', { arguments: { tokens: ['one-of-them'] } }, 'one-of-them'],
  ['an object named as what the protocol hands back', { cursor: { password: 'behind-1' } }, 'behind-1'],
  ['an object where bytes are expected', { mimeType: 'a/b', data: { password: 'behind-2' } }, 'behind-2'],
  ['a text where bytes are expected', { mimeType: 'a/b', data: 'password: behind-3' }, 'behind-3'],
  ['a variable with its name', { env: [{ name: 'API_KEY', value: 'named-1' }] }, 'named-1'],
  ['a header with its name', { headers: [['X-Api-Key', 'named-2']] }, 'named-2'],
  ['what follows a flag', { args: ['run', '--password', 'named-3', 'x'] }, 'named-3'],
  ['a member named pass', { auth: { user: 'ann', pass: 'named-4' } }, 'named-4'],
  ['a password in a connection string', { text: 'Server=db;Uid=ann;Pwd=named-5;' }, 'named-5'],
  ['all of a cookie', { text: 'Cookie: a=1; sid=named-6' }, 'named-6'],
  [
    'a default of a secret field',
    { inputSchema: { properties: { token: { default: 'dflt-2' } } } },
    'dflt-2',
  ],
  ['a secret in what is no schema', { arguments: { inputSchema: { password: 'dflt-3' } } }, 'dflt-3'],
  ['a private key of PGP', { text: '-----BEGIN PGP PRIVATE KEY BLOCK-----\nlQVYBF' }, 'lQVYBF'],
]

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
  ['paths', { text: '/home/ann/projects/Perigee2/src/transports/http/sessions' }],
  ['UUIDs', { id: '3f2504e0-4f89-41d3-9a0c-0305e82c3301' }],
  ['plain numbers, truth and nothing', { a: 1, b: true, c: null, d: [] }],
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
  const word = `aB123${'x'.repeat(20)}${'-'.repeat(262_144)}`
  expect(mask({ text: word })).toEqual({ text: '[masked]' })
})
