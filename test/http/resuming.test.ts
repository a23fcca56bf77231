import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import type { Store } from '../../src/kernel/index.ts'
import { MemoryStore } from '../../src/stores/memory.ts'
import { type Events, Host } from './host.ts'
import { call, getStream, openSession, textOf } from './messages.ts'
import type { Talk } from './sample.ts'

const KEEP_ALL = { maxKeptPerStreamBytes: 1e9, maxKeptPerSessionBytes: 1e9, maxKeptBytes: 1e9 }

interface Conversation {
  readonly headers: { readonly 'mcp-session-id': string }
  readonly events: Events
  readonly talk: Talk
}

/** A call whose stream has brought one event. */
async function openCall(host: Host, version: string = '2025-11-25', id = 1): Promise<Conversation> {
  const headers = await openSession(host, version)
  return { headers, ...(await callAgain(host, headers, id)) }
}

async function callAgain(host: Host, headers: Conversation['headers'], id: number) {
  const coming = host.stream({ headers, body: call(id, 'talk', {}, { progressToken: id }) })
  const talk = await host.talk()
  talk.call.progress(1)
  const events = await coming
  expect(progressOf(await events.next())).toBe(1)
  return { events, talk }
}

function progressOf(message: Awaited<ReturnType<Events['next']>>): unknown {
  return message?.params?.['progress']
}

