import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { createRequire } from 'node:module'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import {
  createFetchHandler,
  createNodeHandler,
  type HttpOptions,
  type NodeHandler,
  serveHttp,
} from '../../src/index.ts'
import { call, callModern, INITIALIZED, initialize, printRequest } from './messages.ts'
import { createSample } from './sample.ts'

const ending: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const end of ending.splice(0).reverse()) await end()
})

/** What a framework does with a request before it is our turn. */
type Framework = (handler: NodeHandler, request: IncomingMessage, response: ServerResponse) => unknown

const PLAIN: Framework = (handler, request, response) => handler(request, response)

async function parse(request: IncomingMessage): Promise<unknown> {
  const pieces: Buffer[] = []
  for await (const piece of request) pieces.push(piece as Buffer)
  return pieces.length === 0 ? undefined : JSON.parse(Buffer.concat(pieces).toString())
}

const FRAMEWORKS: readonly (readonly [string, Framework])[] = [
  ['node:http', PLAIN],
  [
    'Express with its JSON parser',
    async (handler, request, response) => {
      const body = await parse(request)
      const next = () => expect.unreachable()
      handler(Object.assign(request, { body }), response, next)
    },
  ],
  [
    'Express, mounted at the path',
    (handler, request, response) =>
      handler(Object.assign(request, { originalUrl: request.url, url: '/' }), response),
  ],
  [
    'Fastify, which hands over the body',
    async (handler, request, response) => handler(request, response, await parse(request)),
  ],
  [
    'a parser that leaves text',
    async (handler, request, response) => {
      const body = JSON.stringify(await parse(request))
      handler(Object.assign(request, { body }), response)
    },
  ],
]

async function start(framework: Framework, options: HttpOptions = {}) {
  const sample = createSample()
  const handler = createNodeHandler(sample.server, options)
  const node = createServer((request, response) => void framework(handler, request, response))
  node.listen(0, '127.0.0.1')
  await once(node, 'listening')
  ending.push(async () => {
    node.closeAllConnections()
    node.close()
    await handler.close(0)
  })
  const url = `http://127.0.0.1:${(node.address() as AddressInfo).port}/mcp`
  const post = (body: unknown, headers: object = {}) =>
    fetch(url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        ...headers,
      },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    })
  return { sample, handler, url, post, node }
}

type Post = Awaited<ReturnType<typeof start>>['post']

async function open(post: Post): Promise<object> {
  const opened = await post(initialize('2025-06-18'))
  expect(opened.status).toBe(200)
  await opened.text()
  const session = { 'mcp-session-id': opened.headers.get('mcp-session-id') }
  expect((await post(INITIALIZED, session)).status).toBe(202)
  return session
}

describe.each(FRAMEWORKS)('in %s', (_name, framework) => {
  it('a session is opened, used, streamed to and closed', async () => {
    const { post, url, sample } = await start(framework)
    const session = await open(post)
    const answer = await (await post(call(1, 'echo', { text: 'hi' }), session)).json()
    expect(answer).toMatchObject({ id: 1, result: { content: [{ text: 'hi' }] } })
    const abort = new AbortController()
    const stream = await fetch(url, {
      headers: { ...session, accept: 'text/event-stream' },
      signal: abort.signal,
    })
    expect(stream.headers.get('content-type')).toBe('text/event-stream')
    sample.server.tools.add({ name: 'extra', run: () => '' })
    const decoder = new TextDecoder()
    let heard = ''
    for await (const piece of stream.body ?? []) {
      heard += decoder.decode(piece as Uint8Array)
      if (heard.includes('list_changed')) break
    }
    abort.abort()
    expect((await fetch(url, { method: 'DELETE', headers: { ...session } })).status).toBe(204)
  })
})

/** Express as it comes with the official SDK. */
const express = createRequire(import.meta.resolve('@modelcontextprotocol/sdk/client'))('express') as Express

interface Express {
  (): App
  Router(): App
  json(): unknown
}

interface App {
  use(...args: readonly unknown[]): App
  all(path: string, ...handlers: readonly unknown[]): App
  listen(port: number, host: string): Server
}

describe.each<[string, string, HttpOptions, (handler: NodeHandler) => App]>([
  ['at its path', '/mcp', {}, (handler) => express().all('/mcp', handler)],
  ['after a parser', '/mcp', {}, (handler) => express().use(express.json()).all('/mcp', handler)],
  ['mounted at its path', '/mcp', {}, (handler) => express().use('/mcp', handler)],
  [
    'in a router of its own',
    '/api/mcp',
    {},
    (handler) => express().use('/api', express.Router().all('/mcp', handler)),
  ],
  ['mounted, and told so', '/x', { path: '/' }, (handler) => express().use('/x', handler)],
  ['told the whole path', '/api/mcp', { path: '/api/mcp' }, (handler) => express().use('/api', handler)],
])('in Express, %s', (_how, path, options, route) => {
  it('answers', async () => {
    const handler = createNodeHandler(createSample().server, options)
    const node = route(handler).listen(0, '127.0.0.1')
    await once(node, 'listening')
    ending.push(async () => {
      node.closeAllConnections()
      node.close()
      await handler.close(0)
    })
    const answer = await fetch(`http://127.0.0.1:${(node.address() as AddressInfo).port}${path}?a=b`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
      body: JSON.stringify(initialize('2025-06-18')),
    })
    expect([answer.status, await answer.text()]).toEqual([200, expect.stringContaining('serverInfo')])
  })
})

