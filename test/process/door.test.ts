import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createFetchHandler, jsonLines, type ServeHttpOptions, telemetry } from '../../src/index.ts'
import { apiKeys } from '../../src/transports/http/auth/api-keys.ts'
import { oauth } from '../../src/transports/http/auth/oauth.ts'
import { Issuer } from '../auth/issuer.ts'
import { type Asked, Host } from '../http/host.ts'
import { modern } from '../http/messages.ts'
import { createSample } from '../http/sample.ts'

interface Line {
  readonly event: string
  readonly level: string
  readonly status: number
  readonly message: string
  readonly verb: string
  readonly path: string
  readonly from: string
  readonly unsaid?: number
}

const HANDSHAKE = '2025-06-18'

/** A server whose log is kept. */
async function open(settings: ServeHttpOptions = {}) {
  const lines: Line[] = []
  const log = telemetry({ sinks: [jsonLines({ write: (line) => lines.push(JSON.parse(line)) })] })
  const host = await Host.start(settings, createSample({ modules: [log] }))
  const turnedAway = () => lines.filter(({ event }) => event === 'turned-away')
  return { host, lines, turnedAway, [Symbol.asyncDispose]: () => host[Symbol.asyncDispose]() }
}

const list = (headers: Asked['headers'] = {}) => modern('tools/list', {}, { headers })

describe('whoever is turned away', () => {
  it.each<[number, Asked]>([
    [400, { body: '{' }],
    [403, list({ host: 'evil.example' })],
    [403, list({ origin: 'https://evil.example' })],
    [404, { method: 'GET', path: '/nothing' }],
    [405, { method: 'PUT' }],
    [406, list({ accept: 'text/html' })],
    [413, { body: 'x'.repeat(2000) }],
    [415, list({ 'content-type': 'text/plain' })],
  ])('with %d is told of once, with the reason', async (status, asked) => {
    await using site = await open({ maxBodyBytes: 1000 })
    const answer = await site.host.send(asked)
    expect(answer.status).toBe(status)
    expect(site.turnedAway()).toMatchObject([
      {
        status,
        level: status === 404 || status === 405 ? 'info' : 'warning',
        verb: asked.method ?? 'POST',
        path: asked.path ?? '/mcp',
        from: '127.0.0.1',
      },
    ])
  })

  it.each<[string, Asked, ServeHttpOptions]>([
    ['--max-body', { body: 'x'.repeat(2000) }, { maxBodyBytes: 1000 }],
    ['--max-nesting', { ...list(), body: `${'['.repeat(999)}${']'.repeat(999)}` }, {}],
  ])(
    'by a budget is told of with the flag that would have let them in: %s',
    async (flag, asked, settings) => {
      await using site = await open(settings)
      await site.host.send(asked)
      expect(site.turnedAway()).toMatchObject([{ flag, message: expect.stringContaining(flag) }])
    },
  )

  it('for a scope is told of with who it was, what they wanted, and what it takes', async () => {
    const authenticator = apiKeys({ keys: [{ name: 'ann', key: 'k', scopes: ['other'] }] })
    await using site = await open({ authenticator })
    site.host.sample.server.tools.add({ name: 'guarded', scopes: ['notes:read'], run: () => 'ok' })
    const headers = { authorization: 'Bearer k' }
    const answer = await site.host.send(modern('tools/call', { name: 'guarded' }, { headers }))
    expect(answer.status).toBe(403)
    expect(site.turnedAway()).toMatchObject([
      { message: 'Insufficient scope: this needs notes:read (key:ann, tools/call guarded)' },
    ])
  })

  it('before there was a request is told of, too', async () => {
    await using site = await open()
    await (await site.host.dial('nonsense\r\n\r\n')).all()
    expect(site.turnedAway()).toMatchObject([{ status: 400, from: '127.0.0.1' }])
  })

  it('for a wrong key is told of, and the key is not', async () => {
    await using site = await open({ authenticator: apiKeys({ keys: [{ name: 'a', key: 'right' }] }) })
    expect((await site.host.send(list({ authorization: 'Bearer hunter2' }))).status).toBe(401)
    expect((await site.host.send(list())).status).toBe(401)
    expect(site.turnedAway().map(({ message }) => message)).toEqual([
      'Unauthorized: the key is not known',
      'Unauthorized: expected a key in Authorization: Bearer',
    ])
    expect(JSON.stringify(site.lines)).not.toContain('hunter2')
  })

  it.each<[string, Asked]>([
    ['an origin', list({ origin: 'https://u:hunter2@evil.example' })],
    ['a long origin', list({ origin: `https://u:${'hunter2'.repeat(40)}@evil.example` })],
    ['a host', list({ host: `u:${'hunter2'.repeat(40)}@evil.example` })],
    ['an Accept', list({ accept: `text/${'x'.repeat(300)}, token=hunter2` })],
    ['a Content-Type', list({ 'content-type': `${'x'.repeat(190)} token=hunter2` })],
    ['a path', { method: 'GET', path: '/a/https://u:hunter2@host' }],
    ['a long path', { method: 'GET', path: `/${'x'.repeat(100)}/https://u:${'hunter2'.repeat(9)}@host` }],
  ])('for %s is told of in a line without the secret in it', async (_what, asked) => {
    await using site = await open()
    await site.host.send(asked)
    const [line] = site.turnedAway()
    expect(JSON.stringify(line)).not.toContain('hunter2')
    expect(JSON.stringify(line).length).toBeLessThan(900)
  })

  it('is told of without what was sent', async () => {
    await using site = await open()
    await site.host.send({ body: '{"hunter2": hunter2' })
    await site.host.send({ path: '/mcp2?token=hunter2', body: '{}' })
    expect(site.turnedAway()).toHaveLength(2)
    expect(JSON.stringify(site.lines)).not.toContain('hunter2')
  })

  it('by the hundred is told of ten times, and counted', async () => {
    const lines: Line[] = []
    const clock = { at: 0, now: () => clock.at, ticks: () => clock.at }
    const sink = jsonLines({ write: (line) => lines.push(JSON.parse(line)), level: 'debug' })
    const log = telemetry({ sinks: [sink], clock })
    await using host = await Host.start({}, createSample({ modules: [log] }))
    for (let count = 0; count < 30; count++) await host.send(list({ host: 'evil.example' }))
    await host.send({ body: '{' })
    expect(lines.map(({ status }) => status)).toEqual([...Array(10).fill(403), 400])
    clock.at = 60_000
    await host.send(list({ host: 'evil.example' }))
    expect(lines.at(-1)).toMatchObject({ status: 403, unsaid: 20 })
  })

  describe('from a server in a program of one’s own', () => {
    const written: string[] = []
    beforeEach(() => {
      written.length = 0
      vi.spyOn(console, 'error').mockImplementation((line: unknown) => void written.push(String(line)))
    })
    afterEach(() => void vi.restoreAllMocks())

    it('is told of on stderr', async () => {
      await using host = await Host.start()
      await host.send(list({ host: 'mcp.example.com' }))
      expect(written).toEqual([
        expect.stringMatching(/warning POST \/mcp turned away 403 .*mcp\.example\.com/),
      ])
    })
  })
})

