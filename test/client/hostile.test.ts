import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { connect } from '../../src/client/index.ts'
import { defineServer, type Server, serveHttp } from '../../src/index.ts'
import { child, DONE, events, FakeServer, handshakes, json, OPENED, result, script } from './hostile.ts'

describe('a server on stdio', () => {
  it('that is no command is said to be none', async () => {
    await expect(connect({ command: 'no-such-command-at-all' })).rejects.toMatchObject({
      reason: 'unreachable',
      message: expect.stringContaining('no-such-command-at-all'),
    })
  })

  it('that ends at once is told with its last words', async () => {
    const dying = script(`console.error('no configuration'); process.exit(3)`)
    await expect(connect(dying)).rejects.toMatchObject({
      reason: 'lost',
      message: expect.stringMatching(/3.*no configuration/),
    })
  })

  it('that never answers is given up', async () => {
    const silent = script('setInterval(() => {}, 1000)')
    const brief = 'The server did not answer initialize within 0\\.\\d+ s' // A busy machine takes a little longer.
    await expect(connect(silent, { timeoutMs: 50 })).rejects.toMatchObject({
      reason: 'timed-out',
      message: expect.stringMatching(new RegExp(`^${brief} \\(timeoutMs is 50\\)$`)),
      details: { brief: expect.stringMatching(new RegExp(`^${brief}$`)) },
    })
  })

  it('that ends at the first word it does not know is started again, and greeted as an older one', async () => {
    const touchy = script(`
      require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
        const { id, method } = JSON.parse(line)
        if (method === 'server/discover') process.exit(1)
        const result = { protocolVersion: '2024-11-05', capabilities: {}, serverInfo: { name: 'f', version: '1' } }
        if (id !== undefined) console.log(JSON.stringify({ jsonrpc: '2.0', id, result }))
      })`)
    await using client = await connect(touchy)
    expect(client.revision.id).toBe('2024-11-05')
  })

  it('that writes endless lines is stopped', async () => {
    const endless = child(`if (id) setInterval(() => say('x'.repeat(65536)), 1)`)
    await using client = await connect(endless, { limits: { maxMessageBytes: 100_000 } })
    await expect(client.tools()).rejects.toMatchObject({
      reason: 'too-much',
      message: expect.stringContaining('100000 bytes (maxMessageBytes)'),
    })
  })

  it('that writes garbage, and answers to nobody, is heard out', async () => {
    const chatty = child(`
      if (method !== 'tools/call') return
      say('Listening on stdio!\\n'); say('\\u0000\\n'); say('[]\\n'); say({ jsonrpc: '2.0', id: 999, result: {} })
      say({ jsonrpc: '2.0', id: id + '.0', result: {} }); say({ jsonrpc: '2.0', id: {}, error: { code: 1, message: 'm' } })
      say({ jsonrpc: '2.0', method: 'notifications/progress', params: { progressToken: {}, progress: 'x' } })
      reply({ content: [] })`)
    const errors: Error[] = []
    await using client = await connect(chatty, { onError: (error) => errors.push(error) })
    expect(await client.callTool('t')).toEqual({ content: [] })
    expect(errors.length).toBeGreaterThanOrEqual(3)
    expect(errors[0]).toMatchObject({ reason: 'nonsense' })
  })

  it.each(['x', '{', '\\u00ff'])(
    'that writes lines of %s without end is given up in time',
    async (letter) => {
      const flood = child(`
      const [lines, { writeSync }] = [Buffer.from('${letter}\\n'.repeat(30000), 'latin1'), require('node:fs')]
      if (method === 'tools/call') for (;;) try { writeSync(1, lines) } catch (error) { if (error.code !== 'EAGAIN') throw error }`)
      let warnings = 0
      await using client = await connect(flood, { onError: () => warnings++ })
      await expect(client.callTool('t', {}, { timeoutMs: 300 })).rejects.toMatchObject({
        reason: 'timed-out',
      })
      expect(warnings).toBeGreaterThan(0)
    },
  )

  it('that closes its stdout is lost, though it goes on running', async () => {
    const mute = child(`
      if (method === 'tools/call') { require('node:fs').closeSync(1); setInterval(() => {}, 1000) }`)
    await using client = await connect(mute)
    await expect(client.callTool('t')).rejects.toMatchObject({
      reason: 'lost',
      message: expect.stringContaining('closed its stdout'),
    })
  })

  it('that does not leave when its stdin ends is made to', async () => {
    const stubborn = child(
      `process.on('SIGTERM', () => {}); setInterval(() => {}, 1000); reply({ tools: [], pid: process.pid })`,
    )
    const client = await connect(stubborn)
    const { pid } = await client.request('tools/list')
    await client.close()
    expect(() => process.kill(Number(pid), 0)).toThrow('ESRCH')
  })

  it('sees nothing of our environment but what it needs', async () => {
    process.env['CLIENT_TEST_SECRET'] = 'secret'
    try {
      const env = child(`if (id) reply({ tools: [], env: process.env })`)
      await using client = await connect({ ...env, env: { GIVEN: 'yes' } })
      const { env: seen } = await client.request('tools/list')
      expect(seen).toMatchObject({ GIVEN: 'yes', PATH: process.env['PATH'] })
      expect(seen).not.toHaveProperty('CLIENT_TEST_SECRET')
    } finally {
      delete process.env['CLIENT_TEST_SECRET']
    }
  })

  it('that asks without end is answered a few questions at a time', async () => {
    const curious = child(`
      if (method === 'tools/call') for (let n = 0; n < 50; n++) say({ jsonrpc: '2.0', id: n, method: 'roots/list' })
      if (method === 'tools/call') globalThis.asked = id
      if (method === undefined) { globalThis.codes = [...(globalThis.codes ?? []), JSON.parse(line).error?.code] }
      if (globalThis.codes?.length === 50) { id === undefined; say({ jsonrpc: '2.0', id: globalThis.asked, result: { content: [], codes: globalThis.codes } }) }`)
    let most = 0
    let now = 0
    let answer = () => {}
    const answerable = new Promise<void>((resolve) => {
      answer = resolve
    })
    await using client = await connect(curious, {
      limits: { maxQuestions: 4 },
      answers: {
        'roots/list': async () => {
          most = Math.max(most, ++now)
          if (now === 4) setImmediate(answer)
          await answerable
          now--
          return { roots: [] }
        },
      },
    })
    const { codes } = (await client.callTool('t')) as unknown as { codes: unknown[] }
    expect(most).toBe(4)
    // How many come while four are being answered is the pipe's affair.
    expect(new Set(codes)).toEqual(new Set([429, null]))
  })
})

