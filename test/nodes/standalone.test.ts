import { describe, expect, it } from 'vitest'
import type { Store } from '../../src/index.ts'
import type { Events, Host } from '../http/host.ts'
import { call, getStream, openSession } from '../http/messages.ts'
import { createSample } from '../http/sample.ts'
import { TwoNodes } from './two-nodes.ts'

const PATIENCE = { timeout: 20_000 }

/** Has a node say something that belongs to no call; what says it waits for the stream to be used here, or not. */
async function say(host: Host, headers: object, data: string): Promise<void> {
  const done = host.send({ headers: { ...headers, accept: 'application/json' }, body: call(data, 'talk') })
  const talk = await host.talk()
  talk.call.link.log('error', data)
  talk.finish()
  await done
}

/** A store by which a node never hears that a stream is on another. */
function deafTo(kind: string, store: Store): Store {
  const subscribe: Store['subscribe'] = (topic, listener, missed) => {
    const hear: typeof listener = (said) => {
      if (!JSON.stringify(said).includes(kind)) listener(said)
    }
    return store.subscribe(topic, hear, missed)
  }
  return new Proxy(store, {
    get(target, name: keyof Store) {
      if (name === 'subscribe') return subscribe
      const member: unknown = target[name]
      return typeof member === 'function' ? member.bind(target) : member
    },
  })
}

const data = async (stream: Events) => (await stream.next())?.params?.['data']

describe('the stream of what belongs to no call', () => {
  it('goes on with its numbers when it is opened anew on another node', async () => {
    await using nodes = await TwoNodes.start()
    const { a, b } = nodes
    const headers = await openSession(a)
    const first = await a.stream(getStream(headers))
    for (const text of ['1', '2', '3']) await say(a, headers, text)
    for (const text of ['1', '2', '3']) expect(await data(first)).toBe(text)
    first.destroy()
    await b.send({ headers, body: call(0, 'echo') })
    const second = await b.stream(getStream(headers))
    await say(b, headers, '4')
    expect(await data(second)).toBe('4')
    second.destroy()
    const third = await a.stream(getStream(headers, second.lastId))
    await say(a, headers, '5')
    const heard: unknown[] = []
    while (!heard.includes('5')) heard.push(await data(third))
    expect(heard.filter((one) => one !== undefined)).toEqual(['5'])
  })

  it('goes on with its numbers where its client comes back before the node knows that it was away', async () => {
    await using nodes = await TwoNodes.start({}, (store) => deafTo('"held"', store))
    const { a, b } = nodes
    const headers = await openSession(a)
    const first = await a.stream(getStream(headers))
    await say(a, headers, '1')
    expect(await data(first)).toBe('1')
    const second = await b.stream(getStream(headers, first.lastId))
    for (const text of ['2', '3']) await say(b, headers, text)
    for (const text of ['2', '3']) while ((await data(second)) !== text);
    const third = await a.stream(getStream(headers, second.lastId))
    expect(third.response.statusCode).toBe(200)
    await say(a, headers, '4')
    const heard: unknown[] = []
    while (!heard.includes('4')) heard.push(await data(third))
    expect(heard.filter((one) => one !== undefined)).toEqual(['4'])
  })

  it('is kept for a client that lost it, also when it goes on elsewhere meanwhile', async () => {
    await using nodes = await TwoNodes.start()
    const { a, b } = nodes
    const headers = await openSession(a)
    const first = await a.stream(getStream(headers))
    for (const text of ['1', '2', '3']) await say(a, headers, text)
    expect(await data(first)).toBe('1')
    const seen = String(first.lastId)
    first.destroy()
    const second = await b.stream(getStream(headers, seen))
    await second.event()
    second.destroy()
    await say(b, headers, '4')
    const third = await b.stream(getStream(headers, seen))
    const heard: unknown[] = []
    while (!heard.includes('4')) heard.push(await data(third))
    expect(heard.filter((one) => one !== undefined)).toEqual(['2', '3', '4'])
  })

  it('is not forgotten by the node that had it before', async () => {
    await using nodes = await TwoNodes.start({ eventsTtlMs: 1500 })
    const { a, b } = nodes
    const headers = await openSession(a)
    const first = await a.stream(getStream(headers))
    await say(a, headers, '1')
    expect(await data(first)).toBe('1')
    const second = await b.stream(getStream(headers, first.lastId))
    await expect.poll(() => first.response.destroyed || first.response.complete, PATIENCE).toBe(true)
    const { store } = b.sample.server.platform
    const log = `events/${headers['mcp-session-id']}/0`
    for (let number = 2; number <= 6; number++) {
      await say(b, headers, String(number))
      await new Promise((resolve) => setTimeout(resolve, 600))
    }
    expect((await store.read(log, 0, 10)).length).toBeGreaterThan(2)
    second.destroy()
  }, 30_000)

  it('is on the node that its client came to last, whatever their clocks say', async () => {
    let ahead = 0
    const start = (given: Parameters<typeof createSample>[0]) => {
      const sample = createSample(given)
      const { platform } = sample.server
      const skew = ahead
      ahead -= 300_000
      Object.assign(platform, { now: () => Date.now() + skew })
      return sample
    }
    await using nodes = await TwoNodes.start({}, (store: Store) => store, start)
    const { a, b } = nodes
    const headers = await openSession(a)
    await b.send({ headers, body: call(0, 'echo') })
    const first = await a.stream(getStream(headers))
    const second = await b.stream(getStream(headers))
    expect(await first.rest()).toEqual([])
    const third = await a.stream(getStream(headers))
    expect(await second.rest()).toEqual([])
    await say(b, headers, 'heard')
    expect(await data(third)).toBe('heard')
  })
})
