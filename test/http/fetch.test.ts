import { EventEmitter, once } from 'node:events'
import { describe, expect, it } from 'vitest'
import {
  createFetchHandler,
  type FetchHandler,
  type HttpOptions,
  type Page,
  type Principal,
} from '../../src/index.ts'
import { LARGE } from '../../src/transports/traffic.ts'
import type { Asked, Message } from './host.ts'
import { call, callModern, getStream, INITIALIZED, initialize, modern, textOf } from './messages.ts'
import { createSample, type Sample } from './sample.ts'
import { settled } from './sites.ts'

interface Fetched extends Sample {
  readonly handler: FetchHandler
  ask(asked: Asked, options?: { readonly signal?: AbortSignal; readonly url?: string }): Promise<Response>
}

function start(settings: HttpOptions = {}): Fetched {
  const sample = createSample()
  const handler = createFetchHandler(sample.server, settings)
  return {
    ...sample,
    handler,
    ask: ({ method = 'POST', path = '/mcp', headers = {}, body }, { signal, url } = {}) => {
      const given = Object.entries({
        ...(method === 'POST' && {
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
        }),
        ...headers,
      }).filter((pair): pair is [string, string] => typeof pair[1] === 'string')
      const text = body === undefined || body instanceof Uint8Array ? body : JSON.stringify(body)
      return handler(
        new Request(`${url ?? 'http://localhost:8181'}${path}`, {
          method,
          headers: given,
          ...(text !== undefined && { body: text as string }),
          ...(signal !== undefined && { signal }),
        }),
      )
    },
  }
}

const messageOf = async (response: Response) => (await response.json()) as Message

async function openSession({ ask }: Fetched, version = '2025-11-25'): Promise<{ 'mcp-session-id': string }> {
  const response = await ask({ body: initialize(version) })
  const session = { 'mcp-session-id': response.headers.get('mcp-session-id') ?? '' }
  await ask({ headers: session, body: INITIALIZED })
  return session
}

/** Reads the messages of a stream one by one. */
function readMessages(response: Response) {
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
  if (reader === undefined) throw new Error('no body')
  let rest = ''
  const next = async (): Promise<Message | undefined> => {
    const [, event = '', after = ''] = /^(.*?)\n\n(.*)$/s.exec(rest) ?? []
    if (event !== '') {
      rest = after
      const data = /^data: (.+)$/m.exec(event)?.[1]
      return data === undefined ? next() : JSON.parse(data)
    }
    const { done, value } = await reader.read()
    if (done) return undefined
    rest += value
    return next()
  }
  return { next, cancel: () => reader.cancel() }
}