it('questions of calls that are made for others are counted for each of those calls', async () => {
  const asking = child(`
    globalThis.asked ??= {}
    if (method === 'tools/call') { say({ jsonrpc: '2.0', id: 'q' + id, method: 'roots/list' }); asked['q' + id] = id }
    if (method === undefined) say({ jsonrpc: '2.0', id: asked[id], result: { content: [], code: JSON.parse(line).error?.code } })`)
  await using client = await connect(asking, { limits: { maxQuestions: 1 } })
  const self = { info: { name: 'other', version: '1' }, capabilities: {}, logLevel: undefined }
  let answer = () => {}
  const answerable = new Promise<void>((resolve) => {
    answer = resolve
  })
  const call = () => {
    let ask = () => {}
    const asked = new Promise<void>((resolve) => {
      ask = resolve
    })
    const onQuestion = async () => {
      ask()
      await answerable
      return { roots: [] }
    }
    const result = client.exchange(
      'tools/call',
      { name: 't' },
      { self, onQuestion, onNotification: () => {} },
    )
    return { result, asked: Promise.race([asked, result]) }
  }
  const first = call()
  await first.asked
  const second = call()
  await second.asked
  answer()
  expect(await Promise.all([first.result, second.result])).toEqual([{ content: [] }, { content: [] }])
})

