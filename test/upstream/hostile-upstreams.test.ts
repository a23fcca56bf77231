import type { ServerResponse } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import { describe, expect, it, vi } from 'vitest'
import { defineServer } from '../../src/authoring/define-server.ts'
import { createTestClient, defineTool, type TestClient } from '../../src/index.ts'
import { type JsonObject, MISSING, type RelayedState, type Server } from '../../src/kernel/index.ts'
import type { UpstreamOptions } from '../../src/modules/upstream/options.ts'
import { siblingsOf } from '../../src/modules/upstream/siblings.ts'
import { DONE, events, FakeServer, type Heard, json, OPENED, result } from '../client/hostile.ts'
import { clientOf, endAfterEach, ending, gatewayTo, lookedAt, namesOf, noted, textOf } from './gateway-of.ts'

endAfterEach()

type Answer = (heard: Heard, response: ServerResponse) => unknown

const TOOL = { name: 'go', inputSchema: { type: 'object' } }
const GOOD = defineServer({
  name: 'good',
  version: '1',
  tools: [defineTool({ name: 'go', run: () => 'well' })],
})

/** Answers as a server of 2025-11-25 does, but for what `answer` takes on by giving something else than false. */
const otherwise =
  (answer: Answer, session: { id: string } = { id: 'one' }): Answer =>
  (heard, response) => {
    if (answer(heard, response) !== false) return
    const { method, message } = heard
    const reply = (value: JsonObject, headers = {}) => json(response, result(message.id, value), 200, headers)
    if (message.method === 'server/discover')
      json(response, { jsonrpc: '2.0', id: message.id, error: { code: -32601, message: 'What?' } }, 400)
    else if (message.method === 'initialize') reply(OPENED, { 'mcp-session-id': session.id })
    else if (method === 'GET') response.writeHead(405).end()
    else if (message.id === undefined || message.method === undefined) response.writeHead(202).end()
    else if (message.method === 'tools/list') reply({ tools: [TOOL] })
    else if (message.method === 'resources/list') reply({ resources: [] })
    else if (message.method === 'resources/templates/list') reply({ resourceTemplates: [] })
    else reply(DONE)
  }

const on =
  (method: string, answer: Answer): Answer =>
  (heard, response) =>
    heard.message.method === method ? answer(heard, response) : false

interface Attacked {
  readonly server: FakeServer
  readonly gateway: Server
  readonly client: TestClient
  readonly bad: () => RelayedState
}

/** A gateway with somebody behind it who means no good and has been looked at, and somebody who is well. */
async function attackedBy(answer: Answer, options: Partial<UpstreamOptions> = {}): Promise<Attacked> {
  const attacked = await startedBy(answer, options)
  await lookedAt(attacked.gateway)
  return attacked
}

async function startedBy(answer: Answer, options: Partial<UpstreamOptions> = {}): Promise<Attacked> {
  const server = await FakeServer.open(answer)
  ending.push(() => server[Symbol.asyncDispose]())
  const gateway = gatewayTo({ bad: { url: server.url, ...options }, good: { server: GOOD } })
  await gateway.start()
  const client = await createTestClient(gateway, { revision: '2025-11-25' })
  const bad = () => {
    const found = [...siblingsOf(gateway)].find(({ name }) => name === 'bad')
    if (found === undefined) throw new Error('there is no such upstream')
    return found.state
  }
  return { server, gateway, client, bad }
}

const isWell = async (client: TestClient) => expect(textOf(await client.callTool('good_go'))).toBe('well')

/** Writes until nobody reads any more. */
function without(end: string | Buffer): Answer {
  return (_heard, response) => {
    const more = () => response.destroyed || response.write(end, more)
    more()
  }
}

/** Whatever stands on the wire, HTTP or not. */
const raw =
  (...texts: readonly string[]): Answer =>
  (_heard, { socket }) => {
    const [first = '', again = ''] = texts
    socket?.write(first)
    const more = () => socket?.destroyed || (again !== '' && socket?.write(again, more))
    more()
  }

const JSON_HEAD = 'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n'
const deep = (levels: number) =>
  `{"jsonrpc":"2.0","id":1,"result":${'['.repeat(levels)}${']'.repeat(levels)}}`

