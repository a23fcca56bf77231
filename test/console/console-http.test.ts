import { request as nodeRequest } from 'node:http'
import { connect } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import type { ConsoleEvent, ConsoleMessage } from '../../src/console/events.ts'
import {
  apiKeys,
  createTestClient,
  defineServer,
  defineTool,
  type HttpServer,
  type ServeHttpOptions,
  serveHttp,
} from '../../src/index.ts'

const KEY = 'a-key-for-the-console-0123456789'

const open: HttpServer[] = []
afterEach(async () => {
  await Promise.all(open.splice(0).map((one) => one.close(0)))
})

function define(budgets = {}) {
  return defineServer({
    name: 'shown',
    version: '1',
    budgets,
    tools: [
      defineTool({
        name: 'echo',
        description: 'says it again',
        input: { type: 'object', properties: { text: { type: 'string' } } },
        run: ({ text }) => String(text),
      }),
    ],
  })
}

async function serve(options: ServeHttpOptions = {}, budgets = {}) {
  const server = define(budgets)
  const http = await serveHttp(server, {
    console: { key: KEY },
    greeting: 'none',
    supervise: false,
    ...options,
  })
  open.push(http)
  const at = (path: string) => new URL(path, http.url)
  const ask = (path: string, init: RequestInit = {}) => fetch(at(path), { redirect: 'manual', ...init })
  return { server, http, at, ask }
}

const BEARER = { authorization: `Bearer ${KEY}` }

/** Reads a stream of events until it has seen enough. */
async function readUntil(
  response: Response,
  enough: (events: readonly ConsoleEvent[]) => boolean,
): Promise<readonly ConsoleEvent[]> {
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
  const events: ConsoleEvent[] = []
  let text = ''
  while (!enough(events)) {
    const { value, done } = (await reader?.read()) ?? { done: true, value: '' }
    if (done) break
    text += value
    const blocks = text.split('\n\n')
    text = blocks.pop() ?? ''
    for (const block of blocks)
      events.push(JSON.parse(block.replace(/^(?:id: \d+\n)?data: /, '')) as ConsoleEvent)
  }
  await reader?.cancel()
  return events
}

const messagesOf = (events: readonly ConsoleEvent[]): readonly ConsoleMessage[] =>
  events.flatMap((event) => (event.type === 'messages' ? event.items : []))

const POST = {
  method: 'POST',
  headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
}

const call = (id: number, text: string) => ({
  ...POST,
  headers: {
    ...POST.headers,
    'mcp-protocol-version': '2026-07-28',
    'mcp-method': 'tools/call',
    'mcp-name': 'echo',
  },
  body: JSON.stringify({
    jsonrpc: '2.0',
    id,
    method: 'tools/call',
    params: {
      name: 'echo',
      arguments: { text },
      _meta: {
        'io.modelcontextprotocol/protocolVersion': '2026-07-28',
        'io.modelcontextprotocol/clientCapabilities': {},
      },
    },
  }),
})

describe('a server without a console', () => {
  it('answers 404 where one would be, and leads nobody there', async () => {
    const { ask, http } = await serve({ console: false })
    expect(http.console).toBeUndefined()
    for (const path of ['/console', '/console/events', '/console/app.js', '/'])
      expect((await ask(path, { headers: { accept: 'text/html' } })).status).toBe(404)
  })
})

