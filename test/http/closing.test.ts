import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { connect, createServer } from 'node:net'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { serveHttp } from '../../src/index.ts'
import { BUDGET_NAMES } from '../../src/kernel/index.ts'
import { Host } from './host.ts'
import { call, callModern, getStream, modern, openSession, printRequest, textOf } from './messages.ts'
import { createSample } from './sample.ts'

/** What a call is answered that was at work when the grace went by. */
const LOST = { code: -32603, message: expect.stringContaining('is closing: it may have been') }

const list = { jsonrpc: '2.0', id: 2, method: 'tools/list' }

describe('a server that closes', () => {
  it('lets calls finish, ends streams, and takes nothing new', async () => {
    await using host = await Host.start()
    const headers = await openSession(host)
    const standing = await host.stream(getStream(headers))
    const pair = await host.stream({ method: 'GET', path: '/sse' })
    await pair.event()
    const listening = await host.stream(modern('subscriptions/listen', { notifications: {} }))
    const streaming = host.stream({ headers, body: call(1, 'talk', {}, { progressToken: 1 }) })
    const first = await host.talk()
    first.call.progress(1)
    const waiting = host.send(callModern('talk'))
    const second = await host.talk()
    const closing = host.http.close()
    expect((await listening.rest()).map((one) => one.id)).toEqual([undefined, 1])
    await expect(host.send(modern('tools/list'))).rejects.toThrow()
    first.finish('first')
    second.finish('second')
    expect(textOf((await (await streaming).rest()).at(-1))).toBe('first')
    expect(textOf((await waiting).message)).toBe('second')
    expect((await waiting).headers['connection']).toBe('close')
    expect(await closing).toBe(true)
    expect(await standing.rest()).toEqual([])
    expect(await pair.rest()).toEqual([])
  })

  it('counts no longer among what its server uses', async () => {
    const { server } = createSample()
    const gauges = () => BUDGET_NAMES.map((name) => [name, server.usage.read(name)])
    const before = gauges()
    for (const length of [5000, 50]) {
      const { url, close } = await serveHttp(server, { port: 0 })
      const body = JSON.stringify({ ...list, params: { filler: 'x'.repeat(length) } })
      await fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body })
      expect(server.usage.read('maxBodyBytes')).toBe(body.length)
      await close()
    }
    expect(gauges()).toEqual(before)
  })

  it('tells whoever listens when calls are left after the grace', async () => {
    await using host = await Host.start()
    const headers = await openSession(host)
    const standing = await host.stream(getStream(headers))
    host.send({ headers, body: call(1, 'talk') }).catch(() => {}) // It is cut off, which is what this is about.
    await host.talk()
    expect(await host.http.close(20)).toBe(false)
    const [notice] = await standing.rest()
    expect(notice).toMatchObject({
      method: 'notifications/message',
      params: { level: 'error', data: 'The server stops with calls still under way' },
    })
  })

  it('answers a call that it does not wait for with an error, which says whether to call again', async () => {
    await using host = await Host.start()
    const headers = await openSession(host)
    const asked = host.send({ headers, body: call(1, 'talk') })
    await host.talk()
    expect(await host.http.close(20)).toBe(false)
    const { status, message } = await asked
    expect([status, message]).toMatchObject([200, { id: 1, error: { code: -32603, data: { retry: false } } }])
  })

  it('says so on the stream of such a call as well', async () => {
    await using host = await Host.start()
    const headers = await openSession(host)
    const streaming = host.stream({ headers, body: call(1, 'talk', {}, { progressToken: 1 }) })
    const { call: talking } = await host.talk()
    talking.progress(1)
    expect(await host.http.close(20)).toBe(false)
    expect((await (await streaming).rest()).at(-1)).toMatchObject({ id: 1, error: { code: -32603 } })
  })

  it.each([
    ['to a call of no session in JSON', callModern('talk')],
    ['to one on its stream', callModern('talk', {}, { meta: { progressToken: 1 } })],
  ])('says so %s', async (_which, request) => {
    await using host = await Host.start()
    const asked = host.send(request)
    const { call: talking } = await host.talk()
    talking.progress(1)
    expect(await host.http.close(20)).toBe(false)
    const { status, text } = await asked
    expect([status, JSON.parse(text.split('data: ').at(-1) ?? '')]).toMatchObject([
      200,
      { id: 1, error: LOST },
    ])
  })

  it.each([
    ['in JSON', {}],
    ['on a stream', { progressToken: 1 }],
    ['of no session', {}],
  ])('answers a batch %s with what is ready, and the rest with errors', async (how, meta) => {
    await using host = await Host.start({ sessionless: 'served' })
    const headers = how === 'of no session' ? {} : await openSession(host, '2025-03-26')
    const calls = [call(1, 'talk', {}, meta), call(2, 'echo', { text: 'done' }), call(3, 'talk')]
    const asked = host.send({ headers, body: calls })
    const first = await host.talk()
    await host.talk()
    first.call.progress(1)
    expect(await host.http.close(20)).toBe(false)
    const { text } = await asked
    const [, data = text] = /^data: (\[.*)$/m.exec(text) ?? []
    const replies = JSON.parse(data) as { readonly id: number }[]
    expect(replies.toSorted((one, other) => one.id - other.id)).toMatchObject([
      { id: 1, error: LOST },
      { id: 2, result: { content: [{ text: 'done' }] } },
      { id: 3, error: LOST },
    ])
  })

  it('refuses further requests on connections that are open', async () => {
    await using host = await Host.start()
    const wire = await host.dial(printRequest(host, callModern('talk')))
    const talk = await host.talk()
    const closing = host.http.close()
    wire.write(printRequest(host, callModern('echo', { text: 'not any more' })))
    talk.finish('still')
    expect(await closing).toBe(true)
    const text = await wire.all()
    expect(text).toContain('still')
    expect(text).not.toContain('not any more')
  })

  it('does not cut off a large answer', async () => {
    await using host = await Host.start()
    const wire = await host.dial(printRequest(host, callModern('big', { bytes: 20_000_000 })))
    await wire.until(/xxx/) // A request that the server has not seen yet may be cut off.
    const closed = host.http.close()
    const heard = await wire.all()
    const body = heard.replaceAll(/\r\n[\da-f]+\r\n/g, '') // It comes in chunks, the sizes of which stand between.
    expect(body.lastIndexOf('xxx') - body.indexOf('xxx')).toBe(20_000_000 - 3)
    expect(await closed).toBe(true)
  })

  it('does not wait for requests that were never sent in full', async () => {
    await using host = await Host.start()
    const head = `POST /mcp HTTP/1.1\r\nhost: 127.0.0.1:${host.port}\r\ncontent-type: application/json\r\n`
    const inHead = await host.dial(head)
    const inBody = await host.dial(`${head}content-length: 100\r\n\r\n{`)
    const behind = await host.dial(printRequest(host, callModern('talk')))
    const talk = await host.talk()
    behind.write(`${head}content-length: 100\r\n\r\n{`)
    const { usage } = host.sample.server
    await expect.poll(() => usage.read('maxPipelined')).toBe(1)
    await expect.poll(() => usage.read('maxArrivingBytes')).toBeGreaterThan(700) // Three heads, and two bytes.
    const closed = host.http.close(20_000)
    expect(await inBody.all()).toMatch(/^HTTP\/1.1 503 [\s\S]*"message":"Service unavailable: /)
    talk.finish('still')
    expect(await closed).toBe(true)
    expect(await behind.all()).toMatch(/^HTTP\/1.1 200 [\s\S]*still/)
    expect(await inHead.all()).toBe('')
  })

  it('waits for nobody who leaves meanwhile', async () => {
    await using host = await Host.start()
    const socket = connect(host.port, '127.0.0.1').pause()
    socket.write(printRequest(host, callModern('big', { bytes: 50_000_000 })))
    const { usage } = host.sample.server
    await expect.poll(() => usage.read('maxUnsentBytes')).toBeGreaterThan(0)
    const closed = host.http.close()
    await setImmediate()
    socket.destroy()
    expect(await closed).toBe(true)
  })

  it('waits for nobody who would have to be asked', async () => {
    await using host = await Host.start()
    const headers = await openSession(host, '2025-06-18', { elicitation: {} })
    const events = await host.stream({ headers, body: call(1, 'ask') })
    await events.next()
    expect(await host.http.close()).toBe(true)
    expect((await events.rest()).at(-1)).toMatchObject({ id: 1, result: { isError: true } })
  })

  it('ends what hangs when it is late', async () => {
    await using host = await Host.start()
    const headers = await openSession(host)
    const inSession = host.send({ headers, body: call(1, 'talk') }).catch(() => 'cut off')
    const first = await host.talk()
    const alone = host.send(callModern('talk')).catch(() => 'cut off')
    const second = await host.talk()
    expect(await host.http.close(50)).toBe(false)
    expect(first.call.aborted).toBe(true)
    expect(second.call.aborted).toBe(true)
    expect(host.sample.server.listeners.size).toBe(0)
    await inSession
    await alone
    await expect(host.send({ headers, body: list })).rejects.toThrow()
  })

  it('can be closed twice', async () => {
    await using host = await Host.start()
    expect(await Promise.all([host.http.close(), host.http.close()])).toEqual([true, true])
  })

  it('leaves nothing behind that keeps the process up', async () => {
    const child = spawn(process.execPath, [join(import.meta.dirname, 'close-and-exit.mjs')])
    try {
      let output = ''
      child.stdout.on('data', (chunk) => {
        output += chunk
      })
      child.stderr.on('data', (chunk) => {
        output += chunk
      })
      const [code] = await once(child, 'close')
      expect([code, output]).toEqual([0, 'closed true\n'])
    } finally {
      child.kill('SIGKILL')
    }
  })
})