describe('a call is answered with who and why, and others are well, where an upstream', () => {
  it.each<[what: string, answer: Answer, why: RegExp]>([
    [
      'answers without end',
      (heard, response) =>
        without('x'.repeat(65_536))(heard, response.writeHead(200, { 'content-type': 'application/json' })),
      /more than 16777216 bytes/,
    ],
    ['has headers without end', raw(JSON_HEAD, `x-more: ${'y'.repeat(1000)}\r\n`), /its head is longer than/],
    ['announces an answer without end', raw('', 'HTTP/1.1 100 Continue\r\n\r\n'), /announced and announced/],
    [
      'has chunks of no size',
      raw(`${JSON_HEAD}transfer-encoding: chunked\r\n\r\nzz\r\n`),
      /no HTTP: a chunk has the size/,
    ],
    [
      'says two lengths',
      raw(`${JSON_HEAD}content-length: 5\r\ntransfer-encoding: chunked\r\n\r\n`),
      /read in two ways/,
    ],
    [
      'answers with a page',
      (_heard, response) => response.writeHead(200, { 'content-type': 'text/html' }).end('<h1>'),
      /answered the string "text\/html"/,
    ],
    ['answers with nothing', (_heard, response) => response.writeHead(202).end(), /answered nothing/],
    [
      'answers by half',
      (heard, response) => {
        raw(`${JSON_HEAD}content-length: 1000\r\n\r\n{"jso`)(heard, response)
        response.socket?.end()
      },
      /^bad: The answer broke off/,
    ],
    ['breaks off', (_heard, response) => response.socket?.resetAndDestroy(), /^bad/],
    [
      'answers somebody else',
      (_heard, response) => json(response, result(4711, DONE)),
      /answered something else/,
    ],
    [
      'answers in what is no JSON',
      (_heard, response) => response.writeHead(200, { 'content-type': 'application/json' }).end('{{{'),
      /answered something else/,
    ],
    [
      'answers deep down',
      (_heard, response) =>
        response.writeHead(200, { 'content-type': 'application/json' }).end(deep(2_000_000)),
      /answered something else/,
    ],
    [
      'is never found',
      (_heard, response) => response.writeHead(404).end(),
      /forgot its session, and the next one as well/,
    ],
    [
      'sends on and on',
      (_heard, response) => response.writeHead(307, { location: '/mcp?again' }).end(),
      /sends its clients on and on/,
    ],
    [
      'answers in gzip',
      (_heard, response) =>
        response
          .writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' })
          .end(gzipSync(Buffer.alloc(10_000_000))),
      /answered in gzip, which it was not asked for/,
    ],
    [
      'has an event without end',
      (heard, response) => without('x'.repeat(65_536))(heard, events(response, {})),
      /more than 16777216 bytes/,
    ],
    [
      'has lines of data without end',
      (heard, response) => without(`data: ${'x'.repeat(1000)}\n`.repeat(64))(heard, events(response, {})),
      /more than 16777216 bytes/,
    ],
    [
      'tells of a stream that ends',
      (_heard, response) => events(response).end(': nothing\n\n'),
      /broke off before tools\/call was answered/,
    ],
    [
      'refuses at length',
      (_heard, response) =>
        json(response, { error: { code: -1, message: `\u001b[2J${'long'.repeat(15_000)}` } }, 500),
      /./,
    ],
  ])('%s', async (_what, answer, why) => {
    const { client, bad } = await attackedBy(otherwise(on('tools/call', answer)))
    const refused = await client
      .callTool('bad_go')
      .catch((error: Error) => ({ isError: true, content: [{ text: error.message }] }))
    expect(refused.isError).toBe(true)
    expect(textOf(refused)).toMatch(why)
    await isWell(client)
    expect(bad().lastError?.text.length ?? 0).toBeLessThan(1000)
    if (why.source !== '.') expect(bad().lastError?.text).toMatch(why)
  })

  it('sends to others, who are told nothing', async () => {
    const other = await FakeServer.open((_heard, response) => json(response, {}))
    ending.push(() => other[Symbol.asyncDispose]())
    const send: Answer = (_heard, response) => response.writeHead(308, { location: other.url }).end()
    const headers = { authorization: 'Bearer secret' }
    const { client, bad } = await attackedBy(otherwise(on('tools/call', send)), { headers })
    expect(textOf(await client.callTool('bad_go'))).toMatch(
      /^bad: .* sends its clients on to .*: connect there$/,
    )
    expect(other.heard).toEqual([])
    expect(bad().lastError?.text).toContain('connect there')
    await isWell(client)
  })

  it('asks more at once than anybody would answer', async () => {
    const inputRequests = Object.fromEntries(
      Array.from({ length: 1000 }, (_, at) => [`q${at}`, { method: 'roots/list' }]),
    )
    const answers: { readonly [method: string]: JsonObject } = {
      'server/discover': { supportedVersions: ['2026-07-28'], capabilities: { tools: {} } },
      'tools/list': { tools: [TOOL] },
      'tools/call': { resultType: 'input_required', inputRequests, requestState: 's' },
    }
    const { client } = await attackedBy(({ message }, response) =>
      json(response, result(message.id, answers[String(message.method)] ?? {})),
    )
    expect(textOf(await client.callTool('bad_go'))).toContain(
      'asks 1000 questions at once; maxQuestions is 16',
    )
    await isWell(client)
  })
})