describe('the page', () => {
  it('is served without data, under a policy without scripts of others, and is not kept', async () => {
    const { ask, http } = await serve()
    const page = await ask('/console')
    expect(page.status).toBe(200)
    expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8')
    const policy = page.headers.get('content-security-policy') ?? ''
    expect(policy).toContain("default-src 'none'; script-src 'self'; style-src 'self'")
    expect(policy).not.toContain('unsafe')
    expect(page.headers.get('cache-control')).toBe('no-store')
    expect(page.headers.get('referrer-policy')).toBe('no-referrer')
    expect(await page.text()).not.toContain(KEY)
    expect(http.console).toBe(`${new URL(http.url).origin}/console#${KEY}`)
  })

  it('has a frame that belongs to nobody, for the apps of a server', async () => {
    const { ask } = await serve()
    const frame = await ask('/console/frame')
    expect(frame.headers.get('content-security-policy')).toMatch(/^sandbox allow-scripts; default-src 'none'/)
    expect(frame.headers.get('content-security-policy')).toContain("frame-ancestors 'self'")
  })

  it.each([
    '/console/..%2f..%2fpackage.json',
    '/console/../package.json',
    '/console/index.html',
    '/console/x',
  ])('is all there is: %s is not found', async (path) => {
    const { ask } = await serve()
    expect((await ask(path)).status).toBe(404)
  })

  it.each(['/', '/mcp'])('is where a browser is led that opens %s', async (path) => {
    const { ask } = await serve()
    const headers = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' }
    const led = await ask(path, { headers })
    expect([led.status, led.headers.get('location')]).toEqual([303, '/console'])
    expect((await ask(path, { headers: { accept: 'application/json' } })).status).not.toBe(303)
  })

  it('leaves a page of the author where it is', async () => {
    const pages: ServeHttpOptions['pages'] = { '/': (exchange) => exchange.answer(200, {}, 'mine') }
    const { ask } = await serve({ pages })
    expect(await (await ask('/', { headers: { accept: 'text/html' } })).text()).toBe('mine')
  })

  it('shares its place with no page of the author', async () => {
    const pages: ServeHttpOptions['pages'] = { '/console': (exchange) => exchange.answer(200, {}, 'mine') }
    await expect(serve({ pages })).rejects.toThrow('pages: /console is where the console is served')
  })

  it('has a key that nobody can guess, another one at each start', async () => {
    const [one, other] = [await serve({ console: true }), await serve({ console: true })]
    const [, key] = /#([\w-]{22,})$/.exec(one.http.console ?? '') ?? []
    expect(key).toBeDefined()
    expect(other.http.console).not.toContain(key)
    expect((await one.ask('/console/events', { headers: { authorization: `Bearer ${key}` } })).status).toBe(
      200,
    )
  })
})

describe('who gets nowhere', () => {
  const secured = ['/console/events', '/console/recording']

  it.each(secured)('those without the key, at %s', async (path) => {
    const { ask } = await serve()
    const answers = await Promise.all([
      ask(path),
      ask(path, { headers: { authorization: 'Bearer wrong' } }),
      ask(path, { headers: { authorization: `Basic ${KEY}` } }),
      ask(path, { headers: { cookie: `key=${KEY}` } }),
    ])
    expect(answers.map(({ status }) => status)).toEqual([401, 401, 401, 401])
    expect(await answers[0]?.json()).toEqual({ error: expect.stringContaining('when it starts') })
    expect(answers[0]?.headers.get('www-authenticate')).toBe('Bearer realm="console"')
  })

  it.each(secured)('those who put the key into the address, at %s', async (path) => {
    const { ask } = await serve()
    const answer = await ask(`${path}?key=${KEY}`, { headers: BEARER })
    expect(answer.status).toBe(400)
    expect(await answer.json()).toEqual({ error: expect.stringContaining('Authorization: Bearer') })
  })

  it('those who have a key for MCP and none for the console', async () => {
    const authenticator = apiKeys({ keys: [{ name: 'ann', key: 'a-long-secret' }] })
    const { ask } = await serve({ authenticator })
    const headers = { authorization: 'Bearer a-long-secret' }
    expect((await ask('/console/events', { headers })).status).toBe(401)
    expect((await ask('/console')).status).toBe(200)
    const events = await readUntil(
      await ask('/console/events', { headers: BEARER }),
      ({ length }) => length > 0,
    )
    expect(events[0]).toMatchObject({ type: 'hello', keyNeeded: true })
  })

  it.each(['/console', '/console/events', '/'])('pages of another origin, at %s', async (path) => {
    const { ask } = await serve()
    const headers = { ...BEARER, origin: 'https://evil.example', accept: 'text/html' }
    expect((await ask(path, { headers })).status).toBe(403)
  })

  it.each(['/console', '/console/events', '/'])('a host name that is not ours, at %s', async (path) => {
    const { http } = await serve()
    const headers = { ...BEARER, host: 'evil.example', accept: 'text/html' }
    const status = await new Promise((resolve) => {
      nodeRequest({ port: http.port, host: '127.0.0.1', path, headers }, (answer) => {
        resolve(answer.statusCode)
        answer.destroy()
      }).end()
    })
    expect(status).toBe(403)
  })

  it('what came through a proxy, though MCP lets it in', async () => {
    const { ask } = await serve({ allowAnonymous: true })
    const headers = { ...BEARER, 'x-forwarded-for': '203.0.113.7' }
    for (const path of ['/console', '/console/events'])
      expect((await ask(path, { headers })).status).toBe(403)
  })

  it.each(['POST', 'PUT', 'DELETE', 'HEAD'])('whoever wants to change something: %s', async (method) => {
    const { ask } = await serve()
    for (const path of ['/console', '/console/events'])
      expect((await ask(path, { method, headers: BEARER })).status).toBe(405)
  })

  it('a server that listens on a network, unless it is told to', async () => {
    const options = { host: '203.0.113.7', allowAnonymous: true, greeting: 'none', supervise: false } as const
    for (const console of [true, { fromNetwork: false }])
      await expect(serveHttp(define(), { ...options, console })).rejects.toThrow(
        /can be reached from other machines/,
      )
    const told = { ...options, console: { fromNetwork: true } }
    await expect(serveHttp(define(), told)).rejects.toThrow('cannot listen on 203.0.113.7')
    const { ask } = await serve({ console: { key: KEY, fromNetwork: true } })
    expect((await ask('/console', { headers: { 'x-forwarded-for': '203.0.113.7' } })).status).toBe(403) // MCP's own guard.
  })

  it('a key that can be guessed', async () => {
    await expect(serve({ console: { key: 'short' } })).rejects.toThrow(/at least 22/)
    await expect(serve({ console: { key: 'k'.repeat(21) } })).rejects.toThrow(/got 21 characters/)
    await serve({ console: { key: 'k'.repeat(22) } })
  })

  it('what it does not know, and to be a second one who says who may call', async () => {
    await expect(serve({ console: { kee: KEY } as never })).rejects.toThrow(
      'serveHttp: console: there is no "kee"',
    )
    const authenticator = apiKeys({ keys: [{ name: 'ann', key: 'k1' }] })
    await expect(serve({ authenticator, console: { opensMcp: true } })).rejects.toThrow(
      'console: opensMcp: there is an authenticator already',
    )
  })

  it('who calls MCP without its key, where it is told to', async () => {
    const { ask } = await serve({ console: { key: KEY, opensMcp: true } })
    const listed = (headers: object) =>
      ask('/mcp', { ...call(1, 'hi'), headers: { ...call(1, 'hi').headers, ...headers } })
    expect((await listed({})).status).toBe(401)
    expect((await listed(BEARER)).status).toBe(200)
  })
})