describe('the fetch handler', () => {
  it('answers in JSON', async () => {
    const { ask, handler } = start()
    const response = await ask(callModern('echo', { text: 'hi' }))
    expect(response.headers.get('content-type')).toBe('application/json')
    expect(textOf(await messageOf(response))).toBe('hi')
    await handler.close()
  })

  it('answers in a stream when something is said first', async () => {
    const fetched = start()
    const coming = fetched.ask(callModern('talk', {}, { meta: { progressToken: 1 } }))
    const talk = await fetched.talks.next()
    talk?.call.progress(1)
    const response = await coming
    expect(response.headers.get('content-type')).toBe('text/event-stream')
    const messages = readMessages(response)
    expect(await messages.next()).toMatchObject({ method: 'notifications/progress' })
    talk?.finish('end')
    expect(textOf(await messages.next())).toBe('end')
    expect(await messages.next()).toBeUndefined()
    await fetched.handler.close()
  })

  it.each(['the stream', 'the request'])('cancels a call when %s is cancelled', async (what) => {
    const fetched = start()
    const controller = new AbortController()
    const coming = fetched.ask(callModern('talk', {}, { meta: { progressToken: 1 } }), {
      signal: controller.signal,
    })
    const talk = await fetched.talks.next()
    if (talk === undefined) throw new Error('there is no call')
    const aborted = once(talk.call.signal, 'abort')
    talk.call.progress(1)
    const messages = readMessages(await coming)
    await messages.next()
    if (what === 'the stream') await messages.cancel()
    else controller.abort()
    await aborted
    await fetched.handler.close()
  })

  it('tells whoever waits for that of a client that leaves before it is answered, and of no other', async () => {
    const gone: string[] = []
    const page: Page = (exchange) => {
      exchange.onGone(() => gone.push(exchange.path))
      if (exchange.path === '/short') exchange.answer(200, {}, 'short')
    }
    const { ask, handler } = start({ pages: { '/short': page, '/never': page } })
    const controller = new AbortController()
    await ask({ method: 'GET', path: '/short' }, { signal: controller.signal })
    void ask({ method: 'GET', path: '/never' }, { signal: controller.signal })
    await settled()
    controller.abort()
    expect(gone).toEqual(['/never'])
    await handler.close()
  })

  it.each([
    ['GET', 200, 'text'],
    ['HEAD', 200, ''],
    ['GET', 202, ''],
    ['GET', 204, ''],
    ['GET', 304, ''],
  ])('sends a body by %s and %d where one belongs', async (method, status, expected) => {
    const page: Page = (exchange) => exchange.answer(status, { 'x-kind': 'page' }, 'text')
    const { ask, handler } = start({ pages: { '/page': page } })
    const response = await ask({ method, path: '/page' })
    expect([response.status, response.headers.get('x-kind')]).toEqual([status, 'page'])
    expect(await response.text()).toBe(expected)
    await handler.close()
  })

  it('keeps sessions, their GET stream, and resumes', async () => {
    const fetched = start()
    const headers = await openSession(fetched)
    const standing = readMessages(await fetched.ask(getStream(headers)))
    fetched.server.tools.add({ name: 'extra', run: () => '' })
    expect(await standing.next()).toMatchObject({ method: 'notifications/tools/list_changed' })
    expect((await fetched.ask(getStream(headers))).status).toBe(409)
    const coming = fetched.ask({ headers, body: call(1, 'talk', {}, { progressToken: 1 }) })
    const talk = await fetched.talks.next()
    talk?.call.progress(1)
    const broken = readMessages(await coming)
    await broken.next()
    await broken.cancel()
    talk?.call.progress(2)
    talk?.finish('end')
    const again = readMessages(await fetched.ask(getStream(headers, '1:1')))
    expect(await again.next()).toMatchObject({ params: { progress: 2 } })
    expect(textOf(await again.next())).toBe('end')
    expect(await again.next()).toBeUndefined()
    expect((await fetched.ask({ method: 'DELETE', headers })).status).toBe(204)
    expect((await fetched.ask({ method: 'DELETE', headers })).status).toBe(404)
    expect(await fetched.handler.close()).toBe(true)
  })

  it('replays more than a reader may leave unread, at the pace of the reader', async () => {
    const fetched = start({ maxUnreadBytes: 1000 })
    const headers = await openSession(fetched)
    const response = await fetched.ask({ headers, body: call(1, 'big', { notices: 200 }) })
    await response.body?.cancel()
    const again = readMessages(await fetched.ask(getStream(headers, '1:0')))
    for (let number = 1; number <= 200; number++) {
      expect(String((await again.next())?.params?.['data'])).toMatch(new RegExp(`^${number} `))
    }
    expect(await again.next()).toMatchObject({ id: 1, result: {} })
    await fetched.handler.close()
  })

  it('guards hosts and origins by the name it was reached by', async () => {
    const { ask, handler } = start({ allowedHosts: ['mcp.example.com'] })
    const status = async (url: string, origin?: string) =>
      (await ask(modern('tools/list', {}, { headers: { origin } }), { url })).status
    expect(await status('http://localhost:8181')).toBe(200)
    expect(await status('http://127.0.0.1')).toBe(200)
    expect(await status('http://[::1]:1')).toBe(200)
    expect(await status('https://mcp.example.com')).toBe(200)
    expect(await status('http://evil.example')).toBe(403)
    expect(await status('http://localhost:8181', 'http://localhost:8181')).toBe(200)
    expect(await status('http://localhost:8181', 'http://localhost:3000')).toBe(403)
    expect(await status('http://localhost:8181', 'https://evil.example')).toBe(403)
    await handler.close()
  })

  it('refuses as it does over sockets', async () => {
    const { ask, handler } = start({ maxBodyBytes: 1000 })
    const status = async (asked: Asked) => {
      const response = await ask(asked)
      expect(response.headers.get('content-type')).toBe('application/json')
      const message = await messageOf(response)
      return [response.status, message.error?.code]
    }
    expect(await status({ path: '/other', body: {} })).toEqual([404, -32600])
    expect(await status({ method: 'PUT' })).toEqual([405, -32600])
    expect(await status({ headers: { 'content-type': 'text/plain' }, body: {} })).toEqual([415, -32600])
    expect(await status({ headers: { accept: 'text/html' }, body: {} })).toEqual([406, -32600])
    expect(await status({ body: 'x'.repeat(2000) })).toEqual([413, -32600])
    expect(await status({ body: Uint8Array.of(0x22, 0xff, 0x22) })).toEqual([400, -32700])
    expect(await status({ body: new TextEncoder().encode('{') })).toEqual([400, -32700])
    expect(await status(modern('ping'))).toEqual([404, -32601])
    const headers = { 'mcp-method': 'wrong' }
    expect(await status(modern('tools/list', {}, { headers }))).toEqual([400, -32020])
    await handler.close()
  })

  it('closes: calls finish, subscriptions get their result, and nothing new is taken', async () => {
    const fetched = start()
    const listening = readMessages(
      await fetched.ask(modern('subscriptions/listen', { notifications: {} }, { id: 5 })),
    )
    await listening.next()
    const pending = fetched.ask(callModern('talk'))
    const talk = await fetched.talks.next()
    const closing = fetched.handler.close()
    expect(await listening.next()).toMatchObject({ id: 5, result: { resultType: 'complete' } })
    expect((await fetched.ask(modern('tools/list'))).status).toBe(503)
    talk?.finish('end')
    expect(textOf(await messageOf(await pending))).toBe('end')
    expect(await closing).toBe(true)
  })

  it('takes nothing from a caller who is known only after closing has begun', async () => {
    const asked = new EventEmitter()
    const authenticator = {
      authenticate: async (): Promise<Principal> => {
        queueMicrotask(() => asked.emit('asked'))
        await once(asked, 'known')
        return { id: 'ann' }
      },
      challenge: () => ({}),
      header: 'authorization',
      documents: {},
    }
    const { ask, handler } = start({ authenticator })
    const looking = once(asked, 'asked')
    const coming = ask(callModern('echo', { text: 'late' }))
    await looking
    const closed = handler.close()
    asked.emit('known')
    expect((await coming).status).toBe(503)
    expect(await closed).toBe(true)
  })

  it.each(['/mcp', '/messages'])(
    'takes nothing at %s that is whole only after closing has begun',
    async (path) => {
      const { ask, handler } = start()
      const pair = (await ask({ method: 'GET', path: '/sse' })).body?.getReader()
      const [, endpoint = ''] = /data: (.*)/.exec(new TextDecoder().decode((await pair?.read())?.value)) ?? []
      const where = path === '/mcp' ? path : endpoint
      const { body, headers } = callModern('echo', { text: 'late' })
      const { readable, writable } = new TransformStream<Uint8Array>()
      const request = new Request(`http://localhost:8181${where}`, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
          ...headers,
        },
        body: readable,
        duplex: 'half',
      } as RequestInit)
      const coming = handler(request)
      const writer = writable.getWriter()
      const closed = handler.close()
      await writer.write(new TextEncoder().encode(JSON.stringify(body)))
      await writer.close()
      expect((await coming).status).toBe(503)
      expect(await closed).toBe(true)
    },
  )

  it('ends what hangs when it is late', async () => {
    const fetched = start()
    void fetched.ask(callModern('talk'))
    const talk = await fetched.talks.next()
    expect(await fetched.handler.close(20)).toBe(false)
    expect(talk?.call.aborted).toBe(true)
  })
})