describe('a stream that broke', () => {
  it.each(['2025-03-26', '2025-06-18', '2025-11-25'])(
    'of a call goes on where it broke, in %s',
    async (version) => {
      await using host = await Host.start()
      const { headers, events, talk } = await openCall(host, version)
      events.destroy()
      for (const step of [2, 3, 4]) talk.call.progress(step)
      const again = await host.stream(getStream(headers, events.lastId))
      for (const step of [2, 3, 4]) expect(progressOf(await again.next())).toBe(step)
      talk.call.progress(5)
      expect(progressOf(await again.next())).toBe(5)
      talk.finish('end')
      expect((await again.rest()).map(textOf)).toEqual(['end'])
    },
  )

  it('of a call that has finished meanwhile brings the rest and ends', async () => {
    await using host = await Host.start()
    const { headers, events, talk } = await openCall(host)
    events.destroy()
    talk.call.progress(2)
    talk.finish('end')
    const again = await host.stream(getStream(headers, events.lastId))
    expect(progressOf(await again.next())).toBe(2)
    expect((await again.rest()).map(textOf)).toEqual(['end'])
    const oncemore = await host.stream(getStream(headers, events.lastId))
    expect((await oncemore.rest()).map((one) => one.method)).toEqual(['notifications/progress', undefined])
  })

  it('of the session brings what was missed, and then what comes', async () => {
    await using host = await Host.start()
    const { server } = host.sample
    const headers = await openSession(host)
    const events = await host.stream(getStream(headers))
    const subscribe = { jsonrpc: '2.0', id: 1, method: 'resources/subscribe', params: { uri: 'note://a' } }
    await host.send({ headers, body: subscribe })
    server.updated('note://a')
    expect(await events.next()).toMatchObject({ method: 'notifications/resources/updated' })
    events.destroy()
    server.tools.add({ name: 'missed', run: () => '' })
    await expect.poll(() => host.send(getStream(headers, 'probe')).then(({ status }) => status)).toBe(400)
    const again = await host.stream(getStream(headers, events.lastId))
    expect(await again.next()).toMatchObject({ method: 'notifications/tools/list_changed' })
    server.updated('note://a')
    expect(await again.next()).toMatchObject({ method: 'notifications/resources/updated' })
  })

  it('brings nothing of other streams', async () => {
    await using host = await Host.start()
    const one = await openCall(host)
    const other = await callAgain(host, one.headers, 2)
    one.events.destroy()
    other.events.destroy()
    one.talk.call.progress(10)
    other.talk.call.progress(20)
    one.talk.finish('one')
    other.talk.finish('other')
    const again = await host.stream(getStream(one.headers, one.events.lastId))
    expect(progressOf(await again.next())).toBe(10)
    expect((await again.rest()).map(textOf)).toEqual(['one'])
  })

  it('brings every event once when more keep coming while the old ones are read', async () => {
    await using host = await Host.start({ store: new SlowStore() })
    const { headers, events, talk } = await openCall(host)
    events.destroy()
    let step = 1
    const talking = setInterval(() => talk.call.progress(++step), 1)
    const further = (steps: number) => expect.poll(() => step, { interval: 1 }).toBeGreaterThan(step + steps)
    await further(5)
    const again = await host.stream(getStream(headers, events.lastId))
    await further(20)
    clearInterval(talking)
    talk.finish()
    const heard = (await again.rest()).map(progressOf)
    expect(heard).toEqual([...Array.from({ length: step - 1 }, (_one, index) => index + 2), undefined])
  })

  it('can be taken over while the server still takes it for whole', async () => {
    await using host = await Host.start()
    const { headers, events, talk } = await openCall(host)
    talk.call.progress(2)
    const again = await host.stream(getStream(headers, events.lastId))
    expect(progressOf(await again.next())).toBe(2)
    talk.finish()
    expect(await again.rest()).toHaveLength(1)
    expect((await events.rest()).map(progressOf)).toEqual([2])
  })

  it('can be taken over while the one before is still being told of the past', async () => {
    const store = new GatedStore()
    await using host = await Host.start({ store })
    const { headers, events, talk } = await openCall(host)
    events.destroy()
    for (const step of [2, 3, 4]) talk.call.progress(step)
    const open = store.shut()
    const first = await host.stream(getStream(headers, events.lastId))
    const second = await host.stream(getStream(headers, events.lastId))
    open()
    talk.finish('end')
    expect((await second.rest()).map(progressOf)).toEqual([2, 3, 4, undefined])
    expect(await first.rest()).toEqual([])
  })

  it('can break again and again', async () => {
    await using host = await Host.start()
    const { headers, events, talk } = await openCall(host)
    let lastId = events.lastId
    events.destroy()
    for (const step of [2, 3, 4]) {
      talk.call.progress(step)
      const again = await host.stream(getStream(headers, lastId))
      expect(progressOf(await again.next())).toBe(step)
      lastId = again.lastId
      again.destroy()
    }
    talk.finish('end')
    const last = await host.stream(getStream(headers, lastId))
    expect((await last.rest()).map(textOf)).toEqual(['end'])
  })

  it('keeps no more than its last events', async () => {
    await using host = await Host.start({ maxEventsPerStream: 3 })
    const { headers, events, talk } = await openCall(host)
    events.destroy()
    for (let step = 2; step <= 10; step++) talk.call.progress(step)
    const again = await host.stream(getStream(headers, events.lastId))
    const heard = [await again.next(), await again.next(), await again.next()].map(progressOf)
    expect(heard).toEqual([8, 9, 10])
    talk.finish('end')
    expect((await again.rest()).map(textOf)).toEqual(['end'])
  })

  it('goes on counting when what was kept has expired', async () => {
    const store = new MemoryStore()
    await using host = await Host.start({ store })
    const { headers, events, talk } = await openCall(host)
    await store.delete(`events/${headers['mcp-session-id']}/1`)
    events.destroy()
    talk.finish('end')
    const again = await host.stream(getStream(headers, events.lastId))
    expect((await again.rest()).map(textOf)).toEqual(['end'])
  })

  it('of whose log nothing can be read is closed, and the server goes on', async () => {
    const store = new MemoryStore()
    store.read = async () => {
      throw new Error('no disk')
    }
    await using host = await Host.start({ store })
    const { headers, events, talk } = await openCall(host)
    events.destroy()
    talk.call.progress(2)
    const again = await host.stream(getStream(headers, events.lastId))
    expect(await again.rest()).toEqual([])
    talk.finish()
    expect((await host.send({ headers, body: { jsonrpc: '2.0', id: 5, method: 'ping' } })).status).toBe(200)
  })
})

describe('an event id', () => {
  it.each(['garbage', '1', '1:', ':1', '99:1', '-1:0', '1:2:3', '1:99', '', '1:1e3'])(
    'like %j is refused',
    async (lastEventId) => {
      await using host = await Host.start()
      const { headers, talk } = await openCall(host)
      const answer = await host.send(getStream(headers, lastEventId))
      expect(answer.status).toBe(400)
      expect(answer.message.error?.code).toBe(-32600)
      talk.finish()
    },
  )

  it('of another session leads nowhere', async () => {
    await using host = await Host.start()
    const one = await openCall(host)
    const other = await openSession(host)
    expect((await host.send(getStream(other, one.events.lastId))).status).toBe(400)
    one.talk.finish()
  })
})

