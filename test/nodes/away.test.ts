import { describe, expect, it } from 'vitest'
import type { Store } from '../../src/kernel/index.ts'
import { call, getStream, initialize, openSession, textOf } from '../http/messages.ts'
import { TwoNodes } from './two-nodes.ts'

/** A store that can be out of reach. */
class Weather {
  away = false

  readonly wrap = (store: Store): Store =>
    new Proxy(store, {
      get: (target, name) => {
        const value = Reflect.get(target, name)
        if (typeof value !== 'function') return value
        if (name === 'trouble') return () => (this.away ? 'it is out of reach' : undefined)
        return (...given: unknown[]) =>
          this.away && name !== 'close'
            ? Promise.reject(new Error('it is out of reach'))
            : Reflect.apply(value, target, given)
      },
    })
}

describe('while the store is out of reach', () => {
  it('sessions that are in use go on, and nothing else is promised', async () => {
    const weather = new Weather()
    await using nodes = await TwoNodes.start({}, weather.wrap)
    const { a, b } = nodes
    const headers = await openSession(a)
    await openSession(b)
    weather.away = true
    const known = await a.send({ headers, body: call(1, 'echo', { text: 'still here' }) })
    expect(textOf(known.message)).toBe('still here')
    const messages = `/messages?sessionId=0123456789.${headers['mcp-session-id']}`
    for (const [asked, id] of [
      [a.send({ body: initialize() }), 'open'],
      [b.send({ headers, body: call(2, 'echo') }), 2],
      [b.send({ path: messages, body: call(4, 'echo') }), 4],
      [b.send(getStream(headers, '0:1')), null],
      [b.send({ method: 'GET', path: '/sse', headers: { accept: 'text/event-stream' } }), null],
    ] as const) {
      const refused = await asked
      expect(refused.status).toBe(503)
      expect(refused.headers['retry-after']).toBe('2')
      expect(refused.message.error?.message).toContain('cannot be had right now')
      expect(refused.message.id ?? null).toBe(id)
    }
    weather.away = false
    expect((await b.send({ headers, body: call(3, 'echo') })).status).toBe(200)
  })

  it('what a session agrees on is kept by its node, and written down later', async () => {
    const weather = new Weather()
    await using nodes = await TwoNodes.start({}, weather.wrap)
    const headers = await openSession(nodes.a)
    weather.away = true
    const level = { jsonrpc: '2.0', id: 1, method: 'logging/setLevel', params: { level: 'emergency' } }
    expect((await nodes.a.send({ headers, body: level })).status).toBe(200)
    weather.away = false
    await nodes.a.send({ headers, body: call(2, 'echo') })
    const heard = await nodes.b.send({ headers, body: call(3, 'big', { notices: 1 }) })
    expect(heard.headers['content-type']).toBe('application/json')
  })

  it('what a session agrees on is there for other nodes when the store is back, whoever is asked next', async () => {
    const weather = new Weather()
    await using nodes = await TwoNodes.start({}, weather.wrap)
    const headers = await openSession(nodes.a)
    weather.away = true
    const level = { jsonrpc: '2.0', id: 1, method: 'logging/setLevel', params: { level: 'emergency' } }
    expect((await nodes.a.send({ headers, body: level })).status).toBe(200)
    weather.away = false
    const typeOnB = async () =>
      (await nodes.b.send({ headers, body: call(2, 'big', { notices: 1 }) })).headers['content-type']
    await expect.poll(typeOnB, { timeout: 10_000 }).toBe('application/json')
  })

  it('a stream is let go rather than told what could not be had again, and goes on afterwards', async () => {
    const weather = new Weather()
    await using nodes = await TwoNodes.start({}, weather.wrap)
    const headers = await openSession(nodes.a)
    const coming = nodes.a.stream({ headers, body: call(1, 'talk', {}, { progressToken: 1 }) })
    const talk = await nodes.a.talk()
    talk.call.progress(1)
    const events = await coming
    expect((await events.next())?.params?.['progress']).toBe(1)
    weather.away = true
    talk.call.progress(2)
    const before = (await events.rest()).map(({ params }) => params?.['progress'])
    talk.call.progress(3)
    weather.away = false
    talk.finish('end')
    const again = await nodes.b.stream(getStream(headers, events.lastId))
    const rest = await again.rest()
    const steps = rest.flatMap(({ params }) => (params === undefined ? [] : [params['progress']]))
    expect([...before, ...steps]).toEqual([2, 3])
    expect(textOf(rest.at(-1))).toBe('end')
  })
})