it('hears of changes for its card until it is closed', async () => {
  const { ask, server, handler } = start()
  expect((await ask({ method: 'GET', path: '/mcp/server-card' })).status).toBe(200)
  expect(server.listeners.size).toBe(1)
  await handler.close()
  expect(server.listeners.size).toBe(0)
})

describe('a large answer', () => {
  const large = callModern('big', { bytes: 200_000 })

  it('counts until it has been read', async () => {
    const { ask, server, handler } = start()
    const response = await ask(large)
    expect(server.usage.read('maxUnsentBytes')).toBeGreaterThan(200_000)
    expect(textOf(await messageOf(response))).toHaveLength(200_000)
    expect(server.usage.read('maxUnsentBytes')).toBe(0)
    await handler.close()
  })

  it.each(['its body', 'its request'])('counts no longer when %s is cancelled', async (what) => {
    const { ask, server, handler } = start()
    const controller = new AbortController()
    const response = await ask(large, { signal: controller.signal })
    if (what === 'its body') await response.body?.cancel()
    else controller.abort()
    expect(server.usage.read('maxUnsentBytes')).toBe(0)
    await handler.close()
  })

  it('is refused while too many wait to be read, and a small one is not', async () => {
    const { ask, handler } = start({ maxUnsentBytes: 100_000 })
    await ask(large)
    const refused = await ask(large)
    expect(refused.status).toBe(503)
    expect((await messageOf(refused)).error?.message).toMatch(
      /wait to be read by their clients \(--max-unsent\)$/,
    )
    const { length } = await (await ask(callModern('echo', { text: '' }))).text()
    const ofLength = (all: number) => ask(callModern('echo', { text: 'x'.repeat(all - length) }))
    expect([(await ofLength(LARGE)).status, (await ofLength(LARGE + 1)).status]).toEqual([200, 503])
    await handler.close()
  })
})

