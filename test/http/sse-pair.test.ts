import { once } from 'node:events'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { SSEClientTransport } from '@modelcontextprotocol/sdk/client/sse.js'
import { describe, expect, it } from 'vitest'
import { type Events, Host } from './host.ts'
import { call, INITIALIZED, initialize, printRequest, textOf } from './messages.ts'

const OPEN = { method: 'GET', path: '/sse', headers: { accept: 'text/event-stream' } }

/** Opens the stream and makes the handshake; gives where to post. */
async function openPair(host: Host, capabilities: object = {}): Promise<readonly [Events, string]> {
  const events = await host.stream(OPEN)
  const endpoint = await events.event()
  expect(endpoint).toMatchObject({ event: 'endpoint' })
  const path = endpoint?.data ?? ''
  expect((await host.send({ path, body: initialize('2024-11-05', capabilities) })).status).toBe(202)
  expect(await events.next()).toMatchObject({ id: 'open', result: { protocolVersion: '2024-11-05' } })
  await host.send({ path, body: INITIALIZED })
  return [events, path]
}

describe('the pair of 2024-11-05', () => {
  it('says where to post, and answers on the stream', async () => {
    await using host = await Host.start()
    const [events, path] = await openPair(host)
    expect(path).toMatch(/^\/messages\?sessionId=[\x21-\x7e]{20,}$/)
    const accepted = await host.send({ path, body: call(1, 'echo', { text: 'hi' }) })
    expect([accepted.status, accepted.text]).toEqual([202, 'Accepted'])
    const answer = await events.event()
    expect(answer).toMatchObject({ event: 'message' })
    expect(answer).not.toHaveProperty('id')
    expect(textOf(JSON.parse(answer?.data ?? ''))).toBe('hi')
  })

  it('takes what one connection says in its order, also behind something large', async () => {
    await using host = await Host.start()
    const [events, path] = await openPair(host)
    const say = (id: number, text: string) => printRequest(host, { path, body: call(id, 'echo', { text }) })
    const wire = await host.dial()
    wire.write([say(1, 'x'.repeat(100_000)), say(2, 'b'), say(3, 'c'), say(4, 'd')].join(''))
    const heard = [await events.next(), await events.next(), await events.next(), await events.next()]
    expect(heard.map((answer) => answer?.id)).toEqual([1, 2, 3, 4])
    wire.socket.destroy()
  })

  it('counts the bodies of its messages', async () => {
    await using host = await Host.start()
    const [, path] = await openPair(host)
    await host.send({ path, body: call(1, 'echo', { text: 'x'.repeat(5000) }) })
    expect(host.sample.server.usage.read('maxBodyBytes')).toBeGreaterThan(5000)
  })

  it('brings notices, questions and late answers', async () => {
    await using host = await Host.start()
    const [events, path] = await openPair(host, { sampling: {} })
    host.sample.server.tools.add({ name: 'extra', run: () => '' })
    expect(await events.next()).toMatchObject({ method: 'notifications/tools/list_changed' })
    await host.send({ path, body: call(1, 'talk', {}, { progressToken: 1 }) })
    const talk = await host.talk()
    talk.call.progress(1)
    expect(await events.next()).toMatchObject({ method: 'notifications/progress' })
    await host.send({ path, body: call(2, 'think') })
    const question = await events.next()
    expect(question?.method).toBe('sampling/createMessage')
    const thought = { role: 'assistant', model: 'm', content: { type: 'text', text: 'Hm' } }
    await host.send({ path, body: { jsonrpc: '2.0', id: question?.id, result: thought } })
    expect(await events.next()).toMatchObject({ id: 2 })
    talk.finish()
    expect(await events.next()).toMatchObject({ id: 1 })
  })

  it('ends with its stream', async () => {
    await using host = await Host.start()
    const [events, path] = await openPair(host)
    await host.send({ path, body: call(1, 'talk') })
    const { call: running } = await host.talk()
    const aborted = once(running.signal, 'abort')
    events.destroy()
    await aborted
    expect((await host.send({ path, body: call(2, 'echo') })).status).toBe(404)
    expect(host.sample.server.listeners.size).toBe(0)
  })

  it.each([
    ['no session', '/messages', 400],
    ['an unknown session', '/messages?sessionId=unknown', 404],
  ])('refuses a POST with %s', async (_what, path, status) => {
    await using host = await Host.start()
    const answer = await host.send({ path, body: call(1, 'echo') })
    expect(answer.status).toBe(status)
    expect(answer.message.error?.code).toBe(-32600)
  })

  it('says on the stream that a closing server no longer works on a call', async () => {
    await using host = await Host.start()
    const [events, path] = await openPair(host)
    await host.send({ path, body: call('one', 'talk') })
    await host.send({ path, body: call('two', 'talk') })
    await host.talk()
    await host.talk()
    expect(await host.http.close(20)).toBe(false)
    const lost = { code: -32603, message: expect.stringContaining('is closing: it may have been') }
    const answers = (await events.rest()).filter(({ method }) => method === undefined)
    expect(answers).toMatchObject([
      { id: 'one', error: lost },
      { id: 'two', error: lost },
    ])
  })

  it('refuses what is no message', async () => {
    await using host = await Host.start()
    const [, path] = await openPair(host)
    const answer = await host.send({ path, body: '{' })
    expect(answer.status).toBe(400)
    expect(answer.message).toMatchObject({ id: null, error: { code: -32700 } })
    const headers = { 'content-type': 'text/plain' }
    expect((await host.send({ path, headers, body: call(1, 'echo') })).status).toBe(415)
  })

  it('has one method at each of its two places', async () => {
    await using host = await Host.start()
    expect((await host.send({ path: '/sse', body: {} })).headers['allow']).toBe('GET')
    expect((await host.send({ method: 'GET', path: '/messages' })).headers['allow']).toBe('POST')
    expect((await host.send({ ...OPEN, headers: { accept: 'text/html' } })).status).toBe(406)
  })

  it('can be left out', async () => {
    await using host = await Host.start({ ssePair: false })
    expect((await host.send(OPEN)).status).toBe(404)
  })

  it('serves the official client', async () => {
    await using host = await Host.start()
    const client = new Client({ name: 'test', version: '1' })
    const transport = new SSEClientTransport(new URL(`http://127.0.0.1:${host.port}/sse`))
    await client.connect(transport)
    expect((await client.listTools()).tools).toHaveLength(6)
    const result = await client.callTool({ name: 'echo', arguments: { text: 'hi' } })
    expect(result.content).toEqual([{ type: 'text', text: 'hi' }])
    await client.close()
  })
})