describe('a refusal names what would allow it', () => {
  it('for a host', async () => {
    await using site = await open()
    const { message } = await site.host.send(list({ host: 'mcp.example.com:8080' }))
    expect(message.error?.message).toContain('--allow-host mcp.example.com (allowedHosts)')
    expect(site.turnedAway()[0]?.message).toBe(message.error?.message)
    const odd = await site.host.send(list({ host: 'a b;c' }))
    expect(odd.message.error?.message).toContain('--allow-host NAME')
  })

  it('for an origin', async () => {
    await using site = await open()
    const { message } = await site.host.send(list({ origin: 'https://app.example.com' }))
    expect(message.error?.message).toContain('--allow-origin https://app.example.com (allowedOrigins)')
  })
})

describe('a request that came through a proxy', () => {
  const FORWARDED = [
    ['x-forwarded-for', '10.0.0.1'],
    ['x-forwarded-host', 'mcp.example.com'],
    ['x-forwarded-proto', 'https'],
    ['forwarded', 'for=10.0.0.1'],
    ['x-real-ip', '10.0.0.1'],
    ['via', '1.1 proxy'],
  ] as const

  it.each(FORWARDED)('says so by %s, and is refused where nobody is asked for a key', async (name, value) => {
    await using site = await open()
    const { status, message } = await site.host.send(list({ [name]: value }))
    expect(status).toBe(403)
    expect(message.error?.message).toMatch(new RegExp(`proxy \\(${name}\\).*--key.*--allow-anonymous`))
  })

  it('is served where callers have keys, or need none', async () => {
    await using keyed = await open({ authenticator: apiKeys({ keys: [{ name: 'a', key: 'right' }] }) })
    const headers = { 'x-forwarded-for': '10.0.0.1' }
    expect((await keyed.host.send(list({ ...headers, authorization: 'Bearer right' }))).status).toBe(200)
    await using anonymous = await open({ allowAnonymous: true })
    expect((await anonymous.host.send(list(headers))).status).toBe(200)
  })

  it('is served by a handler that others have put behind their own door', async () => {
    const handler = createFetchHandler(createSample().server)
    const { headers, body } = list({ 'x-forwarded-for': '10.0.0.1' })
    const response = await handler(
      new Request('http://localhost/mcp', {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...(headers as { [name: string]: string }) },
        body: JSON.stringify(body),
      }),
    )
    expect(response.status).toBe(200)
    await handler.close()
  })
})