const notice = (method: string, params: JsonObject = {}) =>
  `data: ${JSON.stringify({ jsonrpc: '2.0', method, params })}\n\n`

describe('an upstream that talks without end is heard out, and others are well meanwhile:', () => {
  it.each<[what: string, one: (at: number, id: unknown) => string]>([
    ['notices', (at) => notice('notifications/message', { level: 'error', data: at })],
    ['progress', (at, id) => notice('notifications/progress', { progressToken: id, progress: at })],
    [
      'questions',
      (at) => `data: ${JSON.stringify({ jsonrpc: '2.0', id: `q${at}`, method: 'roots/list' })}\n\n`,
    ],
    ['pings', (at) => `data: ${JSON.stringify({ jsonrpc: '2.0', id: `p${at}`, method: 'ping' })}\n\n`],
    ['answers to nobody', (at) => `data: ${JSON.stringify(result(`n${at}`, DONE))}\n\n`],
    ['the same answer', (_at, id) => `data: ${JSON.stringify(result(Number(id) + 1000, DONE))}\n\n`],
    ['places', (at) => `id: ${at}${'\u0001'.repeat(20)}\n\n`],
    ['changes', () => notice('notifications/tools/list_changed')],
  ])('%s', async (_what, one) => {
    const many = 10_000
    const flood: Answer = async ({ message }, response) => {
      events(response)
      for (let at = 0; at < many && !response.destroyed; at += 1000) {
        const text = Array.from({ length: 1000 }, (_, more) => one(at + more, message.id)).join('')
        if (!response.write(text))
          await new Promise((resolve) => response.once('drain', resolve).once('close', resolve))
      }
      response.end(`data: ${JSON.stringify(result(message.id, DONE))}\n\n`)
    }
    const { client } = await attackedBy(otherwise(on('tools/call', flood)))
    const before = process.memoryUsage().heapUsed
    const called = client.callTool('bad_go')
    await isWell(client)
    expect(await called).toMatchObject(DONE)
    expect(process.memoryUsage().heapUsed - before).toBeLessThan(200 * 1024 * 1024)
    await isWell(client)
  })

  it('its lists are read one after the other, however often it says that they have changed', async () => {
    let [open, most, reads] = [0, 0, 0]
    const { client } = await attackedBy(
      otherwise((heard, response) => {
        if (heard.method === 'GET') {
          events(response)
          const clock = setInterval(
            () => response.write(notice('notifications/tools/list_changed').repeat(100)),
            1,
          )
          response.once('close', () => clearInterval(clock))
          return undefined
        }
        if (heard.message.method !== 'tools/list' || ++reads === 1) return false
        most = Math.max(most, ++open)
        response.once('close', () => open--)
        setTimeout(() => json(response, result(heard.message.id, { tools: [TOOL] })), 100)
        return undefined
      }),
    )
    await vi.waitFor(() => expect(reads).toBeGreaterThan(3), { timeout: 20_000 })
    expect(most).toBe(1)
    await isWell(client)
  })

  it('what is answered elsewhere than it was asked leaves no connection behind', async () => {
    let stream: ServerResponse | undefined
    const hanging = new Set<ServerResponse>()
    const { client } = await attackedBy(
      otherwise((heard, response) => {
        if (heard.method === 'GET') {
          stream = events(response)
          stream.write(': hello\n\n')
          return undefined
        }
        if (heard.message.method !== 'tools/call') return false
        hanging.add(response)
        response.once('close', () => hanging.delete(response))
        stream?.write(`data: ${JSON.stringify(result(heard.message.id, DONE))}\n\n`)
        return undefined
      }),
    )
    await vi.waitFor(async () => expect(stream).toBeDefined())
    for (let calls = 0; calls < 5; calls++) expect(await client.callTool('bad_go')).toMatchObject(DONE)
    await vi.waitFor(() => expect(hanging.size).toBe(0))
  })
})

