import { afterEach, describe, expect, it, vi } from 'vitest'
import { Host } from '../http/host.ts'
import { call, getStream, openSession, textOf } from '../http/messages.ts'

describe('a session that nobody has used for a while', () => {
  afterEach(() => void vi.useRealTimers())

  /** Lets so much time go by that nothing of it is left but its record. */
  async function park(host: Host): Promise<void> {
    vi.useFakeTimers({ toFake: ['Date'] })
    vi.setSystemTime(Date.now() + 5000)
    await expect.poll(() => host.sample.server.listeners.size).toBe(0)
  }

  it('goes on when somebody speaks', async () => {
    await using host = await Host.start()
    const headers = await openSession(host)
    await park(host)
    expect(textOf((await host.send({ headers, body: call(1, 'echo', { text: 'hi' }) })).message)).toBe('hi')
  })

  it('tells a client that comes to listen of what has changed meanwhile, and of nothing else', async () => {
    await using host = await Host.start()
    const [told, untold] = [await openSession(host), await openSession(host)]
    await park(host)
    const quiet = await host.stream(getStream(untold))
    host.sample.server.updated('note://a')
    const { tools } = host.sample.server
    tools.add({ name: 'new', description: 'New', run: () => 'new' })
    expect((await quiet.next())?.method).toBe('notifications/tools/list_changed')
    const late = await host.stream(getStream(told))
    const methods = [(await late.next())?.method, (await late.next())?.method]
    expect(methods).toContain('notifications/tools/list_changed')
  })

  it('tells a client that comes to listen of what had changed before as well', async () => {
    await using host = await Host.start()
    const headers = await openSession(host)
    host.sample.server.tools.add({ name: 'new', description: 'New', run: () => 'new' })
    await host.send({ headers, body: call(1, 'echo') })
    await park(host)
    const late = await host.stream(getStream(headers))
    expect((await late.next())?.method).toMatch(/list_changed/)
  })

  it('takes back a client that had listened before', async () => {
    await using host = await Host.start()
    const headers = await openSession(host)
    const events = await host.stream(getStream(headers))
    host.sample.server.tools.add({ name: 'new', description: 'New', run: () => 'new' })
    await events.next()
    const { lastId } = events
    events.destroy()
    await expect.poll(() => host.sample.server.usage.read('maxStreams')).toBe(0)
    await park(host)
    const again = await host.stream(getStream(headers, lastId))
    host.sample.server.tools.add({ name: 'newer', description: 'Newer', run: () => 'newer' })
    expect((await again.next())?.method).toBe('notifications/tools/list_changed')
  })

  it('has the end of an answer that its client had lost', async () => {
    await using host = await Host.start()
    const headers = await openSession(host)
    const coming = host.stream({ headers, body: call(1, 'talk', {}, { progressToken: 1 }) })
    const talk = await host.talk()
    talk.call.progress(1)
    const events = await coming
    await events.next()
    events.destroy()
    await expect.poll(() => host.sample.server.usage.read('maxStreams')).toBe(0)
    talk.finish('end')
    await park(host)
    const again = await host.stream(getStream(headers, events.lastId))
    expect((await again.rest()).map(textOf)).toEqual(['end'])
  })
})
