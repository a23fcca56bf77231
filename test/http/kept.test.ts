import { afterEach, describe, expect, it, vi } from 'vitest'
import type { BudgetName } from '../../src/kernel/index.ts'
import { MemoryStore } from '../../src/stores/memory.ts'
import { type Events, Host } from './host.ts'
import { call, getStream, INITIALIZED, openSession, textOf } from './messages.ts'
import type { Talk } from './sample.ts'

type Headers = Awaited<ReturnType<typeof openSession>>

/** A call that has said something, and whose client has lost its connection. */
async function loseCall(host: Host, headers: Headers, id: number): Promise<{ lastId: string; talk: Talk }> {
  const coming = host.stream({ headers, body: call(id, 'talk', {}, { progressToken: id }) })
  const talk = await host.talk()
  talk.call.progress(1)
  const events = await coming
  await events.next()
  const open = used(host, 'maxStreams')
  events.destroy()
  await expect.poll(() => used(host, 'maxStreams')).toBe(open - 1)
  return { lastId: String(events.lastId), talk }
}

const used = (host: Host, budget: BudgetName) => host.sample.server.usage.read(budget)

async function heard(events: Events): Promise<unknown[]> {
  return (await events.rest()).map(
    (one) => textOf(one) ?? String(one.params?.['data'] ?? one.method).slice(0, 20),
  )
}

/** Counts what is written to it. */
class CountingStore extends MemoryStore {
  appended = 0

  override append(...args: Parameters<MemoryStore['append']>): Promise<number> {
    this.appended++
    return super.append(...args)
  }
}

describe('what is kept for clients that come back', () => {
  it('has a budget in bytes for a stream: the oldest events go', async () => {
    await using host = await Host.start({ maxKeptPerStreamBytes: 350_000 })
    const headers = await openSession(host)
    const { lastId, talk } = await loseCall(host, headers, 1)
    for (let said = 1; said <= 10; said++) talk.call.log('info', `${said} ${'x'.repeat(100_000)}`)
    await expect.poll(() => used(host, 'maxKeptPerStreamBytes')).toBeGreaterThan(300_000)
    expect(used(host, 'maxKeptPerStreamBytes')).toBeLessThanOrEqual(350_000)
    expect(used(host, 'maxEventsPerStream')).toBe(3)
    talk.finish('end')
    const again = await host.stream(getStream(headers, lastId))
    expect((await heard(again)).map((one) => Number.parseInt(String(one), 10) || one)).toEqual([
      8,
      9,
      10,
      'end',
    ])
  })

  it('counts two bytes for each letter of a text that is not Latin', async () => {
    await using host = await Host.start({ maxKeptPerStreamBytes: 350_000 })
    const { talk } = await loseCall(host, await openSession(host), 1)
    for (let said = 1; said <= 3; said++) talk.call.log('info', 'ж'.repeat(100_000))
    await expect.poll(() => used(host, 'maxKeptPerStreamBytes')).toBeGreaterThan(200_000)
    expect(used(host, 'maxEventsPerStream')).toBe(1)
    talk.finish('end')
  })

  it('says so when the answer itself could not be kept', async () => {
    await using host = await Host.start({ maxKeptPerStreamBytes: 10_000 })
    const headers = await openSession(host)
    const { lastId, talk } = await loseCall(host, headers, 1)
    talk.finish('x'.repeat(20_000))
    await expect.poll(() => used(host, 'maxKeptBytes')).toBe(0)
    const answer = await host.send(getStream(headers, lastId))
    expect(answer.status).toBe(400)
    expect(answer.message.error?.message).toBe(
      'Bad request: Last-Event-ID: the answer after it is not kept any more',
    )
  })

  it('has a budget in bytes for a session: the oldest streams go', async () => {
    await using host = await Host.start({ maxKeptPerSessionBytes: 250_000 })
    const headers = await openSession(host)
    const other = await loseCall(host, await openSession(host), 1)
    const lost: Awaited<ReturnType<typeof loseCall>>[] = []
    for (const id of [1, 2, 3]) lost.push(await loseCall(host, headers, id))
    for (const [at, { talk }] of lost.entries()) talk.finish(`${at} ${'x'.repeat(100_000)}`)
    await expect.poll(() => used(host, 'maxKeptPerSessionBytes')).toBeGreaterThan(200_000)
    expect(used(host, 'maxKeptPerSessionBytes')).toBeLessThanOrEqual(250_000)
    const answers = await Promise.all(lost.map(({ lastId }) => host.send(getStream(headers, lastId))))
    expect(answers.map(({ status }) => status)).toEqual([400, 200, 200])
    other.talk.finish()
  })

  it('has a budget in bytes in all: the oldest streams go, and everything when the sessions do', async () => {
    await using host = await Host.start({ maxKeptBytes: 250_000 })
    const lost: (Awaited<ReturnType<typeof loseCall>> & { headers: Headers })[] = []
    for (let session = 0; session < 3; session++) {
      const headers = await openSession(host)
      lost.push({ headers, ...(await loseCall(host, headers, 1)) })
    }
    for (const { talk } of lost) talk.finish('x'.repeat(100_000))
    await expect.poll(() => used(host, 'maxKeptBytes')).toBeGreaterThan(200_000)
    expect(used(host, 'maxKeptBytes')).toBeLessThanOrEqual(250_000)
    const answers = await Promise.all(
      lost.map(({ headers, lastId }) => host.send(getStream(headers, lastId))),
    )
    expect(answers.map(({ status }) => status)).toEqual([400, 200, 200])
    for (const { headers } of lost) await host.send({ method: 'DELETE', headers })
    expect(used(host, 'maxKeptBytes')).toBe(0)
  })
})