it('an upstream of 2024-11-05 that answers and never takes what it was asked is left no connections', async () => {
  let stream: ServerResponse | undefined
  const hanging = new Set<ServerResponse>()
  const answers: { readonly [method: string]: JsonObject } = {
    initialize: { ...OPENED, protocolVersion: '2024-11-05' },
    'tools/list': { tools: [TOOL] },
    'resources/list': { resources: [] },
    'resources/templates/list': { resourceTemplates: [] },
  }
  const { client } = await attackedBy(({ method, message }, response) => {
    if (method === 'GET') {
      stream = events(response)
      return stream.write('event: endpoint\ndata: /messages\n\n')
    }
    if (response.req.url === '/mcp') return response.writeHead(405).end()
    if (message.id === undefined) return response.writeHead(202).end()
    hanging.add(response)
    response.once('close', () => hanging.delete(response))
    const answer = result(message.id, answers[String(message.method)] ?? DONE)
    return stream?.write(`event: message\ndata: ${JSON.stringify(answer)}\n\n`)
  })
  for (let calls = 0; calls < 5; calls++) expect(await client.callTool('bad_go')).toMatchObject(DONE)
  await vi.waitFor(() => expect(hanging.size).toBe(0), { timeout: 10_000 })
  await isWell(client)
})

it('a call that asks what its client cannot answer is over upstream as well', async () => {
  const open = new Set<ServerResponse>()
  const ask: Answer = (_heard, response) => {
    open.add(response)
    response.once('close', () => open.delete(response))
    events(response).write(`data: ${JSON.stringify({ jsonrpc: '2.0', id: 'q', method: 'roots/list' })}\n\n`)
  }
  const { gateway } = await attackedBy(otherwise(on('tools/call', ask)))
  const client = await createTestClient(gateway)
  await expect(client.callTool('bad_go')).rejects.toThrow('lacks a capability')
  await vi.waitFor(() => expect(open.size).toBe(0))
})

const many = (count: number) => Array.from({ length: count }, (_, at) => ({ ...TOOL, name: `t${at}` }))
let page = 0

describe('a gateway starts, and says what is missing and why, where an upstream', () => {
  it.each<[what: string, answer: Answer, why: RegExp]>([
    [
      'has a million tools',
      on('tools/list', ({ message }, response) =>
        json(response, result(message.id, { tools: many(1_000_000) })),
      ),
      /more than 16777216 bytes/,
    ],
    [
      'has twenty thousand',
      on('tools/list', ({ message }, response) =>
        json(response, result(message.id, { tools: many(20_000) })),
      ),
      /more than 10000 entries/,
    ],
    [
      'has pages without end',
      on('tools/list', ({ message }, response) =>
        json(response, result(message.id, { tools: [], nextCursor: `${page++}` })),
      ),
      /more than 100 pages/,
    ],
    [
      'turns in a circle',
      on('tools/list', ({ message }, response) =>
        json(response, result(message.id, { tools: [], nextCursor: 'a' })),
      ),
      /the same page twice/,
    ],
    [
      'has large pages',
      on('tools/list', ({ message }, response) =>
        json(
          response,
          result(message.id, {
            tools: [{ ...TOOL, description: 'x'.repeat(3_000_000) }],
            nextCursor: `${page++}`,
          }),
        ),
      ),
      /pages of more than 16777216 bytes/,
    ],
    [
      'calls its session what cannot be said',
      on(
        'initialize',
        ({ message }, response) =>
          void raw(`${JSON_HEAD}mcp-session-id: a\u0001b\r\ncontent-length: 2\r\n\r\n{}`)(
            { message } as Heard,
            response,
          ),
      ),
      /calls its session the string "a\\u0001b": expected visible/,
    ],
    [
      'says too much of itself',
      on('initialize', ({ message }, response) =>
        json(response, result(message.id, { ...OPENED, instructions: 'x'.repeat(300_000) })),
      ),
      /says too much of itself: at most 262144 bytes/,
    ],
    ['knows nothing but 404', (_heard, response) => response.writeHead(404).end(), /refused: 404/],
    [
      'knows nothing but itself',
      (_heard, response) => response.writeHead(308, { location: '/mcp' }).end(),
      /on and on/,
    ],
    [
      'is a page',
      (_heard, response) => response.writeHead(200, { 'content-type': 'text/html' }).end('<h1>'),
      /text\/html/,
    ],
  ])('%s', async (_what, answer, why) => {
    const { client, gateway, bad } = await attackedBy(otherwise(answer))
    await vi.waitFor(() => expect(bad().state).toBe('unreachable'), { timeout: 20_000 })
    expect(bad().lastError?.text).toMatch(why)
    expect(noted.join('\n')).toMatch(why)
    expect(await namesOf(client)).toEqual(['good_go'])
    const { _meta: meta } = (await client.request('tools/list')) as { _meta?: JsonObject }
    expect((meta?.[MISSING] as JsonObject)?.['bad']).toMatch(why)
    const refused = await client.callTool('bad_go')
    expect(refused.isError).toBe(true)
    expect(textOf(refused)).toMatch(/^bad/)
    const told = await createTestClient(gateway, { revision: '2025-11-25' })
    expect(told.instructions).toMatch(/^Missing here: bad/)
    await isWell(client)
  })

  it('answers a byte at a time', async () => {
    const drip = on('tools/list', ({ message }, response) => {
      const text = JSON.stringify(result(message.id, { tools: [TOOL] }))
      response.writeHead(200, { 'content-type': 'application/json' })
      let at = 0
      const clock = setInterval(() => response.write(text[at++] ?? ' '), 50)
      response.once('close', () => clearInterval(clock))
    })
    const { client, bad } = await startedBy(otherwise(drip))
    expect(bad().state).toBe('connecting')
    await isWell(client)
  })
})

