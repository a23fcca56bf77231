import { once } from 'node:events'
import { request } from 'node:http'
import { connect } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { KernelEvent } from '../../src/kernel/index.ts'
import { type Answer, Host } from './host.ts'
import { callModern, modern, printRequest } from './messages.ts'
import { createSample } from './sample.ts'

let host: Host
beforeAll(async () => {
  host = await Host.start({ maxBodyBytes: 10_000 })
})
afterAll(() => host[Symbol.asyncDispose]())

const ok = (headers: { readonly [name: string]: string | undefined } = {}) =>
  modern('tools/list', {}, { headers })

function expectRefusal(answer: Answer, status: number, code = -32600): void {
  expect(answer.status, answer.text).toBe(status)
  expect(answer.headers['content-type']).toBe('application/json')
  expect(answer.message).toMatchObject({ jsonrpc: '2.0', error: { code } })
  expect(answer.text).not.toMatch(/<html|\bat .*\.[jt]s:/i)
}

/** The status, the content type and the body of the first answer in the bytes that came. */
function readRaw(text: string) {
  const [head = '', body = ''] = text.split('\r\n\r\n')
  return {
    status: Number(/^HTTP\/1\.1 (\d+)/.exec(head)?.[1]),
    type: /\r\ncontent-type: ([^\r]*)/i.exec(head)?.[1],
    allow: /\r\nallow: ([^\r]*)/i.exec(head)?.[1],
    closes: /\r\nconnection: close/i.test(head),
    message: JSON.parse(body),
  }
}

describe('the Host header', () => {
  it.each(['localhost', '127.0.0.1', '[::1]', 'LOCALHOST'])('may be %s at our port', async (name) => {
    expect((await host.send(ok({ host: `${name}:${host.port}` }))).status).toBe(200)
  })

  it.each([
    'evil.example',
    'evil.example:PORT',
    'localhost',
    'localhost:1',
    '127.0.0.1.evil.example:PORT',
    'localhost:PORT.evil.example',
    'user@localhost:PORT',
    '192.168.0.1:PORT',
    '::1',
  ])('may not be %s', async (name) => {
    expectRefusal(await host.send(ok({ host: name.replace('PORT', String(host.port)) })), 403)
  })

  it('must be there, once', async () => {
    const none = await host.dial('GET /mcp HTTP/1.1\r\nconnection: close\r\n\r\n')
    expect(readRaw(await none.all())).toMatchObject({ status: 400, type: 'application/json' })
    const own = `127.0.0.1:${host.port}`
    for (const [first, second] of [
      [own, 'evil.example'],
      ['evil.example', own],
      [own, own],
    ]) {
      const two = await host.dial(
        `GET /mcp HTTP/1.1\r\nHost: ${first}\r\nhost: ${second}\r\nconnection: close\r\n\r\n`,
      )
      expect(readRaw(await two.all()).status).toBe(403)
    }
  })

  it('may be one that was allowed, at any port or at one', async () => {
    await using named = await Host.start({ allowedHosts: ['mcp.example.com', 'Other.example.com:8443'] })
    const ask = async (name: string) => (await named.send(ok({ host: name }))).status
    expect(await ask('mcp.example.com')).toBe(200)
    expect(await ask('MCP.example.com:443')).toBe(200)
    expect(await ask('other.example.com:8443')).toBe(200)
    expect(await ask('other.example.com')).toBe(403)
    expect(await ask('evil.mcp.example.com')).toBe(403)
    expect(await ask('mcp.example.com.evil.example')).toBe(403)
    expect(await ask('mcp.example.comevil')).toBe(403)
    expect(await ask(`localhost:${named.port}`)).toBe(200)
  })
})

