import { describe, expect, it } from 'vitest'
import { ClientError, ErrorReply } from '../../client/index.ts'
import { Discretion } from './discretion.ts'
import type { UpstreamOptions } from './options.ts'

const at = (options: UpstreamOptions) => new Discretion(options)
const url = 'https://mcp.example/mcp'
const command = 'server'

describe('what an upstream is told in confidence is taken out of what it says', () => {
  it.each<[what: string, options: UpstreamOptions, said: string, told: string]>([
    ['a header', { url, headers: { 'x-key': 'k-123456' } }, 'got k-123456!', 'got […]!'],
    ['a token alone', { url, headers: { authorization: 'Bearer abcd-1234-efgh' } }, 'abcd-1234-efgh', '[…]'],
    [
      'a scheme with it',
      { url, headers: { authorization: 'Bearer abcd-1234-efgh' } },
      '<Bearer abcd-1234-efgh>',
      '<[…]>',
    ],
    [
      'one of several cookies',
      { url, headers: { cookie: 'a=b; sid=0123456789' } },
      'sid 0123456789',
      'sid […]',
    ],
    [
      'a token that was cut off',
      { url, headers: { 'x-key': 'abcdefghijklmnopqrst' } },
      'abcdefghijklmnop… is wrong',
      '[…]… is wrong',
    ],
    [
      'Basic as it was sent',
      { url, headers: { authorization: `Basic ${btoa('me:hush')}` } },
      btoa('me:hush'),
      '[…]',
    ],
    [
      'Basic as it was meant',
      { url, headers: { authorization: `Basic ${btoa('me:hush')}` } },
      'me with hush',
      'me with […]',
    ],
    [
      'a user in an address',
      { url: 'https://me:hu%40sh@mcp.example/mcp' },
      `hu@sh hu%40sh ${btoa('me:hu@sh')}`,
      '[…] […] […]',
    ],
    [
      'what an address asks for',
      { url: `${url}?key=a%20secret` },
      'a secret, a%20secret, a+secret',
      '[…], […], […]',
    ],
    [
      'a key in a path',
      { url: 'https://mcp.example/s/0123456789abcdef/mcp' },
      '/s/0123456789abcdef/mcp',
      '/s/[…]/mcp',
    ],
    ['a variable', { command, env: { KEY: 'sk-12345' } }, 'no such key: sk-12345', 'no such key: […]'],
    [
      'a password in a variable',
      { command, env: { DB: 'postgres://root:hunter2@db/x' } },
      'root: hunter2 at db/x',
      'root: […] at db/x',
    ],
    [
      'JSON in a variable',
      { command, env: { C: '{"token":"0123456789"}' } },
      'token 0123456789',
      'token […]',
    ],
    ['what a flag is given', { command, args: ['--api-key', 'sk-12345'] }, 'sk-12345', '[…]'],
    ['the same in one', { command, args: ['--token=sk-12345'] }, 'sk-12345', '[…]'],
    [
      'a header as an argument',
      { command, args: ['--header', 'Authorization: Bearer abcd-1234'] },
      'abcd-1234',
      '[…]',
    ],
    ['a secret of a client', { url, tokens: 't', oauth: { clientSecret: 'hush-hush' } }, 'hush-hush', '[…]'],
    [
      'a text in JSON',
      { url, headers: { 'x-key': 'a"quoted"one' } },
      '{"k":"a\\"quoted\\"one"}',
      '{"k":"[…]"}',
    ],
  ])('%s', (_, options, said, told) => {
    expect(at(options).hide(said)).toBe(told)
  })

  it.each<[what: string, options: UpstreamOptions, said: string]>([
    ['where it is', { url }, 'https://mcp.example/mcp'],
    [
      'what its variables say of no secret',
      { command, env: { PORT: '8080', ON: 'true' } },
      'port 8080: true',
    ],
    [
      'where its variables lead',
      { command, env: { API: 'https://api.example/v1' } },
      'https://api.example/v1',
    ],
    [
      'what it is started with',
      { command, args: ['-y', 'some-server', '/srv/data'] },
      'some-server /srv/data',
    ],
  ])('and nothing else: %s', (_, options, said) => {
    expect(at(options).hide(said)).toBe(said)
  })

  it('by headers that are made, the last ones of them, and by those of a caller', async () => {
    let count = 0
    const discretion = at({ url })
    const headers = discretion.learning(() => ({ authorization: `Bearer token-${++count}-of-many` }))
    if (typeof headers !== 'function') throw new Error('expected a function')
    await headers()
    await headers()
    const told = 'token-1-of-many token-2-of-many my-tenant'
    expect(discretion.hide(told)).toBe('[…] […] my-tenant')
    expect(discretion.hide(told, { 'x-tenant': 'my-tenant' })).toBe('[…] […] […]')
  })
})

describe('what may be told of an error', () => {
  const discretion = at({ url, headers: { 'x-key': 'k-123456' } })

  it('is what an upstream answered, without secrets wherever they stand', () => {
    const error = new ErrorReply(
      { code: -1, message: 'k-123456', data: { a: ['k-123456', 1] } },
      403,
      'k-123456',
    )
    expect(discretion.of(error)).toMatchObject({
      code: -1,
      message: '[…]',
      data: { a: ['[…]', 1] },
      status: 403,
      challenge: '[…]',
    })
  })

  it('is one line that is not too long and, for callers, without what was said on stderr', () => {
    const brief = 'The server ended (x: 1)'
    const error = new ClientError('lost', `${brief}. It said:\nk-123456 ${'y'.repeat(9000)}`, { brief })
    const told = discretion.of(error) as ClientError
    expect(told.message).toMatch(/^The server ended \(x: 1\)\. It said:\\u\{a\}\[…\] y+…$/)
    expect(told.message.length).toBeLessThan(600)
    expect(told.details).toEqual({ brief })
    expect(discretion.of(told)).toEqual(told)
  })

  it('is the result of a tool that failed; what a tool gives is its own', () => {
    const content = [{ type: 'text', text: 'k-123456' }]
    expect(discretion.ofResult({ isError: true, content })).toMatchObject({ content: [{ text: '[…]' }] })
    expect(discretion.ofResult({ content })).toEqual({ content })
  })
})