describe('the priming event', () => {
  it.each([
    ['2025-03-26', { comment: 'open' }],
    ['2025-06-18', { comment: 'open' }],
    ['2025-11-25', { id: '1:0', retry: '77', data: '' }],
  ])('comes first in 2025-11-25 only: %s', async (version, expected) => {
    await using host = await Host.start({ retryMs: 77 })
    const headers = await openSession(host, version)
    const coming = host.stream({ headers, body: call(1, 'talk', {}, { progressToken: 1 }) })
    const talk = await host.talk()
    talk.call.progress(1)
    expect(await (await coming).event()).toEqual(expected)
    talk.finish()
  })

  it('leads back to the first event', async () => {
    await using host = await Host.start()
    const headers = await openSession(host)
    const coming = host.stream({ headers, body: call(1, 'talk', {}, { progressToken: 1 }) })
    const talk = await host.talk()
    talk.call.progress(1)
    const events = await coming
    const primed = await events.event()
    events.destroy()
    const again = await host.stream(getStream(headers, primed?.id))
    expect(await again.event()).toMatchObject({ id: primed?.id, data: '' })
    expect(progressOf(await again.next())).toBe(1)
    talk.finish()
    await again.rest()
  })
})

describe('a call that lets its connection go', () => {
  it('is answered when the client comes back', async () => {
    await using host = await Host.start({ retryMs: 5 })
    const headers = await openSession(host)
    const coming = host.stream({ headers, body: call(1, 'talk', {}, { progressToken: 1 }) })
    const talk = await host.talk()
    talk.call.detach()
    const events = await coming
    expect(await events.event()).toEqual({ id: '1:0', retry: '5', data: '' })
    expect(await events.event()).toBeUndefined()
    talk.call.progress(1)
    const again = await host.stream(getStream(headers, events.lastId))
    expect(progressOf(await again.next())).toBe(1)
    talk.finish('end')
    expect((await again.rest()).map(textOf)).toEqual(['end'])
  })

  it('keeps it where the client could not come back', async () => {
    await using host = await Host.start()
    const headers = await openSession(host, '2025-06-18')
    const coming = host.send({ headers, body: call(1, 'talk') })
    const talk = await host.talk()
    talk.call.detach()
    talk.finish('end')
    expect(textOf((await coming).message)).toBe('end')
  })
})

describe('a reader that does not read', () => {
  it('is dropped, and gets the rest when it comes back', async () => {
    await using host = await Host.start({
      maxUnreadBytes: 100_000,
      maxStreamsPerSession: 1,
      maxEventsPerStream: 100_000,
      ...KEEP_ALL,
    })
    const { headers, events, talk } = await openCall(host)
    events.response.pause()
    const isDropped = async () => (await host.send({ headers, body: call('probe', 'echo') })).status === 200
    let said = 0
    do {
      for (let more = 0; more < 50; more++) talk.call.log('info', `${++said} ${'x'.repeat(10_000)}`)
    } while (said < 10_000 && !(await isDropped()))
    expect(await isDropped()).toBe(true)
    talk.finish('end')
    const again = await host.stream(getStream(headers, events.lastId))
    const all = await again.rest()
    const numbers = all.slice(0, -1).map((one) => Number.parseInt(String(one.params?.['data']), 10))
    expect(numbers).toEqual(Array.from({ length: said }, (_one, index) => index + 1))
    expect(textOf(all.at(-1))).toBe('end')
  })
})

/** Lets nobody read while it is shut. */
class GatedStore extends MemoryStore implements Store {
  #gate: Promise<void> = Promise.resolve()

  shut(): () => void {
    let open = () => {}
    this.#gate = new Promise((resolve) => {
      open = resolve
    })
    return open
  }

  override async read(...args: Parameters<MemoryStore['read']>) {
    await this.#gate
    return super.read(...args)
  }
}

/** Takes its time, like one at the other end of a network. */
class SlowStore extends MemoryStore implements Store {
  override async append(...args: Parameters<MemoryStore['append']>): Promise<number> {
    await sleep(1)
    return super.append(...args)
  }

  override async read(...args: Parameters<MemoryStore['read']>) {
    const items = await super.read(...args)
    await sleep(5)
    return items
  }
}