describe('the events', () => {
  it('say of the server what it says of itself', async () => {
    const about = { name: 'told', version: '2', title: 'A title', description: 'What it is for' }
    const options = { console: { key: KEY }, greeting: 'none', supervise: false } as const
    for (const said of [about, { name: 'bare', version: '1' }]) {
      const http = await serveHttp(defineServer(said), options)
      open.push(http)
      const [hello] = await readUntil(
        await fetch(new URL('/console/events', http.url), { headers: BEARER }),
        (seen) => seen.length > 0,
      )
      expect(hello).toMatchObject({ server: said, keyNeeded: false, opensMcp: false, sse: './sse' })
      expect(Object.keys((hello as { readonly server: object }).server)).toHaveLength(
        Object.keys(said).length,
      )
    }
  })

  it('begin with whose they are, and tell of every message of every conversation', async () => {
    const { server, ask } = await serve()
    const client = await createTestClient(server)
    await client.callTool('echo', { text: 'in memory' })
    await ask('/mcp', call(7, 'over HTTP'))
    const events = await readUntil(
      await ask('/console/events', { headers: BEARER }),
      (seen) => messagesOf(seen).length >= 4,
    )
    client.close()
    expect(events[0]).toMatchObject({
      type: 'hello',
      server: { name: 'shown', version: '1' },
      endpoint: './mcp',
      sse: './sse',
      revisions: ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25', '2026-07-28'],
      keyNeeded: false,
      panels: [],
    })
    expect(events[1]).toMatchObject({ type: 'state', usage: { maxCalls: { used: 0, limit: 1000 } } })
    const last = messagesOf(events).slice(-2)
    expect(last).toMatchObject([
      {
        direction: 'in',
        transport: 'http',
        revision: '2026-07-28',
        message: { id: 7, method: 'tools/call' },
      },
      { direction: 'out', transport: 'http', revision: '2026-07-28', message: { id: 7, result: {} } },
    ])
    expect(last[0]?.connection).toBe(last[1]?.connection)
    expect(last[1]?.ms).toBeGreaterThanOrEqual(0)
    expect(messagesOf(events).some(({ transport }) => transport === 'memory')).toBe(true)
  })

  it('go on after the number that a reader has', async () => {
    const { ask } = await serve()
    for (let id = 1; id <= 3; id++) await ask('/mcp', call(id, 'x'))
    const response = await ask('/console/events?after=4', { headers: BEARER })
    const events = await readUntil(response, (seen) => messagesOf(seen).length > 0)
    expect(messagesOf(events).map(({ seq }) => seq)).toEqual([5, 6])
    expect((await ask('/console/events?after=x', { headers: BEARER })).status).toBe(400)
  })

  it('have no secrets in them, and neither has the recording', async () => {
    const { ask } = await serve()
    await ask(
      '/mcp',
      call(1, 'Authorization: Bearer s3cr3t-value and ghp_16C7e42F292c6912E7710c838347Ae178B4a'),
    )
    const recording = await ask('/console/recording', { headers: BEARER })
    const text = await recording.text()
    const events = await readUntil(
      await ask('/console/events', { headers: BEARER }),
      (seen) => messagesOf(seen).length >= 2,
    )
    for (const shown of [text, JSON.stringify(events)]) {
      expect(shown).toContain('tools/call')
      expect(shown).not.toMatch(/s3cr3t|16C7e42F/)
    }
    expect(recording.headers.get('content-type')).toBe('application/jsonl')
    expect(recording.headers.get('content-disposition')).toBe('attachment; filename="shown.jsonl"')
    const [first, ...rest] = text.trimEnd().split('\n')
    expect(rest).toHaveLength(1)
    expect(JSON.parse(first ?? '')).toEqual({
      time: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
      connection: 'c1',
      direction: 'in',
      message: expect.objectContaining({ method: 'tools/call' }),
    })
  })

  it('tell of sessions by the beginning of their ids', async () => {
    const { ask } = await serve()
    const body = JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'initialize',
      params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'me', version: '9' } },
    })
    const session = (await ask('/mcp', { ...POST, body })).headers.get('mcp-session-id') ?? ''
    const response = await ask('/console/events', { headers: BEARER })
    const events = await readUntil(response, (seen) => messagesOf(seen).length >= 2)
    const state = events.find((event) => event.type === 'state')
    expect(state?.sessions).toMatchObject([
      { id: session.slice(0, 8), revision: '2025-11-25', client: { name: 'me', version: '9' }, busy: false },
    ])
    expect(messagesOf(events)[0]?.connection).toBe(session.slice(0, 8))
    expect(JSON.stringify(events)).not.toContain(session)
    await ask('/mcp', { method: 'DELETE', headers: { 'mcp-session-id': session } })
    const after = await readUntil(
      await ask('/console/events', { headers: BEARER }),
      (seen) => seen.length >= 2,
    )
    expect(after.find((event) => event.type === 'state')?.sessions).toEqual([])
  })

  it('have as many readers as they may, and no more', async () => {
    const { ask } = await serve({}, { maxConsoleReaders: 3 })
    const readers = await Promise.all([1, 2, 3].map(() => ask('/console/events', { headers: BEARER })))
    expect(readers.map(({ status }) => status)).toEqual([200, 200, 200])
    const refused = await ask('/console/events', { headers: BEARER })
    expect(refused.status).toBe(429)
    expect(await refused.json()).toEqual({ error: expect.stringContaining('--max-console-readers') })
    await readers[0]?.body?.cancel()
    await expect.poll(async () => (await ask('/console/events', { headers: BEARER })).status).toBe(200)
  })

  it('tell ten thousand messages to somebody who reads, and leave none out', async () => {
    const { server, ask } = await serve()
    const reading = readUntil(await ask('/console/events', { headers: BEARER }), (seen) => {
      const last = messagesOf(seen.slice(-1)).at(-1)
      return last !== undefined && last.seq >= 10_000
    })
    const client = await createTestClient(server)
    for (let count = 0; count < 5000; count++) {
      await client.callTool('echo', { text: 'x' })
      if (count % 100 === 0) await new Promise(setImmediate) // Others have their turn.
    }
    client.close()
    const events = await reading
    expect(events.some(({ type }) => type === 'dropped')).toBe(false)
    const seqs = messagesOf(events).map(({ seq }) => seq)
    expect(seqs).toEqual(seqs.map((_, index) => index + 1))
  }, 60_000)

  it('keep nothing for a reader that does not read', async () => {
    const { server, http, ask } = await serve({}, { maxConsoleMessages: 500 })
    const socket = connect(http.port, '127.0.0.1')
    socket.write(
      `GET /console/events HTTP/1.1\r\nHost: 127.0.0.1:${http.port}\r\nAuthorization: Bearer ${KEY}\r\n\r\n`,
    )
    socket.pause()
    await expect.poll(() => server.usage.read('maxConsoleReaders')).toBe(1)
    const client = await createTestClient(server)
    for (let count = 0; count < 2000; count++) await client.callTool('echo', { text: 'x'.repeat(500) })
    expect(server.usage.read('maxConsoleMessages')).toBe(500)
    expect(server.usage.read('maxConsoleReaders')).toBe(1)
    expect((await ask('/mcp', call(1, 'still there'))).status).toBe(200)
    client.close()
    socket.destroy()
    await expect.poll(() => server.usage.read('maxConsoleReaders')).toBe(0)
  })

  it('end when the server closes', async () => {
    const { http, ask } = await serve()
    const response = await ask('/console/events', { headers: BEARER })
    const ended = readUntil(response, () => false)
    expect(await http.close()).toBe(true)
    expect((await ended).length).toBeGreaterThan(0)
  })
})