it('a server that asks and never hears the answers is not answered without end', async () => {
  const deaf = child(`
    if (method !== 'tools/call') return
    process.stdin.pause()
    for (let n = 0; n < 20_000; n++) say({ jsonrpc: '2.0', id: 'p' + n, method: 'ping' })
    reply({ content: [] })`)
  const errors: Error[] = []
  await using client = await connect(deaf, { onError: (error) => errors.push(error) })
  expect(await client.callTool('t')).toEqual({ content: [] })
  while (errors.length === 0) await sleep(5)
  expect(errors[0]).toMatchObject({
    reason: 'too-much',
    message: expect.stringContaining('hears the answers'),
  })
})

it('what is no JSON is not sent, and its call is told so', async () => {
  await using client = await connect(child('reply({ content: [] })'))
  await expect(client.callTool('t', { big: 1n })).rejects.toThrow('BigInt')
  expect(await client.callTool('t')).toEqual({ content: [] })
})

describe('a list', () => {
  const listing = (answer: string) => connect(child(answer), { limits: { maxPages: 5, maxItems: 100 } })

  it('without an end is not waited for', async () => {
    await using client = await listing(`reply({ tools: [], nextCursor: String(Math.random()) })`)
    await expect(client.tools()).rejects.toMatchObject({ reason: 'too-much', message: /5 pages/ })
  })

  it('that turns in a circle is seen through', async () => {
    await using client = await listing(`reply({ tools: [], nextCursor: 'same' })`)
    await expect(client.tools()).rejects.toMatchObject({ reason: 'nonsense', message: /same page twice/ })
  })

  it('of too many entries is refused', async () => {
    await using client = await listing(`reply({ tools: Array(101).fill({ name: 't', inputSchema: {} }) })`)
    await expect(client.tools()).rejects.toMatchObject({ reason: 'too-much', message: /100 entries/ })
  })

  it.each([
    ['{}', 'tools: expected an array, got nothing'],
    ['{ tools: [5] }', 'tools[0]: expected an object, got the number 5'],
    ['{ tools: [{ title: 1 }] }', 'tools[0].name: expected a string, got nothing'],
    ['{ tools: [], nextCursor: 5 }', 'nextCursor: expected a string, got the number 5'],
  ])('that is none, %s, is said to be none', async (shown, message) => {
    await using client = await listing(`reply(${shown})`)
    await expect(client.tools()).rejects.toMatchObject({
      reason: 'nonsense',
      message: expect.stringContaining(message),
    })
  })
})