describe('a body that is arriving', () => {
  /** A request whose body comes in these pieces, and then no further. */
  const arriving = (pieces: readonly string[]) =>
    new Request('http://localhost:8181/mcp', {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
      body: new ReadableStream({
        start: (controller) => {
          for (const piece of pieces) controller.enqueue(new TextEncoder().encode(piece))
        },
      }),
      duplex: 'half',
    } as RequestInit)

  it('is counted, and whoever takes longest is turned away when all take too much', async () => {
    const { handler, server } = start({ maxArrivingBytes: 100_000 })
    const oldest = handler(arriving([' '.repeat(60_000)]))
    await expect.poll(() => server.usage.read('maxArrivingBytes')).toBe(60_000)
    void handler(arriving([' '.repeat(60_000)]))
    expect((await oldest).status).toBe(503)
    expect(server.usage.read('maxArrivingBytes')).toBe(60_000)
  })

  it.each([
    ['says', true],
    ['does not say', false],
  ])('may be as long as the limit, and no longer, where it %s how long it is', async (_what, says) => {
    const text = JSON.stringify(initialize('2025-11-25'))
    const status = async (maxBodyBytes: number) => {
      const { handler } = start({ maxBodyBytes })
      const { url, headers } = arriving([])
      if (says) headers.set('content-length', `${text.length}`)
      const body = new Blob([text]).stream()
      return (
        await handler(new Request(url, { method: 'POST', headers, body, duplex: 'half' } as RequestInit))
      ).status
    }
    expect([await status(text.length), await status(text.length - 1)]).toEqual([200, 413])
  })

  it('is not waited for where it says that it is longer than the limit', async () => {
    const { handler, server } = start({ maxBodyBytes: 10 })
    const request = arriving([])
    request.headers.set('content-length', '11')
    expect((await handler(request)).status).toBe(413)
    expect(server.usage.read('maxArrivingBytes')).toBe(0)
  })

  it('is no message where there is none', async () => {
    const response = await start().ask({})
    expect(response.status).toBe(400)
    expect((await messageOf(response)).error?.message).toContain('Parse error')
  })

  it('is refused when it comes in very many pieces', async () => {
    const { handler, server } = start()
    void handler(arriving(Array(520).fill(' ')))
    const response = await handler(arriving(Array(521).fill(' ')))
    expect(response.status).toBe(400)
    expect((await messageOf(response)).error?.message).toContain(
      'comes in too many small pieces; send chunks of 64 bytes or more',
    )
    expect(server.usage.read('maxArrivingBytes')).toBe(520)
  })

  it('is refused when it breaks off', async () => {
    const { handler, server } = start()
    const body = new ReadableStream({
      start: (controller) => {
        controller.enqueue(new TextEncoder().encode(' '))
        controller.error(new Error('gone'))
      },
    })
    const { url, headers } = arriving([])
    const response = await handler(
      new Request(url, { method: 'POST', headers, body, duplex: 'half' } as RequestInit),
    )
    expect([response.status, (await messageOf(response)).error?.message]).toEqual([
      400,
      'Bad request: the body did not arrive whole',
    ])
    expect(server.usage.read('maxArrivingBytes')).toBe(0)
  })
})