describe('what an upstream lists is left out alone, and said to be, where it', () => {
  it.each<[what: string, tool: JsonObject, shown: string]>([
    [
      'turns its name round',
      { ...TOOL, name: 'a\u202eb' },
      'bad: the tool a\\u{202e}b is left out: its name has characters that nobody sees',
    ],
    ['has no name', { ...TOOL, name: '' }, 'bad: the tool "" is left out: its name is empty'],
    ['hides in its name', { ...TOOL, name: 'go\u200b' }, 'bad: the tool go\\u{200b} is left out'],
    [
      'speaks to terminals',
      { ...TOOL, name: '\u001b[2J\u0007' },
      'bad: the tool \\u{1b}[2J\\u{7} is left out',
    ],
    ['is two lines', { ...TOOL, name: 'a\nb' }, 'bad: the tool a\\u{a}b is left out'],
    [
      'is larger than anybody reads',
      { ...TOOL, name: 'big', description: 'x'.repeat(300_000) },
      'bad: the tool big is left out: at most 262144 bytes, got',
    ],
    [
      'has a name without end',
      { ...TOOL, name: 'x'.repeat(100_000) },
      'is left out: its name has more than 60 characters',
    ],
  ])('%s', async (_what, tool, shown) => {
    const list = on('tools/list', ({ message }, response) =>
      json(response, result(message.id, { tools: [tool, TOOL] })),
    )
    const { client, bad } = await attackedBy(otherwise(list))
    expect(await namesOf(client)).toEqual(['bad_go', 'good_go'])
    const { leftOut } = bad()
    expect(leftOut.join('\n')).toContain(shown.replace(/^bad: /, ''))
    expect(leftOut.join('\n').length).toBeLessThan(1000)
    expect(noted.join('\n')).toContain(shown)
    await isWell(client)
  })

  it('thousands are counted', async () => {
    const tools = many(5000).map((tool) => ({ ...tool, name: `${tool.name}\u202e` }))
    const list = on('tools/list', ({ message }, response) => json(response, result(message.id, { tools })))
    const { bad } = await attackedBy(otherwise(list))
    expect(bad().leftOut).toHaveLength(51)
    expect(bad().leftOut.at(-1)).toBe('… and 4950 more like these')
    expect(noted.length).toBeLessThan(60)
  })
})