describe('a server over HTTP', () => {
  it('that is not there is said not to be', async () => {
    const server = await FakeServer.open(() => {})
    await server[Symbol.asyncDispose]()
    await expect(connect(server.url)).rejects.toMatchObject({
      name: 'ClientError',
      reason: 'unreachable',
      message: expect.stringContaining(`${new URL(server.url).origin} cannot be reached`),
    })
  })

  it('that wants to know who calls is not asked in another way', async () => {
    await using server = await FakeServer.open((_heard, response) =>
      json(response, { error: 'invalid_token' }, 401, { 'www-authenticate': 'Bearer scope="a"' }),
    )
    await expect(connect(server.url)).rejects.toMatchObject({
      reason: 'refused',
      details: { status: 401, challenge: 'Bearer scope="a"' },
    })
    expect(server.heard).toHaveLength(1)
  })

  it('that refuses the revision it says it knows is asked in it once more, and then believed', async () => {
    const refused = {
      code: -32022,
      message: 'Unsupported protocol version',
      data: { supported: ['2026-07-28'] },
    }
    const discovered = { resultType: 'complete', supportedVersions: ['2026-07-28'], capabilities: {} }
    let refusals = 1
    await using server = await FakeServer.open(({ message }, response) => {
      if (refusals-- > 0) json(response, { jsonrpc: '2.0', id: message.id, error: refused }, 400)
      else json(response, result(message.id, discovered))
    })
    await using client = await connect(server.url)
    expect(client.revision.id).toBe('2026-07-28')
    refusals = 2
    await expect(connect(server.url, { revision: '2026-07-28' })).rejects.toMatchObject({
      reason: 'unsupported',
    })
  })

  it('is given the headers anew for each request', async () => {
    let token = 0
    await using server = await FakeServer.open((heard, response) => {
      if (!handshakes(heard, response)) json(response, result(heard.message.id, { tools: [] }))
    })
    await using client = await connect(server.url, {
      headers: async () => ({ authorization: `Bearer ${++token}` }),
    })
    await client.tools()
    const sent = server.heard.map(({ headers }) => headers.authorization)
    expect(new Set(sent).size).toBe(sent.length)
    expect(sent).not.toContain(undefined)
  })

  it('that is not MCP is said to be something else', async () => {
    await using server = await FakeServer.open((_heard, response) =>
      response.writeHead(200, { 'content-type': 'text/html' }).end('<h1>Welcome</h1>'),
    )
    await expect(connect(server.url)).rejects.toMatchObject({ reason: 'nonsense' })
  })

  it('does not send its clients to another host', async () => {
    await using elsewhere = await FakeServer.open((_heard, response) => json(response, {}))
    await using server = await FakeServer.open((_heard, response) =>
      response.writeHead(307, { location: elsewhere.url }).end(),
    )
    await expect(connect(server.url, { headers: { 'x-key': 'secret' } })).rejects.toMatchObject({
      reason: 'refused',
      message: expect.stringContaining('sends its clients on to'),
    })
    expect(elsewhere.heard).toEqual([])
  })

  it.each([
    ['in a circle', '/mcp', 'sends its clients on and on'],
    ['to what is no address', 'http://[', 'sends its clients on to what is no address'],
  ])('that sends its clients %s is not followed', async (_where, location, message) => {
    await using server = await FakeServer.open((_heard, response) =>
      response.writeHead(307, { location }).end(),
    )
    await expect(connect(server.url)).rejects.toMatchObject({
      reason: 'refused',
      message: expect.stringContaining(message),
    })
  })

  it('may send them to another path', async () => {
    await using server = await FakeServer.open((heard, response) => {
      if (response.req.url === '/mcp') response.writeHead(307, { location: '/mcp/' }).end()
      else if (!handshakes(heard, response)) json(response, result(heard.message.id, { tools: [] }))
    })
    await using client = await connect(server.url)
    expect(await client.tools()).toEqual([])
  })

  it('that says where to post on another host is not posted to', async () => {
    await using server = await FakeServer.open(({ method }, response) => {
      if (method === 'POST') response.writeHead(405).end()
      else events(response).write('event: endpoint\ndata: http://example.invalid/messages\n\n')
    })
    await expect(connect(server.url)).rejects.toThrow()
    expect(server.heard.map(({ method }) => method)).toEqual(['POST', 'POST', 'GET'])
  })

  it.each([
    [
      'a body',
      (id: unknown) => JSON.stringify(result(id, { tools: [], x: 'x'.repeat(5000) })),
      'application/json',
    ],
    [
      'an event',
      (id: unknown) => `data: ${JSON.stringify(result(id, { x: 'x'.repeat(5000) }))}\n\n`,
      'text/event-stream',
    ],
    ['a line without end', () => `data: ${'x'.repeat(5000)}`, 'text/event-stream'],
    ['an event of many lines', () => 'data: xxxxxxxx\n'.repeat(600), 'text/event-stream'],
  ])('that sends %s without measure is not read to the end', async (_what, body, type) => {
    await using server = await FakeServer.open((heard, response) => {
      if (handshakes(heard, response)) return
      response.writeHead(200, { 'content-type': type }).write(body(heard.message.id))
    })
    await using client = await connect(server.url, { limits: { maxMessageBytes: 4000 } })
    await expect(client.tools({ timeoutMs: 5000 })).rejects.toMatchObject({ reason: 'too-much' })
  })

  it('that answers another request than it was asked is found out', async () => {
    await using server = await FakeServer.open((heard, response) => {
      if (!handshakes(heard, response)) json(response, result(4711, { tools: [] }))
    })
    await using client = await connect(server.url)
    await expect(client.tools()).rejects.toMatchObject({ reason: 'nonsense' })
  })

  it('that is busy is asked again if that is safe, and no other way', async () => {
    const busy = new Set<string>()
    await using server = await FakeServer.open((heard, response) => {
      const { id, method = '' } = heard.message
      if (handshakes(heard, response)) return
      if (busy.has(method)) return json(response, result(id, method === 'tools/list' ? { tools: [] } : DONE))
      busy.add(method)
      response.writeHead(503, { 'retry-after': '0' }).end()
    })
    await using client = await connect(server.url)
    expect(await client.tools()).toEqual([])
    await expect(client.callTool('pay')).rejects.toMatchObject({
      reason: 'refused',
      details: { status: 503 },
    })
    expect(server.count('tools/list')).toBe(2)
    expect(server.count('tools/call')).toBe(1)
  })
})

