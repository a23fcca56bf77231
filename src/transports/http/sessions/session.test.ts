import { describe, expect, it } from 'vitest'
import { createReader } from '../../../../test/http/reader.ts'
import { ANN, adoptSession, createSites, firstOf, openSession, settled } from '../../../../test/http/sites.ts'
import type { HttpSite } from '../site.ts'
import { logOf } from '../streams/logged-events.ts'
import type { Session } from './session.ts'

const ANSWER = { jsonrpc: '2.0', id: 1, result: {} } as const
const NOTICE = { jsonrpc: '2.0', method: 'notice' } as const

async function begin() {
  const created = createSites(1)
  const site = firstOf(created.sites)
  return { ...created, site, session: await openSession(site, 's') }
}

function openStream(session: Session) {
  const reader = createReader()
  return { reader, stream: session.openStream(reader.exchange, undefined, undefined) }
}

const waitFor = (session: Session, present: boolean) => {
  const away = { principal: ANN, working: 0, asking: 0, present, giveUp() {} }
  session.waiting.set(away, away)
  return () => session.waiting.delete(away)
}

describe('a session', () => {
  it('is busy while a stream is open, or somebody waits for a call', async () => {
    const { session, pass } = await begin()
    expect([session.busy, session.openStreams]).toEqual([false, 0])
    const { reader } = openStream(session)
    await session.standalone.open(createReader().exchange, {})
    expect([session.busy, session.openStreams]).toEqual([true, 2])
    reader.leave()
    session.standalone.disconnect()
    expect([session.busy, session.openStreams]).toEqual([false, 0])
    const stop = waitFor(session, false)
    expect(session.busy).toBe(false)
    stop()
    waitFor(session, true)
    pass(50)
    expect([session.busy, session.seen, session.lastSeen]).toEqual([true, 1050, 1000])
  })

  it('is current until its time is over, unless its record has to be read again', async () => {
    const { session, pass } = await begin()
    pass(10_000)
    expect(session.current).toBe(true)
    pass(1)
    expect([session.current, session.seen]).toEqual([false, 1000])
    const { reader } = openStream(session)
    expect(session.current).toBe(true)
    session.stale = true
    expect(session.current).toBe(false)
    reader.leave()
  })

  it('is not parked while somebody uses it, or a call goes on without anybody there', async () => {
    const { session, site } = await begin()
    const { reader } = openStream(session)
    session.park()
    expect(site.sessions.warm.has('s')).toBe(true)
    reader.leave()
    const stop = waitFor(session, false)
    session.park()
    expect(site.sessions.warm.has('s')).toBe(true)
    stop()
    session.park()
    expect(site.sessions.warm.has('s')).toBe(false)
  })

  it('forgets a stream half a minute after its end was delivered', async () => {
    const { session, site, kept } = await begin()
    const now = site.server.platform.now()
    const { stream } = openStream(session)
    stream.send(NOTICE)
    stream.end(ANSWER)
    session.prune(now + 30_000)
    expect(session.findStream(stream.id)).toBe(stream)
    session.prune(now + 30_001)
    await settled()
    expect(session.findStream(stream.id)).toBe(undefined)
    expect(await kept.read(logOf('s', stream.id), 0, 9)).toEqual([])
  })

  it('remembers sixteen streams that have ended, the last ones, and all that go on', async () => {
    const { session } = await begin()
    const going = openStream(session)
    const ended = Array.from({ length: 18 }, () => openStream(session))
    for (const { stream } of ended) stream.end(ANSWER)
    expect(ended.every(({ stream }) => session.findStream(stream.id) === stream)).toBe(true)
    openStream(session)
    const known = ended.map(({ stream }) => session.findStream(stream.id) !== undefined)
    expect(known).toEqual([false, false, ...Array.from({ length: 16 }, () => true)])
    expect(session.findStream(going.stream.id)).toBe(going.stream)
  })

  it('is let go with everything that is kept of it', async () => {
    const { session, site, kept } = await begin()
    const { stream, reader } = openStream(session)
    const standalone = createReader()
    await session.standalone.open(standalone.exchange, {})
    await settled()
    stream.send(NOTICE)
    session.standalone.send(NOTICE)
    await settled()
    session.end()
    await settled()
    expect([reader.heard.at(-1), standalone.heard.at(-1)]).toEqual(['end', 'end'])
    expect([session.link.state, site.sessions.warm.has('s'), site.log.bytes]).toEqual(['closed', false, 0])
    expect(await kept.read(logOf('s', stream.id), 0, 9)).toEqual([])
    expect(await kept.read(logOf('s', '0'), 0, 9)).toEqual([])
  })

  it('is let go with what was kept of it before it was parked', async () => {
    const { session, site, kept } = await begin()
    const { stream, reader } = openStream(session)
    reader.leave()
    stream.end(ANSWER)
    session.park()
    const again = await adoptSession(site, 's')
    expect(await kept.read(logOf('s', stream.id), 0, 9)).toHaveLength(1)
    again.end()
    await settled()
    expect(site.log.bytes).toBe(0)
    expect(await kept.read(logOf('s', stream.id), 0, 9)).toEqual([])
  })
})

describe('a session whose server stops', () => {
  it('is over where there is no other', async () => {
    const { session, site } = await begin()
    const { stream } = openStream(session)
    stream.send(NOTICE)
    session.leave()
    await settled()
    expect([session.link.state, site.sessions.warm.has('s'), site.log.bytes]).toEqual(['closed', false, 0])
  })

  it('can be gone on with elsewhere', async () => {
    const created = createSites(2)
    const [a, b] = created.sites as [HttpSite, HttpSite] // Two, as asked for.
    await Promise.all([a.node?.open(), b.node?.open()])
    const session = await openSession(a, 's')
    const { stream, reader } = openStream(session)
    const standalone = createReader()
    await session.standalone.open(standalone.exchange, {})
    stream.send(NOTICE)
    await settled()
    session.leave()
    await settled()
    expect([reader.heard.at(-1), standalone.heard.at(-1)]).toEqual(['end', 'end'])
    expect([session.link.state, a.sessions.warm.has('s')]).toEqual(['closed', false])
    expect(await created.kept.read(logOf('s', stream.id), 0, 9)).toHaveLength(1)
    expect((await adoptSession(b, 's')).restored).toBe(true)
  })
})

describe('a session that goes on by its record', () => {
  it('tells the other nodes that it is used, and one that was opened here does not', async () => {
    const created = createSites(2)
    const [a, b] = created.sites as [HttpSite, HttpSite] // Two, as asked for.
    await Promise.all([a.node?.open(), b.node?.open()])
    const ours = await openSession(a, 's')
    const theirs = await adoptSession(b, 's')
    expect(a.places.unused(ANN)).toBe('s')
    theirs.use()
    await settled()
    expect([a.places.unused(ANN), theirs.used, ours.used]).toEqual([undefined, true, false])
  })
})