describe('an address', () => {
  it('that is our own is served in whole, and another is refused, whatever the Host header', async () => {
    const status = async (target: string, name: string) => {
      const wire = await host.dial(
        `GET ${target} HTTP/1.1\r\nHost: ${name}\r\nAccept: text/event-stream\r\nconnection: close\r\n\r\n`,
      )
      return readRaw(await wire.all())
    }
    const own = `127.0.0.1:${host.port}`
    const served = await status(`http://${own}/mcp?a=b`, 'evil.example')
    expect(served.message.error.message).toContain('Mcp-Session-Id header is missing')
    expect(await status('http://evil.example/mcp', own)).toMatchObject({ status: 403 })
    expect(await status(`http://${own}`, own)).toMatchObject({ status: 404 })
    expect(await status(`https://${own}/mcp`, own)).toMatchObject({ status: 404 })
  })

  it('of IPv4 is our own also where it is written in IPv6', async () => {
    await using mapped = await Host.start({ host: '::ffff:127.0.0.1', allowAnonymous: true })
    expect((await mapped.send(ok({ host: `127.0.0.1:${mapped.port}` }))).status).toBe(200)
    expect((await mapped.send(ok({ host: `[::ffff:127.0.0.1]:${mapped.port}` }))).status).toBe(403)
  })
})

describe('the Origin header', () => {
  it.each(['http://localhost:PORT', 'http://127.0.0.1:PORT', 'http://[::1]:PORT'])(
    'may be our own, %s',
    async (origin) => {
      const answer = await host.send(ok({ origin: origin.replace('PORT', String(host.port)) }))
      expect(answer.status).toBe(200)
      expect(Object.keys(answer.headers).filter((name) => name.startsWith('access-control'))).toEqual([])
    },
  )

  it.each(['http://evil.example', 'null', 'http://localhost:1', 'https://localhost:PORT', 'file://', ''])(
    'may not be %j',
    async (origin) => {
      for (const asked of [
        ok({ origin: origin.replace('PORT', String(host.port)) }),
        { method: 'GET', headers: { origin } },
        { method: 'OPTIONS', headers: { origin } },
        { method: 'GET', path: '/sse', headers: { origin } },
      ]) {
        const answer = await host.send(asked)
        expectRefusal(answer, 403)
        expect(Object.keys(answer.headers).filter((name) => name.startsWith('access-control'))).toEqual([])
      }
    },
  )
})

it('several Origins are none of ours, whichever comes first', async () => {
  const [own, other] = [`http://127.0.0.1:${host.port}`, 'http://evil.example']
  for (const origin of [
    [own, other],
    [other, own],
    [own, own],
  ]) {
    const { headers, ...asked } = ok()
    expectRefusal(await host.send({ ...asked, headers: { ...headers, origin } }), 403)
  }
})

describe('CORS', () => {
  const origin = 'https://app.example.com'

  it('is for the origins that were named, and for no other', async () => {
    await using named = await Host.start({ allowedOrigins: [origin] })
    const answer = await named.send(ok({ origin }))
    expect(answer.status).toBe(200)
    expect(answer.headers).toMatchObject({
      'access-control-allow-origin': origin,
      'access-control-expose-headers': 'Mcp-Session-Id, WWW-Authenticate',
      vary: 'Origin',
    })
    expectRefusal(await named.send(ok({ origin: 'https://app.example.com.evil.example' })), 403)
    const none = await named.send(ok())
    expect(none.headers).not.toHaveProperty('access-control-allow-origin')
  })

  it('answers the question a browser asks first', async () => {
    await using named = await Host.start({ allowedOrigins: [origin] })
    const headers = { origin, 'access-control-request-method': 'POST' }
    const answer = await named.send({ method: 'OPTIONS', headers })
    expect(answer.status).toBe(204)
    expect(answer.headers).toMatchObject({
      'access-control-allow-origin': origin,
      'access-control-allow-methods': 'POST, GET, DELETE, OPTIONS',
      'access-control-allow-headers':
        'Authorization, Content-Type, Accept, MCP-Protocol-Version, Mcp-Method, Mcp-Name, Mcp-Session-Id, Last-Event-ID, ' +
        'Mcp-Param-Region, Mcp-Param-Level, Mcp-Param-Dry, Mcp-Param-Zone',
    })
    expectRefusal(await named.send({ method: 'OPTIONS', headers: { origin: 'https://evil.example' } }), 403)
  })

  it('lets a page read refusals and streams too', async () => {
    await using named = await Host.start({ allowedOrigins: [origin] })
    const refused = await named.send({ headers: { origin }, body: '{' })
    expect(refused.status).toBe(400)
    expect(refused.headers['access-control-allow-origin']).toBe(origin)
    const events = await named.stream(
      modern('subscriptions/listen', { notifications: {} }, { headers: { origin } }),
    )
    expect(events.response.headers['access-control-allow-origin']).toBe(origin)
  })
})