describe('a session', () => {
  it('that was forgotten, and the next one too, is opened again by the next call', async () => {
    const session = { id: 's0' }
    let number = 0
    let known = (id: unknown) => id === session.id
    const { client } = await attackedBy(
      otherwise((heard, response) => {
        if (heard.message.method === 'initialize') session.id = `s${++number}`
        if (heard.message.method !== 'tools/call' || known(heard.headers['mcp-session-id'])) return false
        return response.writeHead(404).end()
      }, session),
    )
    known = () => false
    expect(textOf(await client.callTool('bad_go'))).toContain('forgot its session, and the next one as well')
    const before = session.id
    known = (id) => id === session.id && id !== before
    expect(await client.callTool('bad_go')).toMatchObject(DONE)
  })

  it('that is forgotten before anything is answered in it makes its server sick, which is then left alone', async () => {
    let isForgetful = false
    const { server, client, bad, gateway } = await attackedBy(
      otherwise((heard, response) => {
        const { method = 'GET' } = heard.message
        if (!isForgetful || method === 'initialize' || method === 'server/discover') return false
        return response.writeHead(404).end()
      }),
    )
    const { after } = gateway.platform
    const held = (milliseconds: number, run: () => void) =>
      milliseconds < 1000 ? after(milliseconds, run) : () => {}
    Object.assign(gateway.platform, { after: held })
    await client.callTool('bad_go')
    isForgetful = true
    const before = server.count('initialize')
    const said =
      /^bad cannot be reached \(The server forgot its session, and the next one as well\), next try in 1 s$/
    expect(textOf(await client.callTool('bad_go'))).toMatch(said)
    expect(bad()).toMatchObject({ state: 'unreachable', nextTry: expect.any(Number) })
    const asked = server.heard.length
    for (let times = 0; times < 3; times++) expect(textOf(await client.callTool('bad_go'))).toMatch(said)
    await lookedAt(gateway)
    expect(server.count('initialize') - before).toBe(2) // One for the caller, and one for whoever looks.
    expect(server.heard.slice(asked).map(({ method, message }) => message.method ?? method)).not.toContain(
      'tools/list',
    )
    await isWell(client)
  })

  it('that could not be opened again is opened by the next call', async () => {
    const session = { id: 's0' }
    let state: 'well' | 'gone' | 'away' = 'well'
    const { client } = await attackedBy(
      otherwise((heard, response) => {
        const { method } = heard.message
        if (state === 'away' && method === 'initialize') {
          state = 'well'
          return response.writeHead(500).end()
        }
        if (method === 'initialize') session.id = `s${Math.random()}`
        if (method !== 'tools/call') return false
        if (state === 'gone') {
          state = 'away'
          return response.writeHead(404).end()
        }
        if (heard.headers['mcp-session-id'] !== session.id) return response.writeHead(400).end()
        return false
      }, session),
    )
    expect(await client.callTool('bad_go')).toMatchObject(DONE)
    state = 'gone'
    expect((await client.callTool('bad_go')).isError).toBe(true)
    expect(await client.callTool('bad_go')).toMatchObject(DONE)
  })

  it('is not opened again and again because its stream is never there', async () => {
    const { server, client } = await attackedBy(
      otherwise((heard, response) => (heard.method === 'GET' ? response.writeHead(404).end() : false)),
    )
    await client.setLogLevel('info')
    expect(await client.callTool('bad_go')).toMatchObject(DONE)
    const before = server.count('initialize')
    await sleep(300)
    expect(server.count('initialize')).toBe(before)
    await isWell(client)
  })
})

it.each([-32601, -32603])(
  'an upstream that refuses one of its lists by %i has the others, and is told of',
  async (code) => {
    const server = await FakeServer.open(({ method, message }, response) => {
      const { id } = message
      if (method !== 'POST') return response.writeHead(405).end()
      if (message.method === 'initialize')
        return json(
          response,
          result(id, { ...OPENED, capabilities: { tools: {}, prompts: {}, resources: {} } }),
        )
      if (message.method === 'tools/list')
        return json(response, result(id, { tools: [{ name: 'go', inputSchema: { type: 'object' } }] }))
      if (message.method === 'tools/call') return json(response, result(id, { content: [] }))
      if (id === undefined) return response.writeHead(202).end()
      json(response, { jsonrpc: '2.0', id, error: { code, message: 'no' } })
    })
    ending.push(() => server[Symbol.asyncDispose]())
    const gateway = gatewayTo({ behind: { url: server.url } })
    const client = await clientOf(gateway)
    expect(await client.callTool('go')).toMatchObject({ content: [] })
    expect((await client.request('prompts/list')).prompts).toEqual([])
    const states = JSON.stringify([...gateway.relaying.upstreams].map(({ state }) => state))
    expect(states).toContain(`its list of prompts is refused (${code}), and is empty here`)
  },
)