describe('what a server never takes', () => {
  /** Connections on which a request waits for its answer. */
  const waiting = (responses: Set<unknown>) => expect.poll(() => responses.size)

  it.each([
    ['streamable', 'notifications/initialized'],
    ['streamable', 'notifications/cancelled'],
    ['sse pair', 'notifications/cancelled'],
    ['sse pair', 'tools/call'],
  ])('is given up (%s): %s', async (shape, never) => {
    const open = new Set<unknown>()
    let stream: ServerResponse | undefined
    await using server = await FakeServer.open((heard, response) => {
      const { id, method } = heard.message
      if (method === never) {
        open.add(response)
        return response.on('close', () => open.delete(response))
      }
      if (shape === 'streamable') return method === 'tools/call' ? undefined : handshakes(heard, response)
      if (heard.method === 'GET') {
        stream = events(response)
        return stream.write('event: endpoint\ndata: /messages\n\n')
      }
      if (response.req.url === '/mcp') return response.writeHead(405).end()
      response.writeHead(202).end()
      if (method === 'initialize') stream?.write(`data: ${JSON.stringify(result(id, OPENED))}\n\n`)
    })
    await using client = await connect(server.url, { timeoutMs: 300, onError: () => {} })
    await expect(client.callTool('t')).rejects.toMatchObject({ reason: 'timed-out' })
    await expect.poll(() => server.count(never)).toBe(1)
    await waiting(open).toBe(0)
  })
})

describe('a stream that breaks', () => {
  it('is gone on with where it broke, and the call is made once', async () => {
    await using server = await FakeServer.open((heard, response) => {
      if (handshakes(heard, response)) return
      const last = heard.headers['last-event-id']
      if (heard.method === 'POST') {
        events(response).write('id: s/1\nretry: 10\ndata: \n\n')
        setTimeout(() => response.destroy(), 20)
      } else if (last === 's/1') {
        const progress = {
          jsonrpc: '2.0',
          method: 'notifications/progress',
          params: { progressToken: 3, progress: 1 },
        }
        events(response).end(`id: s/2\ndata: ${JSON.stringify(progress)}\n\n`)
      } else events(response).end(`id: s/3\ndata: ${JSON.stringify(result(3, DONE))}\n\n`)
    })
    await using client = await connect(server.url)
    let steps = 0
    expect(await client.callTool('t', {}, { onProgress: () => steps++ })).toEqual(DONE)
    expect(steps).toBe(1)
    expect(server.count('tools/call')).toBe(1)
    expect(server.heard.map(({ headers }) => headers['last-event-id']).filter(Boolean)).toEqual([
      's/1',
      's/2',
    ])
  })

  it('again and again is given up', async () => {
    await using server = await FakeServer.open((heard, response) => {
      if (handshakes(heard, response)) return
      events(response).write('id: s/1\nretry: 1\ndata: \n\n')
      setTimeout(() => response.destroy(), 1)
    })
    await using client = await connect(server.url, { limits: { maxReconnects: 3 } })
    await expect(client.callTool('t')).rejects.toMatchObject({
      reason: 'lost',
      message: /maxReconnects is 3/,
    })
    expect(server.heard.filter(({ headers }) => headers['last-event-id'])).toHaveLength(3)
  })

  it('without a place to come back to loses the call', async () => {
    await using server = await FakeServer.open((heard, response) => {
      if (handshakes(heard, response)) return
      events(response).write(': hello\n\n')
      setTimeout(() => response.destroy(), 10)
    })
    await using client = await connect(server.url)
    await expect(client.callTool('t')).rejects.toMatchObject({ reason: 'lost' })
    expect(server.count('tools/call')).toBe(1)
  })
})