describe('the media types', () => {
  it.each([
    'application/json',
    'application/json; charset=utf-8',
    'APPLICATION/JSON',
    'application/json;x=y',
  ])('may be %s', async (type) => {
    expect((await host.send(ok({ 'content-type': type }))).status).toBe(200)
  })

  it.each([
    undefined,
    'text/plain',
    'application/json-patch+json',
    'application/jsonp',
    'text/plain; application/json',
  ])('may not be %s', async (type) => {
    expectRefusal(await host.send(ok({ 'content-type': type })), 415)
  })

  it('leave no room for a compressed body', async () => {
    expectRefusal(await host.send(ok({ 'content-encoding': 'gzip' })), 415)
    expect((await host.send(ok({ 'content-encoding': 'identity' }))).status).toBe(200)
  })

  it.each([
    undefined,
    '*/*',
    'application/*, text/*',
    'text/event-stream;q=0.5, application/json',
    'TEXT/EVENT-STREAM, Application/JSON',
    'text/html, */*;q=0.1',
    'application/json',
    'application/json, text/event-stream;q=0',
    '*/*, text/event-stream; q=0.0',
  ])('are acceptable to %s', async (accept) => {
    expect((await host.send(ok({ accept }))).status).toBe(200)
  })

  it.each([
    'text/event-stream',
    'text/html',
    'text/event-stream, application/json;q=0',
    'application/json-seq, text/event-stream',
  ])('are not acceptable to %s', async (accept) => {
    expectRefusal(await host.send(ok({ accept })), 406)
  })
})

describe('paths and methods', () => {
  it.each(['/', '/mcp/', '/mcpx', '/MCP', '/mcp/../mcp', '//mcp', '/favicon.ico', '/__proto__', '/%6dcp'])(
    'there is nothing at %s',
    async (path) => {
      expectRefusal(await host.send({ ...ok(), path }), 404)
    },
  )

  it('a query makes no difference', async () => {
    expect((await host.send({ ...ok(), path: '/mcp?x=y' })).status).toBe(200)
  })

  it.each(['PUT', 'PATCH', 'TRACE', 'OPTIONS', 'PROPFIND'])('%s is not allowed', async (method) => {
    const answer = await host.send({ method })
    expectRefusal(answer, 405)
    expect(answer.headers['allow']).toBe('POST, GET, DELETE')
  })

  it('HEAD is not allowed', async () => {
    expect((await host.send({ method: 'HEAD' })).status).toBe(405)
  })

  it.each([
    ['CONNECT', 'CONNECT example.com:443 HTTP/1.1\r\nHost: example.com\r\n\r\n'],
    [
      'a WebSocket',
      'GET /mcp HTTP/1.1\r\nHost: 127.0.0.1:PORT\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n',
    ],
  ])('%s is not allowed', async (_what, text) => {
    const wire = await host.dial(text.replace('PORT', String(host.port)))
    const answer = readRaw(await wire.until(/\}$/))
    expect(answer).toMatchObject({ status: 405, type: 'application/json', allow: 'POST, GET, DELETE' })
    wire.socket.resetAndDestroy()
    expect((await host.send(ok())).status).toBe(200)
  })

  it('a client that breaks off as soon as it has been refused a tunnel ends nothing', async () => {
    const crashed: unknown[] = []
    const observe = (event: KernelEvent) => void (event.kind === 'crashed' && crashed.push(event.error))
    await using own = await Host.start({}, createSample({ observe }))
    const socket = connect(own.port, '127.0.0.1')
    socket.write('CONNECT example.com:443 HTTP/1.1\r\nHost: example.com\r\n\r\n')
    await once(socket, 'data')
    socket.resetAndDestroy()
    await once(socket, 'close')
    expect((await own.send(ok())).status).toBe(200)
    expect(crashed).toEqual([])
  })

  it('a client that would rather speak HTTP/2 is answered in HTTP/1.1', async () => {
    const headers = { connection: 'Upgrade, HTTP2-Settings', upgrade: 'h2c', 'http2-settings': 'AAMAAABkAAQ' }
    expect((await host.send(ok(headers))).status).toBe(200)
  })
})