describe('a server that starts', () => {
  it('does not let in the world unless told to', async () => {
    const { server } = createSample()
    await expect(serveHttp(server, { host: '0.0.0.0' })).rejects.toThrow(/host: 0\.0\.0\.0 can be reached/)
    await expect(serveHttp(server, { host: '::' })).rejects.toThrow(/host: :: can be reached/)
    const open = await serveHttp(server, { host: '0.0.0.0', allowAnonymous: true })
    await open.close(0)
  })

  it('says where it is', async () => {
    await using host = await Host.start({ path: '/else' })
    expect(host.http.url).toBe(`http://127.0.0.1:${host.port}/else`)
    expect((await host.send({ ...modern('tools/list'), path: '/else' })).status).toBe(200)
  })

  it('says so when its port is taken', async () => {
    const taken = createServer().listen(0, '127.0.0.1')
    await once(taken, 'listening')
    const { port } = taken.address() as { readonly port: number }
    await expect(serveHttp(createSample().server, { port })).rejects.toThrow(
      `port: ${port} is in use already on 127.0.0.1: take another, or 0 for any that is free`,
    )
    taken.close()
  })

  it('says so when there is no such address', async () => {
    await expect(
      serveHttp(createSample().server, { host: '127.0.0.300', allowAnonymous: true }),
    ).rejects.toThrow('host: cannot listen on 127.0.0.300')
  })
})