describe('a session that the server has forgotten', () => {
  it('is opened again once, with what the one before was told, and the call is made in it', async () => {
    let session = 0
    await using server = await FakeServer.open((heard, response) => {
      const { id, method } = heard.message
      if (method === 'initialize') session++
      if (handshakes(heard, response, `s${session}`)) return
      const known =
        heard.headers['mcp-session-id'] === 's2' || (session === 1 && method === 'resources/subscribe')
      if (!known) return response.writeHead(404).end()
      json(response, result(id, method === 'resources/subscribe' ? {} : DONE))
    })
    const sessions: number[] = []
    await using client = await connect(server.url, { onReopened: () => sessions.push(session) })
    const changes: string[] = []
    await client.subscribe('memo://a', (uri) => changes.push(uri))
    const both = await Promise.all([client.callTool('one'), client.callTool('two')])
    expect(both).toEqual([DONE, DONE])
    expect(server.count('initialize')).toBe(2)
    expect(sessions).toEqual([2])
    while (changes.length === 0) await sleep(5)
    expect(server.count('resources/subscribe')).toBe(2)
    expect(changes).toEqual(['memo://a'])
  })

  it.each([
    ['the same', () => 'same'],
    ['another', (count: number) => `s${count}`],
  ])('leaves no stream open where the next one is called %s', async (_, nameOf) => {
    let begun: (stream: ServerResponse) => void = () => {}
    const first = new Promise<ServerResponse>((resolve) => {
      begun = resolve
    })
    let [session, isKnown] = [0, true]
    await using server = await FakeServer.open((heard, response) => {
      const { id, method } = heard.message
      if (heard.method === 'GET') {
        events(response).flushHeaders()
        return begun(response)
      }
      if (method === 'initialize') [session, isKnown] = [session + 1, true]
      if (handshakes(heard, response, nameOf(session))) return
      if (isKnown) json(response, result(id, DONE))
      else response.writeHead(404).end()
    })
    await using client = await connect(server.url)
    const over = once(await first, 'close')
    isKnown = false
    expect(await client.callTool('one')).toEqual(DONE)
    await over
    expect(server.count('initialize')).toBe(2)
  })

  it('is not opened again because its stream was never there, which is told', async () => {
    const errors: Error[] = []
    const onError = (error: Error) => errors.push(error)
    await using server = await FakeServer.open((heard, response) => {
      if (heard.method === 'GET') return response.writeHead(404).end()
      if (!handshakes(heard, response)) json(response, result(heard.message.id, DONE))
    })
    await using client = await connect(server.url, { onError })
    while (errors.length === 0) await sleep(5)
    expect(errors[0]).toMatchObject({ reason: 'refused', details: { status: 404 } })
    expect(await client.callTool('t')).toEqual(DONE)
    expect(server.count('initialize')).toBe(1)
  })

  it('is not opened for ever', async () => {
    await using server = await FakeServer.open((heard, response) => {
      if (!handshakes(heard, response)) response.writeHead(404).end()
    })
    await using client = await connect(server.url)
    await expect(client.callTool('t')).rejects.toMatchObject({ reason: 'lost' })
    expect(server.count('initialize')).toBe(2)
  })
})