describe('a body', () => {
  it('that is too large is refused before it is read', async () => {
    const wire = await host.dial(
      `POST /mcp HTTP/1.1\r\nHost: localhost:${host.port}\r\nContent-Type: application/json\r\nContent-Length: 10001\r\n\r\n`,
    )
    expect(readRaw(await wire.all())).toMatchObject({ status: 413, type: 'application/json', closes: true })
  })

  it('that is too large is refused while it comes in pieces, and nothing more is taken', async () => {
    const wire = await host.dial(
      `POST /mcp HTTP/1.1\r\nHost: localhost:${host.port}\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n`,
    )
    const chunk = `2000\r\n${'x'.repeat(0x2000)}\r\n`
    const sending = setInterval(() => wire.write(chunk), 1)
    const answer = readRaw(await wire.all())
    clearInterval(sending)
    expect(answer).toMatchObject({ status: 413, type: 'application/json', closes: true })
  })

  it('that is far too large does not keep a client from its answer', async () => {
    const answer = await host.send({ ...ok(), body: new Uint8Array(20_000_000) })
    expectRefusal(answer, 413)
  })

  it('is asked for only when it may come', async () => {
    const ask = (length: number) =>
      new Promise<readonly [boolean, number]>((resolve, reject) => {
        const { headers, body } = ok()
        const text = JSON.stringify(body).padEnd(length)
        let continued = false
        const sent = request({
          port: host.port,
          method: 'POST',
          path: '/mcp',
          agent: false,
          headers: {
            'content-type': 'application/json',
            expect: '100-continue',
            'content-length': text.length,
            ...(headers as { readonly [name: string]: string }),
          },
        })
        sent.on('error', reject)
        sent.on('continue', () => {
          continued = true
          sent.end(text)
        })
        sent.on('response', (response) => {
          response.resume()
          resolve([continued, response.statusCode ?? 0])
          if (!continued) sent.destroy()
        })
        sent.flushHeaders()
      })
    expect(await ask(1000)).toEqual([true, 200])
    expect(await ask(20_000)).toEqual([false, 413])
    expectRefusal(await host.send(ok({ expect: 'miracles' })), 417)
  })

  it('must be UTF-8', async () => {
    expectRefusal(
      await host.send({ ...ok(), body: Buffer.from('{"jsonrpc":"2.0","id":"\xff"}', 'latin1') }),
      400,
      -32700,
    )
  })

  it.each(['', '{', 'nothing', '{"jsonrpc":"2.0",}'])('that is %j is no JSON', async (body) => {
    expectRefusal(await host.send({ ...ok(), body }), 400, -32700)
  })

  it.each([
    ['null', undefined],
    ['"text"', undefined],
    ['{}', undefined],
    ['{"jsonrpc":"1.0","id":3,"method":"ping"}', 3],
    ['{"jsonrpc":"2.0","id":1.5,"method":"ping"}', undefined],
    ['[]', undefined],
  ])('that is %s is no message', async (body, id) => {
    const answer = await host.send({ ...ok(), body })
    expectRefusal(answer, 400)
    expect(answer.message.id).toBe(id)
  })

  it('that is nested too deep is refused', async () => {
    expectRefusal(await host.send({ ...ok(), body: '['.repeat(5000) }), 400)
  })

  it('that breaks off does no harm', async () => {
    for (let count = 0; count < 20; count++) {
      const wire = await host.dial(
        `POST /mcp HTTP/1.1\r\nHost: localhost:${host.port}\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{"json`,
      )
      if (count % 2 === 0) wire.socket.resetAndDestroy()
      else wire.socket.end()
    }
    expect((await host.send(ok())).status).toBe(200)
  })
})