describe('what is kept in the course of time', () => {
  afterEach(() => void vi.useRealTimers())

  it('is let go when its stream has been delivered whole, and when it has expired', async () => {
    vi.useFakeTimers({ toFake: ['Date'] })
    await using host = await Host.start({ sessionIdleMs: 100 })
    const headers = await openSession(host)
    await host.stream(getStream(headers)) // It keeps the session.
    const whole = host.stream({ headers, body: call(1, 'talk', {}, { progressToken: 1 }) })
    const talk = await host.talk()
    talk.call.progress(1)
    talk.finish('whole')
    expect(await heard(await whole)).toContain('whole')
    const lost = await loseCall(host, headers, 2)
    lost.talk.finish('lost')
    await expect.poll(() => used(host, 'maxKeptBytes')).toBeGreaterThan(700)
    vi.setSystemTime(Date.now() + 31_000)
    await expect.poll(() => used(host, 'maxKeptBytes')).toBeLessThan(700)
    expect(await heard(await host.stream(getStream(headers, lost.lastId)))).toEqual(['lost'])
    const again = await loseCall(host, headers, 3)
    again.talk.finish('lost')
    await host.send({ headers, body: INITIALIZED })
    vi.setSystemTime(Date.now() + 301_000)
    await expect.poll(() => used(host, 'maxKeptBytes')).toBe(0)
    expect((await host.send(getStream(headers, again.lastId))).status).toBe(400)
  })
})

describe('changes that nobody hears of', () => {
  it('are remembered once each, and written nowhere', async () => {
    const store = new CountingStore()
    await using host = await Host.start({ store })
    const { server } = host.sample
    const sessions = [await openSession(host), await openSession(host)] as const
    for (let round = 0; round < 20; round++) {
      server.tools.add({ name: `extra-${round}`, run: () => '' })
      server.resources.add({ uri: `extra://${round}`, name: 'extra', read: () => '' })
      await host.send({ headers: sessions[0], body: INITIALIZED })
    }
    for (const headers of sessions) {
      const events = await host.stream(getStream(headers))
      const methods = new Set([(await events.next())?.method, (await events.next())?.method])
      expect(methods).toEqual(
        new Set(['notifications/resources/list_changed', 'notifications/tools/list_changed']),
      )
      await host.send({ method: 'DELETE', headers })
      expect(await events.rest()).toEqual([])
    }
    expect(store.appended).toBe(0)
  })

  it('are told to a client that comes back, though they were written nowhere', async () => {
    const store = new CountingStore()
    await using host = await Host.start({ store })
    const { server } = host.sample
    const headers = await openSession(host)
    const events = await host.stream(getStream(headers))
    server.tools.add({ name: 'first', run: () => '' })
    expect((await events.next())?.method).toBe('notifications/tools/list_changed')
    const seen = events.lastId
    server.tools.add({ name: 'second', run: () => '' })
    expect((await events.next())?.method).toBe('notifications/tools/list_changed')
    events.destroy()
    const again = await host.stream(getStream(headers, seen))
    expect((await again.next())?.method).toBe('notifications/tools/list_changed')
    await host.send({ method: 'DELETE', headers })
    expect(await again.rest()).toEqual([])
    expect(store.appended).toBe(0)
  })

  it('are all that is kept for a client that has never listened', async () => {
    const store = new CountingStore()
    await using host = await Host.start({ store })
    const headers = await openSession(host)
    const coming = host.send({ headers, body: call(1, 'talk') })
    const talk = await host.talk()
    for (let said = 0; said < 10; said++) talk.call.link.log('error', 'for nobody')
    talk.finish()
    await coming
    expect(store.appended).toBe(0)
    const events = await host.stream(getStream(headers))
    await host.send({ method: 'DELETE', headers })
    expect(await events.rest()).toEqual([])
  })
})