it('keeps its limits on bodies that others have read', async () => {
  const [, framework = PLAIN] = FRAMEWORKS[1] ?? []
  const { post } = await start(framework, { maxBodyBytes: 1000 })
  expect((await post(call(1, 'echo', { text: 'x'.repeat(2000) }))).status).toBe(413)
})

it('looks at the Host, and closes when what is under way is answered', async () => {
  const { post, handler, sample, url } = await start(PLAIN)
  const foreign = await new Promise<number | undefined>((resolve) => {
    void import('node:http').then(({ request }) =>
      request(url, { method: 'GET', headers: { host: 'evil.example' } }, (response) => {
        response.resume()
        resolve(response.statusCode)
      }).end(),
    )
  })
  expect(foreign).toBe(403)
  const session = await open(post)
  const talking = post(call(1, 'talk'), session)
  const talk = await sample.talks.next()
  const closed = handler.close()
  talk?.finish('bye')
  expect(await (await talking).text()).toContain('bye')
  expect(await closed).toBe(true)
  expect((await post(initialize('2025-06-18'))).status).toBe(503)
})

it('waits half a minute for what is under way, unless it is told otherwise', async () => {
  const timeout = vi.spyOn(AbortSignal, 'timeout')
  onTestFinished(() => timeout.mockRestore())
  const { server } = createSample()
  await createNodeHandler(server).close()
  await createFetchHandler(server).close()
  await (await serveHttp(server)).close()
  await createNodeHandler(server).close(7)
  expect(timeout.mock.calls).toEqual([[30_000], [30_000], [30_000], [7]])
})

it('gives a client half a minute to take any part of its answer', async () => {
  const sockets: (Socket | null)[] = []
  const { post } = await start((handler, request, response) => {
    sockets.push(response.socket)
    handler(request, response)
  })
  const untaken = await post(call(1, 'big', { bytes: 20_000_000 }), await open(post))
  expect(sockets.at(-1)?.timeout).toBe(30_000)
  await untaken.body?.cancel()
})

it('counts the connections that use it until it is closed', async () => {
  const { post, handler, sample } = await start(PLAIN)
  await open(post)
  expect(sample.server.usage.read('maxConnections')).toBeGreaterThan(0)
  await handler.close(0)
  expect(sample.server.usage.read('maxConnections')).toBe(0)
})

describe('of a body that is refused while it comes', () => {
  async function send(node: Server, pieces: string) {
    const { port } = node.address() as AddressInfo
    const client = connect(port, '127.0.0.1').on('error', () => {}) // What it was told before is looked at.
    let told = ''
    client.setEncoding('utf8').on('data', (text) => {
      told += text
    })
    const [socket] = (await once(node, 'connection')) as [Socket]
    client.write(
      `POST /mcp HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n${pieces}`,
    )
    await new Promise((resolve) => socket.once('close', resolve)) // It may tell of an error before.
    await expect.poll(() => told).toContain('HTTP/1.1')
    client.destroy()
    return { status: Number(told.split(' ')[1]), taken: socket.bytesRead }
  }

  it('the rest is taken, so that a client that reads nothing before it has sent all gets its answer', async () => {
    const { node, handler } = await start(PLAIN)
    await handler.close(0)
    const { status, taken } = await send(node, `80000\r\n${'x'.repeat(0x80000)}\r\n`)
    expect(status).toBe(503)
    expect(taken).toBeGreaterThan(0x80000)
  })

  it('the rest is not taken where each byte costs more than it is worth', async () => {
    const { node } = await start(PLAIN)
    const { status, taken } = await send(node, '1\r\n \r\n'.repeat(1_000_000))
    expect(status).toBe(400)
    expect(taken).toBeLessThan(1_000_000)
  })
})

it('tells that an answer was not taken when it is late', async () => {
  const { node, handler, sample } = await start(PLAIN)
  const { port } = node.address() as AddressInfo
  const socket = connect(port, '127.0.0.1').pause()
  socket.on('error', () => {}) // To be cut off is what is expected.
  socket.write(printRequest({ port }, callModern('big', { bytes: 50_000_000 })))
  await expect.poll(() => sample.server.usage.read('maxUnsentBytes')).toBeGreaterThan(0)
  expect(await handler.close(20)).toBe(false)
  socket.destroy()
})