describe('a connection', () => {
  it.each([
    ['its headers', 'POST /mcp HTTP/1.1\r\nHost: localhost\r\n'],
    [
      'its body',
      'POST /mcp HTTP/1.1\r\nHost: localhost:PORT\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{',
    ],
    ['anything', ''],
  ])('that is slow to send %s is cut off and holds nobody up', async (_what, text) => {
    await using slow = await Host.start({ requestMs: 100 })
    const wires = await Promise.all(
      Array.from({ length: 50 }, () => slow.dial(text.replace('PORT', String(slow.port)))),
    )
    expect((await slow.send(ok())).status).toBe(200)
    for (const wire of wires) {
      expect(readRaw(await wire.all())).toMatchObject({ status: 408, type: 'application/json', closes: true })
    }
  })

  it('with very large headers is refused', async () => {
    expectRefusal(await host.send(ok({ 'x-large': 'x'.repeat(20_000) })), 431)
  })

  it('says for how long it may be used again', async () => {
    const wire = await host.dial(printRequest(host, modern('server/discover')))
    expect(await wire.until(/\r\n\r\n/)).toMatch(/\r\nKeep-Alive: timeout=65\r\n/)
  })

  it('that speaks no HTTP after a request has that answered, and nothing else', async () => {
    await using host = await Host.start()
    const heard = await (
      await host.dial(`${printRequest(host, callModern('echo', { text: 'good' }))}garbage\r\n\r\n`)
    ).all()
    expect(heard).toMatch(/^HTTP\/1.1 200 [\s\S]*"text":"good"/)
    expect(heard).not.toContain('400')
  })

  it('that speaks no HTTP after a request which was answered at once has that answer', async () => {
    const wire = await host.dial(
      `GET /nowhere HTTP/1.1\r\nhost: 127.0.0.1:${host.port}\r\n\r\ngarbage\r\n\r\n`,
    )
    expect(await wire.all()).toMatch(/^HTTP\/1.1 404 /)
  })

  it('that speaks no HTTP is refused', async () => {
    const wire = await host.dial('\x16\x03\x01 hello\r\n\r\n')
    expect(readRaw(await wire.all())).toMatchObject({ status: 400, type: 'application/json', closes: true })
  })

  it('has its requests answered in their order', async () => {
    const ids = Array.from({ length: 20 }, (_one, index) => index)
    const wire = await host.dial(
      ids.map((id) => printRequest(host, modern('server/discover', {}, { id }))).join(''),
    )
    const text = await wire.until(/"id":19\b/)
    expect([...text.matchAll(/"id":(\d+)/g)].map(([, id]) => Number(id))).toEqual(ids)
  })

  it('has its requests answered in their order when the first takes long', async () => {
    const wire = await host.dial(
      printRequest(host, callModern('talk', {}, { id: 1 })) +
        printRequest(host, callModern('echo', {}, { id: 2 })),
    )
    const talk = await host.talk()
    talk.finish()
    const text = await wire.until(/"id":2\b/)
    expect([...text.matchAll(/"id":(\d+)/g)].map(([, id]) => id)).toEqual(['1', '2'])
  })

  it('on which garbage follows a stream is closed, and the stream is not written into', async () => {
    const wire = await host.dial(printRequest(host, modern('subscriptions/listen', { notifications: {} })))
    await wire.until(/acknowledged/)
    wire.write('garbage\r\n\r\n')
    expect(await wire.all()).not.toContain('HTTP/1.1 400')
  })

  it('can be used a thousand times', async () => {
    const wire = await host.dial()
    for (let id = 1; id <= 1000; id++) {
      wire.write(printRequest(host, callModern('echo', {}, { id })))
      await wire.until(new RegExp(`"id":${id}\\b`))
    }
    expect((await wire.until(/"id":1000\b/)).match(/HTTP\/1.1 200/g)).toHaveLength(1000)
  })

  it('that is closed on one side gets the answer that was ready', async () => {
    const wire = await host.dial(printRequest(host, callModern('echo', { text: 'still here' })))
    wire.socket.end()
    expect(await wire.all()).toContain('still here')
  })
})