describe('a reader that stops reading its last answer', () => {
  it('is not waited for', async () => {
    await using host = await Host.start({ requestMs: 200 })
    const socket = connect(host.port, '127.0.0.1')
    socket.on('error', () => {})
    const closed = once(socket, 'close')
    let length = 0
    socket.on('data', (chunk: Buffer) => {
      if (length === 0) socket.pause()
      length += chunk.length
    })
    socket.write(printRequest(host, callModern('big', { bytes: 50_000_000 })))
    await once(socket, 'pause')
    const { usage } = host.sample.server
    await expect.poll(() => usage.read('maxConnections')).toBe(0)
    socket.resume()
    await closed
    expect(length).toBeLessThan(50_000_000)
  })

  it('does not hold up a server that closes, also where further answers would follow', async () => {
    await using host = await Host.start()
    const socket = connect(host.port, '127.0.0.1').pause()
    socket.on('error', () => {}) // To be cut off is what is expected.
    socket.write(printRequest(host, callModern('big', { bytes: 5_000_000 })).repeat(5))
    await expect.poll(() => host.sample.server.usage.read('maxUnsentBytes')).toBeGreaterThan(0)
    expect(await host.http.close(60_000)).toBe(true)
    socket.destroy()
  }, 30_000)
})

it('tells that answers were not taken when it is late', async () => {
  await using host = await Host.start()
  const socket = connect(host.port, '127.0.0.1').pause()
  socket.on('error', () => {}) // To be cut off is what is expected.
  socket.write(printRequest(host, callModern('big', { bytes: 50_000_000 })))
  await expect.poll(() => host.sample.server.usage.read('maxUnsentBytes')).toBeGreaterThan(0)
  expect(await host.http.close(20)).toBe(false)
  socket.destroy()
})

it('answers whoever had connected when it was told to close, and had yet to say what it wants', async () => {
  await using host = await Host.start()
  const wire = await host.dial()
  await expect.poll(async () => host.sample.server.usage.read('maxConnections')).toBe(1)
  const closed = host.http.close()
  wire.write(printRequest(host, modern('tools/list')))
  expect(await wire.all()).toContain('HTTP/1.1 200 OK')
  expect(await closed).toBe(true)
})
