import { expect, it } from 'vitest'
import { basicIn, secretsIn, secretsInForwarded, secretsOf } from './secrets.ts'

it('all that is told in confidence by a configuration is a secret', () => {
  const secrets = secretsOf({
    url: 'https://us%65r:p%40ss@a.example/mcp/0123456789abcdef?key=of-the-query',
    headers: { authorization: 'Bearer of-the-header' },
    env: { TOKEN: 'of-the-environment', LEVEL: 'debug' },
    args: ['--api-key', 'of-an-argument', '--token=of-a-flag', '--verbose', 'yes'],
    oauth: { clientSecret: 'of-a-client' },
  })
  expect(secrets).toEqual(
    expect.arrayContaining([
      'user:p@ss',
      'p@ss',
      btoa('user:p@ss'),
      'of-the-query',
      '0123456789abcdef',
      'of-the-header',
      'of-the-environment',
      'of-an-argument',
      'of-a-flag',
      'of-a-client',
    ]),
  )
  expect(secrets).not.toContain('debug')
  expect(secrets).not.toContain('yes')
  expect(secrets).not.toContain('mcp')
})

it.each([
  ['Bearer of-the-header', 'of-the-header', 'Bearer'],
  ['postgres://user:word-of-it@db/name', 'word-of-it', 'db'],
  ['a=https://user:word-of-it@db/name', 'word-of-it', 'name'],
])('of %s it is %s, and not %s', (value, secret, other) => {
  expect(secretsIn(value)).toContain(secret)
  expect(secretsIn(value)).not.toContain(other)
})

it('what was sent by Basic is one in every way it can be read', () => {
  const basic = btoa('user:p%2Bw')
  expect(basicIn(`Basic ${basic}`)).toEqual([basic, 'user:p%2Bw', 'p%2Bw', 'p+w'])
  expect(basicIn('Bearer x')).toEqual([])
  expect(basicIn(undefined)).toEqual([])
})

it('of what a caller has forwarded they are a bounded number, of headers that hold many least', () => {
  const words = Array.from({ length: 1200 }, (_, at) => `word-${at}`.padEnd(9, '.'))
  const basic = btoa('user:hush')
  const many = ['the-longest-of-these', ...words].join(' ')
  const secrets = secretsInForwarded([many, `Basic ${basic}`])
  expect(secrets).toEqual(
    expect.arrayContaining([many, `Basic ${basic}`, basic, 'hush', 'the-longest-of-these']),
  )
  expect(secrets.length).toBeLessThan(100)
  expect(secretsInForwarded(['https://me:hush@a.example/x'])).not.toContain('https://me:hush@a.example/x')
})
