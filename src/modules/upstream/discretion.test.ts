import { describe, expect, it } from 'vitest'
import { ClientError, ErrorReply } from '../../client/index.ts'
import { Discretion } from './discretion.ts'
import type { UpstreamOptions } from './options.ts'

const at = (options: UpstreamOptions) => new Discretion(options)
const url = 'https://mcp.example/mcp'
const command = 'server'
const hex = (sign: string) => sign.charCodeAt(0).toString(16).toUpperCase()

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

  it.each([
    ['at any place', 'k-123456', ['', 'x', 'xx']],
    ['with characters that are written in two ways', 'k~~?>~~>', ['', 'x', 'xx']],
    ['with characters of several bytes', 'schlüssel', ['', 'x', 'xx', 'ü']],
    ['of a short one', 'hush', ['', 'xx']],
  ])('in base64, %s', (_, secret, before) => {
    const discretion = at({ url, headers: { 'x-key': secret } })
    for (const begin of before)
      for (const end of ['', 'y', 'yy', 'yyy']) {
        const encoded = Buffer.from(`${begin}${secret}${end}`)
        for (const way of ['base64', 'base64url'] as const) {
          const told = discretion.hide(`(${encoded.toString(way)})`)
          expect(told).toMatch(/^\(.{0,2}\[…\].{0,6}\)$/)
          expect(Buffer.from(told, 'base64').toString()).not.toContain(secret)
        }
      }
  })

  it.each([
    ['slashes in JSON', (token: string) => token.replaceAll('/', '\\/')],
    ['numbers in JSON', (token: string) => token.replaceAll('/', '\\u002f')],
    ['numbers in JSON, in capitals', (token: string) => token.replace(/[/+=]/g, (one) => `\\u00${hex(one)}`)],
    [
      'addresses, in small letters',
      (token: string) => token.replace(/[/+=]/g, (one) => `%${hex(one)}`.toLowerCase()),
    ],
    ['addresses, twice', (token: string) => encodeURIComponent(encodeURIComponent(token))],
    ['pages', (token: string) => token.replaceAll('/', '&#x2F;')],
  ])('to its end, also as it is written with %s', (_way, write) => {
    for (const token of ['wJalrXUtnFEMI/K7MDENG/bPxRfiCY+q9Z', 'a/b+c/dXq7Z']) {
      if (token.length < 12 && /252|&#/.test(write(token))) continue // It is known by its beginning alone.
      const discretion = at({ url, headers: { authorization: `Bearer ${token}` } })
      expect(discretion.hide(`said: ${write(token)} end`)).toBe('said: […] end')
    }
  })

  it('in base64 with who it is of', () => {
    const discretion = at({ url: 'https://me:hush%2Bhush@mcp.example/mcp' })
    const encoded = btoa('me:hush+hush')
    expect(discretion.hide(`Basic ${encoded}, ${encoded.replace(/=/g, '')}`)).toBe('Basic […], […]')
    expect(discretion.hide(btoa(`authorization: me:hush+hush`))).toMatch(/^\w+\[…\]$/)
  })

  it.each<[secret: string, said: unknown, told: unknown]>([
    ['12345678', { pin: 12345678 }, { pin: '[…]' }],
    ['00123456', [123456, 1234567], ['[…]', 1234567]],
    ['12345678901234567890', { id: Number('12345678901234567890') }, { id: '[…]' }],
    ['98765432', -198765432.5, '-1[…].5'],
    ['150.50', 150.5, '[…]'],
    ['0001', { count: 1, pin: '0001' }, { count: 1, pin: '[…]' }],
  ])('as a number: %s', (secret, said, told) => {
    expect(at({ url, headers: { 'x-key': secret } }).hide(said)).toEqual(told)
  })

  it('as the name of a member, while the words of which answers are made stay', () => {
    const discretion = at({ url, headers: { 'x-key': 'k-123456', 'x-kind': 'text', 'x-of': 'structured' } })
    expect(discretion.hide({ data: { 'k-123456': { 'of k-123456': 1 } } })).toEqual({
      data: { '[…]': { 'of […]': 1 } },
    })
    const content = [{ type: 'text', text: 'structured text' }]
    expect(discretion.hide({ isError: true, content, structuredContent: {} })).toEqual({
      isError: true,
      content: [{ type: 'text', text: '[…] text' }],
      structuredContent: {},
    })
  })

  it.each([
    ['test', 'the latest contest, a test-run and test', 'the latest contest, a […]-run and […]'],
    ['test', 'my_test tests %3Dtest \\ntest', 'my_test tests %3D[…] \\n[…]'],
    ['a1', 'a1 is in a1b2', 'a1 is in a1b2'],
    ['!ab!', 'x!ab!y', 'x[…]y'],
    ['testable', 'untestables', 'un[…]s'],
  ])('as a word where it is short, and not at all where it is shorter: %s', (secret, said, told) => {
    expect(at({ url, headers: { 'x-key': secret } }).hide(said)).toBe(told)
  })

  it('where one goes over into another', () => {
    const headers = { 'x-one': 'abcdefgh', 'x-two': 'efghijkl', 'x-three': 'abcdefghijklmnop' }
    expect(at({ url, headers }).hide('(abcdefghijkl) (abcdefghijklmnop)')).toBe('([…]) ([…])')
  })

  it('and all of a text that only keeps us busy with looking for it', () => {
    const forwarded = Object.fromEntries(
      Array.from({ length: 8 }, (_, at) => [`x-${at}`, 'a'.repeat(9000 + at)]),
    )
    expect(at({ url }).hide('a'.repeat(2 ** 20), forwarded)).toBe('[…]')
  })

  it('and all of a long text in which two may begin at every character', () => {
    const [some, many] = ['a'.repeat(2 ** 10), 'a'.repeat(2 ** 18)]
    const discretion = at({ url, headers: { 'x-one': 'aaaaaaaaaa-1', 'x-two': 'aaaaaaaaaa-2' } })
    expect([discretion.hide(some), discretion.hide(many)]).toEqual([some, '[…]'])
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

it('a long list of what begins like each other is not taken for an attack', () => {
  const paths = ['/home/me', '/home/me/projects/demo', '/home/me/projects/demo/src']
  const env = Object.fromEntries(paths.map((path, at) => [`FOLDER_${at}`, path]))
  const line = '/home/me/projects/demo/src/a.ts\n'
  const told = at({ command: 'node', env }).hide(line.repeat(20_000)) as string
  expect(told).toBe('[…]/a.ts\n'.repeat(20_000))
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

  it('is the beginning of it, before anything of which only a part may have come', () => {
    const long = `${'x'.repeat(16_380)}k-12…`
    const told = discretion.of(new ErrorReply({ code: -1, message: long, data: long }))
    const beginning = `${'x'.repeat(8192)}…`
    expect(told).toMatchObject({ message: beginning, data: beginning })
  })

  it('has no data of which it would take long to say whether secrets are in it', () => {
    const data = { a: 'x '.repeat(2 ** 20) }
    expect(discretion.of(new ErrorReply({ code: -1, message: 'no', data }))).toMatchObject({
      message: 'no',
      data: undefined,
    })
    const asking = { elicitations: [{ mode: 'url', url: 'https://x.example/' }], data }
    expect(discretion.of(new ErrorReply({ code: -32042, message: 'no', data: asking }))).toMatchObject({
      data: undefined,
    })
  })

  it('is what is to be opened first as it is, without secrets beside that', () => {
    const token = 'abcdefghijklmnopqrst'
    const page = { mode: 'url', url: `https://x.example/?t=${token}`, elicitationId: token }
    const data = { elicitations: [{ ...page, message: token, more: token }], debug: token, [token]: 1 }
    const error = new ErrorReply({ code: -32042, message: 'open', data })
    expect(at({ url, headers: { 'x-key': token } }).of(error)).toMatchObject({
      data: { elicitations: [{ ...page, message: '[…]', more: '[…]' }], debug: '[…]', '[…]': 1 },
    })
  })

  it('has a code that is no secret either', () => {
    const error = new ErrorReply({ code: 12345678, message: 'no' })
    expect(at({ url, headers: { 'x-key': '12345678' } }).of(error)).toMatchObject({ code: -32603 })
    expect(
      at({ url, headers: { 'x-key': '32000' } }).of(new ErrorReply({ code: -32000, message: 'no' })),
    ).toMatchObject({ code: -32000 })
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

  it.each(['"quoted" \\ key\nof two lines', 'elevenunits😀and more', 'é and ü and \u2028'])(
    'has none of what is written otherwise as JSON: %j',
    (secret) => {
      const told = at({ url, headers: { 'x-key': secret } })
      expect(told.ofResult({ isError: true, a: [{ b: `<${secret}>` }] })).toEqual({
        isError: true,
        a: [{ b: '<[…]>' }],
      })
    },
  )

  it('is not copied as far as there is no secret in it', () => {
    const clean = { isError: true, list: [{ a: [1] }] }
    expect(discretion.ofResult(clean)).toBe(clean)
    expect(at({ url }).ofResult(clean)).toBe(clean)
    const mixed = { isError: true, clean, said: 'k-123456' }
    expect(discretion.ofResult(mixed)).toMatchObject({ said: '[…]' })
    expect((discretion.ofResult(mixed) as typeof mixed).clean).toBe(clean)
  })
})
