import { describe, expect, it } from 'vitest'
import { restore } from '../../src/kernel/index.ts'
import { closeSite, startSite } from '../../src/transports/http/site.ts'
import { SlowMotion } from '../setup/slow-motion.ts'
import { AGREED, ANN, createSites, firstOf, openSession } from './sites.ts'

/** Nodes whose store takes its time. */
function createSlow(settings: Parameters<typeof createSites>[1] = {}) {
  const { sites, wait, kept } = createSites(2, settings)
  const site = firstOf(sites)
  const slow = new SlowMotion().slowStore(site.store)
  /** What has been asked since, and what of it has not been done. */
  const take = () => ({ asked: slow.take(), left: slow.underWay })
  const rest = async () => {
    await slow.rest()
    return slow.take()
  }
  return { site, take, rest, wait, kept }
}

describe('a session', () => {
  it('has its places and its record when its client hears of it', async () => {
    const { site, take } = createSlow()
    await openSession(site, 'a')
    expect(take()).toEqual({ asked: ['enter sessions/…', 'enter sessions', 'put session/…'], left: [] })
  })

  it('has other nodes told of what has changed, once that is kept', async () => {
    const { site, take } = createSlow()
    const session = await openSession(site, 'a')
    take()
    restore(session.link, { ...AGREED, logLevel: 'error' })
    await site.sessions.save(session)
    expect(take()).toEqual({ asked: ['put session/…', 'publish nodes'], left: [] })
  })

  it('that has ended has no record, then no place, and then other nodes know', async () => {
    const { site, take } = createSlow()
    await openSession(site, 'a')
    take()
    await site.sessions.end('a')
    const asked = ['delete session/…', 'leave sessions', 'leave sessions/… during leave sessions']
    expect(take()).toEqual({ asked: [...asked, 'publish nodes'], left: [] })
  })

  it('that finds no room has left before its client hears so', async () => {
    const { site, take } = createSlow({ maxSessions: 1 })
    const session = await openSession(site, 'a')
    session.use()
    take()
    expect(await site.sessions.admit('b', { id: 'bob' })).toMatchObject({ status: 503 })
    const leaving = ['leave sessions', 'leave sessions/… during leave sessions']
    expect(take()).toEqual({ asked: ['enter sessions/…', 'enter sessions', ...leaving], left: [] })
  })

  it('that was never used has ended before another has its place', async () => {
    const { site, take } = createSlow({ maxSessionsPerCaller: 1 })
    await openSession(site, 'a')
    take()
    expect(await site.sessions.admit('b', ANN)).toBe(undefined)
    const { asked, left } = take()
    expect(asked.slice(-3)).toEqual(['publish nodes', 'enter sessions/…', 'enter sessions'])
    expect(left).toEqual([])
  })

  it('keeps its record first, and then its places', async () => {
    const { site, take, rest } = createSlow()
    const session = await openSession(site, 'a')
    take()
    site.sessions.touch(session)
    expect(await rest()).toEqual(['touch session/…', 'enter sessions', 'enter sessions/…'])
  })
})

describe('a node', () => {
  it('is known, and hears, when it has started', async () => {
    const { site, take } = createSlow()
    await startSite(site)
    const { asked, left } = take()
    expect(asked.slice(-3)).toEqual(['put node/…', 'subscribe node/…', 'subscribe nodes'])
    expect(left).toEqual([])
  })

  it('has said goodbye, hears nothing any more and has no lease when it has closed', async () => {
    const { site, take } = createSlow()
    await startSite(site)
    take()
    await closeSite(site, AbortSignal.timeout(1000))
    expect(take()).toEqual({
      asked: [
        'publish nodes',
        'end of subscribe node/…',
        'end of subscribe nodes during end of subscribe node/…',
        'delete node/…',
      ],
      left: [],
    })
  })

  it('that is closed while it starts has let go of all that it has begun', async () => {
    const { site, rest } = createSlow()
    const starting = startSite(site)
    await closeSite(site, AbortSignal.timeout(1000))
    await starting
    const asked = await rest()
    expect(asked.join()).toMatch(
      /subscribe nodes,end of subscribe node.*,end of subscribe nodes.*,delete node/,
    )
  })

  it('that is closed while it renews its lease has none', async () => {
    const { site, take, wait, kept } = createSlow()
    await startSite(site)
    await wait(2400)
    take()
    const renewing = wait(100)
    while (!take().left.includes('put node/…')) await new Promise(setImmediate)
    await closeSite(site, AbortSignal.timeout(1000))
    await renewing
    expect(take().asked.at(-1)).toBe('delete node/…')
    expect(await kept.get(`node/${site.node?.id}`)).toBe(undefined)
  })

  it('that cannot start has let go of what it had begun', async () => {
    const { site, take } = createSlow()
    const { subscribe } = site.store
    site.store.subscribe = (topic, ...rest) =>
      topic === 'nodes' ? Promise.reject(new Error('away')) : subscribe(topic, ...rest)
    await expect(startSite(site)).rejects.toThrow('away')
    const { asked, left } = take()
    expect(asked.at(-1)).toBe('end of subscribe node/…')
    expect(left).toEqual([])
  })
})
