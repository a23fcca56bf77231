import { describe, expect, it } from 'vitest'
import {
  apiKeys,
  createFetchHandler,
  defineServer,
  type Exchange,
  type HttpMiddleware,
  type HttpOptions,
  serveHttp,
  withHeaders,
} from '../../src/index.ts'

const KEY = { authorization: 'Bearer a-long-secret' }
const authenticator = apiKeys({ keys: [{ name: 'ann', key: 'a-long-secret' }] })

type Ask = (path: string, init?: RequestInit) => Promise<Response>

/** A server by both ways of serving HTTP, with what crashed in it. */
const WAYS = {
  serveHttp: async (options: HttpOptions, use: (ask: Ask) => Promise<void>) => {
    const crashed: string[] = []
    const http = await serveHttp(define(crashed), options)
    await use((path, init) => fetch(new URL(path, http.url), init))
    await http.close()
    return crashed
  },
  createFetchHandler: async (options: HttpOptions, use: (ask: Ask) => Promise<void>) => {
    const crashed: string[] = []
    const handle = createFetchHandler(define(crashed), options)
    await use((path, init) => handle(new Request(new URL(path, 'http://127.0.0.1'), init)))
    await handle.close()
    return crashed
  },
}

function define(crashed: string[]) {
  return defineServer({
    name: 's',
    version: '1',
    reports: true,
    observe: (event) => {
      if (event.kind === 'crashed') crashed.push(`${event.method}: ${(event.error as Error).message}`)
    },
  })
}

describe.each(Object.entries(WAYS))('a page, by %s', (_name, serve) => {
  const pages: HttpOptions['pages'] = {
    '/private': (exchange, { id }) => exchange.answer(200, {}, `for ${id}`),
    '/open': { access: 'anybody', answer: (exchange, { id }) => exchange.answer(200, {}, `for ${id}`) },
    '/late': async () => {
      await Promise.resolve()
      throw new Error('too late')
    },
  }

  it('is for those who may call, unless it says that it is for anybody', async () => {
    await serve({ pages, authenticator }, async (ask) => {
      expect((await ask('/private')).status).toBe(401)
      expect(await (await ask('/private', { headers: KEY })).text()).toBe('for key:ann')
      expect(await (await ask('/open')).text()).toBe('for anonymous')
    })
  })

  it('is for anybody where nobody is asked', async () => {
    await serve({ pages }, async (ask) => {
      expect(await (await ask('/private')).text()).toBe('for anonymous')
    })
  })

  it('can be asked for by a page of an origin that may call', async () => {
    await serve({ pages, authenticator, allowedOrigins: ['https://app.example.com'] }, async (ask) => {
      const headers = { origin: 'https://app.example.com' }
      expect((await ask('/private', { method: 'OPTIONS', headers })).status).toBe(204)
      const shown = await ask('/private', { headers: { ...headers, ...KEY } })
      expect(shown.headers.get('access-control-allow-origin')).toBe('https://app.example.com')
    })
  })

  it('that fails later is a 500, and told', async () => {
    const crashed = await serve({ pages }, async (ask) => {
      expect((await ask('/late')).status).toBe(500)
    })
    expect(crashed).toEqual(['GET /late: too late'])
  })
})

describe.each(Object.entries(WAYS))('a middleware, by %s', (_name, serve) => {
  it('wraps every exchange, the first one outermost, whatever becomes of it', async () => {
    const seen: string[] = []
    const saying =
      (who: string): HttpMiddleware =>
      (exchange, next) => {
        seen.push(`${who} ${exchange.method} ${exchange.path}`)
        next(withHeaders(exchange, { [`x-${who}`]: 'seen' }))
      }
    const middleware = [saying('one'), saying('two')]
    await serve({ middleware, authenticator, health: '/healthz' }, async (ask) => {
      for (const [path, status] of [
        ['/healthz', 200],
        ['/nowhere', 404],
        ['/mcp', 401],
      ] as const) {
        const answer = await ask(path)
        expect(answer.status).toBe(status)
        expect([answer.headers.get('x-one'), answer.headers.get('x-two')]).toEqual(['seen', 'seen'])
        expect(seen.splice(0)).toEqual([`one GET ${path}`, `two GET ${path}`])
      }
    })
  })

  it('may answer itself, now or later', async () => {
    const middleware: readonly HttpMiddleware[] = [
      async (exchange, next) => {
        await Promise.resolve()
        if (exchange.path === '/old') exchange.answer(301, { location: '/mcp' })
        else next(exchange)
      },
    ]
    await serve({ middleware }, async (ask) => {
      const moved = await ask('/old', { redirect: 'manual' })
      expect([moved.status, moved.headers.get('location')]).toEqual([301, '/mcp'])
      expect((await ask('/nowhere')).status).toBe(404)
    })
  })

  it('that fails, now or later, is a 500, and told', async () => {
    const middleware: readonly HttpMiddleware[] = [
      (exchange) => {
        if (exchange.path === '/now') throw new Error('at once')
        return Promise.reject(new Error('later'))
      },
    ]
    const crashed = await serve({ middleware }, async (ask) => {
      expect((await ask('/now')).status).toBe(500)
      expect((await ask('/later')).status).toBe(500)
    })
    expect(crashed).toEqual(['GET /now: at once', 'GET /later: later'])
  })
})