describe('a stream of 2024-11-05 that breaks', () => {
  const counted = () => {
    let count = 0
    return defineServer({
      name: 's',
      version: '1',
      tools: [
        { name: 'count', run: () => String(++count) },
        { name: 'wait', run: () => new Promise<string>(() => {}) },
      ],
      resources: [{ uri: 'memo://a', name: 'a', subscribable: true, read: () => 'a' }],
    })
  }
  const serve = (server: Server, port = 0) => serveHttp(server, { port, greeting: 'none', supervise: false })

  it('is opened again, with what the one before was told; what must not be asked twice is lost', async () => {
    const first = await serve(counted())
    const { port } = new URL(first.url)
    await using client = await connect(new URL('/sse', first.url), { revision: '2024-11-05' })
    const changes: string[] = []
    await client.subscribe('memo://a', (uri) => changes.push(uri))
    const waiting = client.callTool('wait')
    waiting.catch(() => {})
    await client.callTool('count')
    await first.close(0)
    const server = counted()
    const second = await serve(server, Number(port))
    await expect(waiting).rejects.toThrow('is closing: it may have been carried out or not')
    expect((await client.callTool('count')).content).toEqual([{ type: 'text', text: '1' }])
    while (changes.length === 0) await sleep(5)
    server.updated('memo://a')
    while (changes.length === 1) await sleep(5)
    await second.close(0)
  })

  it('is given up when nobody is there any more', async () => {
    const only = await serve(counted())
    await using client = await connect(new URL('/sse', only.url), {
      revision: '2024-11-05',
      limits: { maxReconnects: 1 },
    })
    await only.close(0)
    await expect(client.tools()).rejects.toMatchObject({ reason: 'lost' })
  })
})

it('a server that does not speak the revision that was asked for is said not to', async () => {
  const old = child('reply({})')
  await expect(connect(old, { revision: '2026-07-28' })).rejects.toMatchObject({
    reason: 'unsupported',
    message: 'The server does not speak 2026-07-28, and says: what?',
  })
})

describe('what is wrong with the call of connect', () => {
  it.each([
    ['an address', 'localhost:3000', /expected an address such as/],
    ['a file', 'file:///etc/passwd', /expected an address such as/],
    ['a command', { command: 5 }, /command: expected the name of a program, got the number 5/],
    ['an argument', { command: 'x', arg: [] }, /there is no "arg". Did you mean args/],
    ['a server', 5, /expected an address, .* or a server made by defineServer\(\), got the number 5/],
    ['nothing', undefined, /expected an address, .*, got nothing/],
    ['no program', { command: '' }, /command: expected the name of a program/],
    ['no socket', { socket: '' }, /socket: expected the path of a socket/],
    [
      'what it is',
      { cmd: 'x' },
      /expected an address, { command, args }, { socket } or a server .* with cmd in it/,
    ],
    ['a definition', { name: 'x' }, /write connect\(defineServer\(/],
  ])('is said: %s', async (_what, target, message) => {
    await expect(connect(target as never)).rejects.toThrow(message)
  })

  it.each([
    [{ answer: {} }, /there is no "answer". Did you mean answers/],
    [{ revision: '2025-01-01' }, /there is no revision 2025-01-01/],
    [{ limits: { maxPage: 1 } }, /Did you mean maxPages/],
    [{ limits: { maxPages: -1 } }, /maxPages: expected a number from 0 on, got the number -1/],
    [{ timeoutMs: -1 }, /timeoutMs: expected a number from 0 on/],
  ])('is said of its options: %j', async (options, message) => {
    await expect(connect('http://127.0.0.1:1', options as never)).rejects.toThrow(message)
  })
})