describe('the health page', () => {
  it('answers by any name and through any proxy, and nothing beside it does', async () => {
    await using site = await open({ health: '/healthz' })
    const headers = { host: 'evil.example', origin: 'https://evil.example', 'x-forwarded-for': '10.0.0.1' }
    const health = await site.host.send({ method: 'GET', path: '/healthz', headers })
    expect([health.status, health.text]).toEqual([200, '{"status":"ok"}'])
    expect((await site.host.send({ method: 'GET', path: '/healthz/', headers })).status).toBe(403)
    expect(site.turnedAway()).toHaveLength(1)
  })

  it('is not there unless it is asked for', async () => {
    await using site = await open()
    expect((await site.host.send({ method: 'GET', path: '/healthz' })).status).toBe(404)
  })
})

describe('a path', () => {
  it('of our own moves the older transport with it', async () => {
    await using site = await open({ path: '/tools/mcp', base: '/public' })
    expect((await site.host.send({ ...list(), path: '/tools/mcp' })).status).toBe(200)
    expect((await site.host.send(list())).message.error?.message).toContain('/public/tools/mcp')
    const events = await site.host.stream({
      method: 'GET',
      path: '/tools/sse',
      headers: { accept: 'text/event-stream' },
    })
    expect((await events.event())?.data).toMatch(/^\/public\/tools\/messages\?sessionId=/)
  })
})

describe('the id of a message that could not be read', () => {
  const refusals: readonly Asked[] = [
    { body: '{' },
    { headers: { host: 'evil.example' } },
    { method: 'PUT' },
    { headers: { accept: 'text/html' }, body: {} },
    { headers: { 'content-type': 'text/plain' }, body: {} },
  ]

  it.each([
    ['2024-11-05', null],
    ['2025-03-26', null],
    [HANDSHAKE, null],
    ['2025-11-25', undefined],
    ['2026-07-28', undefined],
    ['1999-01-01', null],
  ])('is, in %s, %j', async (version, id) => {
    await using site = await open()
    for (const asked of refusals) {
      const headers = { 'mcp-protocol-version': version, ...asked.headers }
      const { message } = await site.host.send({ ...asked, headers })
      expect(message.error).toBeDefined()
      expect(message.id).toBe(id)
    }
  })

  it('is that of the session, whether or not its revision is named', async () => {
    await using site = await open()
    const params = {
      protocolVersion: '2025-11-25',
      capabilities: {},
      clientInfo: { name: 'c', version: '1' },
    }
    const opened = await site.host.send({ body: { jsonrpc: '2.0', id: 1, method: 'initialize', params } })
    const headers = { 'mcp-session-id': String(opened.headers['mcp-session-id']) }
    expect((await site.host.send({ headers, body: '{' })).message).not.toHaveProperty('id')
  })
})

it('an issuer that is down is named, with what failed', async () => {
  const issuer = await Issuer.open()
  const token = await issuer.sign({ aud: 'https://mcp.example.com/mcp' })
  await issuer[Symbol.asyncDispose]()
  const resource = 'https://mcp.example.com/mcp'
  for (const more of [{}, { jwksUri: issuer.jwksUri }]) {
    await using site = await open({ authenticator: oauth({ issuer: issuer.url, resource, ...more }) })
    expect((await site.host.send(list({ authorization: `Bearer ${token}` }))).status).toBe(503)
    const crash = site.lines.find(({ event }) => event === 'crashed')
    expect(crash?.message).toMatch(new RegExp(`cannot be asked at ${issuer.url}/.*: .*ECONNREFUSED`))
    expect(JSON.stringify(site.lines)).not.toContain(token)
  }
})

describe('a mistake behind the door', () => {
  const broken = (): never => {
    throw new RangeError('hunter2')
  }

  it.each<[string, ServeHttpOptions, string]>([
    ['in a page', { pages: { '/page': broken } }, '/page'],
    [
      'in an authenticator',
      { authenticator: { authenticate: broken, challenge: () => ({}), header: 'X-Key', documents: {} } },
      '/mcp',
    ],
  ])('%s is a 500 without details, and told as a crash', async (_name, settings, path) => {
    await using site = await open(settings)
    const answer = await site.host.send({ ...list(), path })
    expect(answer.status).toBe(500)
    expect(answer.message).toMatchObject({ error: { code: -32603, message: 'Internal error' } })
    expect(answer.text).not.toContain('hunter2')
    expect(site.lines).toMatchObject([{ event: 'crashed', message: 'RangeError: hunter2' }])
    expect(site.turnedAway()).toEqual([])
    expect((await site.host.send({ method: 'GET', path: '/nothing' })).status).toBe(404)
  })
})

describe('a name that begins like this machine’s', () => {
  const names = [
    '127.0.0.1.evil.example',
    'localhost.evil.example',
    'a127.0.0.1.example',
    '127.0.0.1-a.example',
  ]

  it.each(names)('is not taken for it by a handler: %s', async (name) => {
    const handler = createFetchHandler(createSample().server)
    const ask = async (host: string) => (await handler(new Request(`http://${host}/nothing`))).status
    expect(await ask(name)).toBe(403)
    expect(await ask('127.0.0.1')).toBe(404)
    await handler.close()
  })

  it.each(names)('is not listened on without keys: %s', async (host) => {
    await expect(Host.start({ host })).rejects.toThrow('can be reached from other machines')
  })
})