it('refuses what is no middleware', async () => {
  await expect(serveHttp(define([]), { middleware: [5] as never })).rejects.toThrow(
    'middleware[0]: expected a function, got the number 5',
  )
})

describe.each(Object.entries(WAYS))('what cannot be sent, by %s', (_name, serve) => {
  const wrong: { readonly [name: string]: (exchange: Exchange) => void } = {
    'a header of two lines': (exchange) => exchange.answer(200, { 'x-name': 'a\nx-more: b' }),
    'a header beyond Latin-1': (exchange) => exchange.answer(200, { 'x-name': '\u{1f319}' }),
    'the name of a header': (exchange) => exchange.answer(200, { 'x name': 'a' }),
    'a status': (exchange) => exchange.answer(1000, {}),
  }

  it.each(Object.entries(wrong))(
    '%s, is a 500 of the page or middleware, and told',
    async (_what, answer) => {
      const pages = { '/page': answer, '/later': async (exchange: Exchange) => answer(exchange) }
      const middleware: HttpMiddleware = (exchange, next) =>
        exchange.path === '/own' ? answer(exchange) : next(exchange)
      const crashed = await serve({ pages, middleware: [middleware] }, async (ask) => {
        for (const path of ['/page', '/later', '/own']) expect((await ask(path)).status).toBe(500)
      })
      expect(crashed).toHaveLength(3)
      for (const words of crashed) expect(words).toMatch(/: expected (?:the name|text in one|a status)/)
    },
  )

  it('is said where headers are added', async () => {
    const middleware: HttpMiddleware = (exchange, next) => next(withHeaders(exchange, { 'x-name': 'a\r\nb' }))
    const crashed = await serve({ middleware: [middleware] }, async (ask) => {
      expect((await ask('/mcp')).status).toBe(500)
    })
    expect(crashed).toEqual([
      'GET /mcp: headers: x-name: expected text in one line of Latin-1, got the string "a\\r\\nb"',
    ])
  })
})

describe('pages that could never be seen as they are meant', () => {
  it.each([
    [{ about: () => {} }, 'pages: expected a path such as /about, got about'],
    [{ '/mcp': () => {} }, 'pages: /mcp is where MCP is served'],
    [{ '/sse': () => {} }, 'pages: /sse is where MCP is served'],
    [{ '/a': { access: 'anybody' } }, 'pages: /a.answer: expected a function, got nothing'],
    [{ '/a': { access: 'all', answer: () => {} } }, "pages: /a.access: expected 'anybody' or 'callers'"],
    [{ '/a': 'A page' }, 'pages: /a: expected an object, got the string "A page"'],
  ])('are refused: %j', async (pages, message) => {
    const server = defineServer({ name: 's', version: '1' })
    await expect(serveHttp(server, { pages: pages as never })).rejects.toThrow(message)
  })
})

describe('options by which a server could not be served as it is meant', () => {
  it.each([
    [{ path: 'mcp' }, 'path: expected a path such as /mcp, got the string "mcp"'],
    [{ path: '/mcp?a' }, 'path: expected a path such as /mcp, got the string "/mcp?a"'],
    [{ path: '/sse' }, 'path: /sse is where the SSE pair of 2024 is served, beside MCP: take another'],
    [{ path: '/a/messages' }, 'path: /a/messages is where the SSE pair of 2024 is served'],
    [{ path: '/well', health: '/well' }, 'path: /well is where it says that it is well'],
    [{ path: '/ready', readiness: '/ready' }, 'path: /ready is where it says whether it is ready'],
    [
      { path: '/.well-known/ai-catalog.json' },
      'path: /.well-known/ai-catalog.json is where a server is found',
    ],
    [{ path: '/console', console: true }, 'path: /console is where the console is served'],
    [{ path: '/a', pages: { '/a': () => {} } }, 'pages: /a is where MCP is served'],
    [{ base: 'x' }, 'base: expected a path such as /tools, got the string "x"'],
    [{ health: 'x' }, 'health: expected a path such as /healthz, got the string "x"'],
    [{ sessionless: 'yes' }, "sessionless: expected 'refused' or 'served', got the string"],
    [{ keepAliveMs: 0 }, 'keepAliveMs: expected a number of milliseconds above 0, up to 2147483647, got'],
    [{ sessionIdleMs: -1 }, 'sessionIdleMs: expected a number of milliseconds above 0'],
    [{ greeting: 'off' }, "serveHttp: greeting: expected 'on-a-terminal' or 'none', got the string"],
    [{ supervise: 'no' }, 'serveHttp: supervise: expected an object, got the string "no"'],
    [{ supervise: {} }, 'serveHttp: supervise.graceMs: expected a number, got nothing'],
    [{ port: 65_536 }, 'serveHttp: port: expected a port up to 65535, got the number 65536'],
    [{ requestMs: 0 }, 'serveHttp: requestMs: expected a number above 0, got the number 0'],
  ])('are refused before anything is opened: %j', async (options, message) => {
    const server = defineServer({ name: 's', version: '1' })
    await expect(serveHttp(server, options as never)).rejects.toThrow(message)
    await server.close()
  })
})
