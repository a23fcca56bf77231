import { describe, expect, it, vi } from 'vitest'
import { createReader } from '../../../../test/http/reader.ts'
import {
  AGREED,
  ANN,
  adoptSession,
  createSites,
  firstOf,
  openSession,
  settled,
} from '../../../../test/http/sites.ts'
import { type Agreement, agreementOf, type Principal, restore } from '../../../kernel/index.ts'
import type { HttpSettings } from '../settings.ts'
import type { HttpSite } from '../site.ts'
import { printRecord, recordOf } from './record.ts'
import { Session } from './session.ts'

const ANYBODY: Principal = { id: 'anonymous', anonymous: true }

describe('a session of one server', () => {
  it('is a record and no more when nobody uses it, and goes on by that', async () => {
    const { sites, pass, sweep } = createSites(1)
    const site = firstOf(sites)
    const session = await openSession(site, 'a')
    session.use()
    pass(1000)
    sweep()
    expect(site.sessions.warm.has('a')).toBe(true)
    pass(1)
    sweep()
    expect([site.sessions.warm.has('a'), site.sessions.has('a')]).toEqual([false, true])
    const again = await adoptSession(site, 'a')
    expect(again).not.toBe(session)
    expect([again.restored, again.stale, again.version]).toEqual([true, false, 1])
    expect(agreementOf(again.link)).toEqual(AGREED)
    expect(site.server.traced.adopted).toBe(1)
    expect(await site.sessions.adopt('a')).toBe(again)
  })

  it('that was never used is a record at once', async () => {
    const { sites, pass, sweep } = createSites(1)
    const site = firstOf(sites)
    await openSession(site, 'a')
    sweep()
    expect(site.sessions.warm.has('a')).toBe(true)
    pass(1)
    sweep()
    expect(site.sessions.warm.has('a')).toBe(false)
  })

  it('that has agreed on much stays warm, so that it is counted', async () => {
    const { sites, pass, sweep } = createSites(1)
    const site = firstOf(sites)
    const session = await openSession(site, 'a')
    restore(session.link, { ...AGREED, subscriptions: [`note://${'x'.repeat(3000)}`] })
    pass(5000)
    sweep()
    expect(site.sessions.warm.has('a')).toBe(true)
    const { held } = site.server
    held.remove(session.link, held.of(session.link) - 2049)
    sweep()
    expect(site.sessions.warm.has('a')).toBe(true)
    held.remove(session.link, 1)
    sweep()
    expect(site.sessions.warm.has('a')).toBe(false)
  })

  it('is over when it has been idle for long, warm or not', async () => {
    const { sites, kept, pass, sweep } = createSites(1)
    const site = firstOf(sites)
    await openSession(site, 'a')
    await openSession(site, 'b')
    site.sessions.warm.get('a')?.park()
    pass(10_000)
    expect(await site.sessions.adopt('a')).toBeDefined()
    pass(1)
    sweep()
    await settled()
    expect([site.sessions.has('a'), site.sessions.has('b')]).toEqual([true, false])
    expect(await kept.get('session/b')).toBe(undefined)
    expect(site.places.all.sessions).toBe(1)
  })

  it('is not gone on with after its time, though nobody has swept', async () => {
    const { sites, pass } = createSites(1)
    const site = firstOf(sites)
    await openSession(site, 'a')
    pass(10_001)
    expect(await site.sessions.adopt('a')).toBe(undefined)
    expect([site.sessions.has('a'), site.sessions.warm.has('a')]).toEqual([false, false])
  })

  it('is none under a name that is none of ours, and foreign where its record is of another version', async () => {
    const { sites, kept } = createSites(1)
    const site = firstOf(sites)
    await kept.put('session/a/b', { v: 1, principal: ANN, agreement: AGREED } as never)
    expect(await site.sessions.adopt('a/b')).toBe(undefined)
    await kept.put('session/c', { v: 2 })
    expect(await site.sessions.adopt('c')).toBe('foreign')
    const unknown = { ...AGREED, introduction: { ...AGREED.introduction, revision: '2099-01-01' } }
    await kept.put('session/d', { v: 1, principal: ANN, agreement: unknown } as never)
    expect(await site.sessions.adopt('d')).toBe('foreign')
    expect(site.sessions.warm.size).toBe(0)
  })

  it('takes no place any more once it is ended, though its record cannot be had', async () => {
    const { sites, kept } = createSites(1)
    const site = firstOf(sites)
    await openSession(site, 'a')
    kept.delete = () => Promise.reject(new Error('away'))
    await expect(site.sessions.end('a')).rejects.toThrow('away')
    expect([site.sessions.has('a'), site.places.all.sessions]).toEqual([false, 0])
    expect(site.places.unused()).toBe(undefined)
  })

  it('writes down what was not when the store is back', async () => {
    const { sites, kept, sweep } = createSites(1)
    const site = firstOf(sites)
    const session = await openSession(site, 'a')
    session.link.logLevel = 'error'
    const { put } = kept
    kept.put = () => Promise.reject(new Error('away'))
    await expect(session.save()).rejects.toThrow('away')
    expect(session.link.unsaved).toBe(true)
    kept.put = put
    sweep()
    await settled()
    expect(session.link.unsaved).toBe(false)
    expect((await kept.get('session/a'))?.value).toMatchObject({ agreement: { logLevel: 'error' } })
  })

  it('is over where it comes back too late, though no sweep has seen that', async () => {
    const { sites, kept, pass, sweep } = createSites(1)
    const { sessions } = firstOf(sites)
    await openSession(firstOf(sites), 'a')
    pass(5000)
    sweep()
    expect([sessions.warm.has('a'), sessions.has('a')]).toEqual([false, true])
    pass(10_001)
    expect(await sessions.adopt('a')).toBe(undefined)
    expect(await kept.get('session/a')).toBe(undefined)
  })

  it('is not written by a sweep while it begins', async () => {
    const { sites, kept, sweep } = createSites(1)
    const { sessions } = firstOf(sites)
    const session = new Session(sessions, 'a', ANN)
    restore(session.link, AGREED)
    let puts = 0
    kept.put = () => {
      puts++
      return new Promise(() => {})
    }
    void sessions.begin(session)
    session.link.unsaved = true
    sweep()
    expect(puts).toBe(1)
  })

  it('is written ten times at the most where others always come first', async () => {
    const { sites, kept } = createSites(1)
    const session = await openSession(firstOf(sites), 'a')
    let puts = 0
    kept.put = async () => {
      puts++
      return undefined
    }
    await session.save()
    expect(puts).toBe(10)
  })
})

describe('the one that can best be done without', () => {
  it('is that of callers nobody knows which has been silent longest', async () => {
    const { sites, pass } = createSites(1)
    const site = firstOf(sites)
    expect(site.sessions.findSilent()).toBe(undefined)
    await openSession(site, 'known')
    expect(site.sessions.findSilent()).toBe(undefined)
    const first = await openSession(site, 'first', ANYBODY)
    pass(10)
    await openSession(site, 'second', ANYBODY)
    expect(site.sessions.findSilent()).toBe('first')
    pass(10)
    first.lastSeen += 20
    expect(site.sessions.findSilent()).toBe('second')
    site.sessions.warm.get('second')?.park()
    expect(site.sessions.findSilent()).toBe('second')
  })

  it('is the one that began first of those that have been silent as long', async () => {
    const site = firstOf(createSites(1).sites)
    for (const id of ['first', 'second', 'third']) await openSession(site, id, ANYBODY)
    expect(site.sessions.findSilent()).toBe('first')
  })

  it('may be one that goes on by its record alone, as after a new start', async () => {
    const { sites, kept } = createSites(1)
    const site = firstOf(sites)
    const record = printRecord(recordOf(ANYBODY, AGREED))
    await kept.put('session/before', record)
    await adoptSession(site, 'before')
    expect(site.sessions.findSilent()).toBe('before')
  })

  it('is none that has not begun, and one that waits only where there is no other', async () => {
    const { sites } = createSites(1)
    const site = firstOf(sites)
    await site.sessions.admit('coming', ANYBODY)
    expect(site.sessions.findSilent()).toBe(undefined)
    const waiting = await openSession(site, 'waiting', ANYBODY)
    const away = { principal: ANYBODY, working: 0, asking: 0, present: true, giveUp() {} }
    waiting.waiting.set(away, away)
    expect(site.sessions.findSilent()).toBe('waiting')
    await openSession(site, 'silent', ANYBODY)
    expect(site.sessions.findSilent()).toBe('silent')
  })

  it('is none of a pair in which a call is under way', async () => {
    const site = firstOf(createSites(1).sites)
    const link = site.server.open({ outlet: { send: () => {} }, principal: ANYBODY })
    await site.sessions.admit('pair', ANYBODY)
    site.pairs.set('pair', { link, principal: ANYBODY, receive: () => {}, end: () => {} } as never) // As far as it is read here.
    expect(site.sessions.findSilent()).toBe('pair')
    link.calls.set(1, {} as never)
    expect(site.sessions.findSilent()).toBe(undefined)
  })

  it('is none where others share the store', async () => {
    const { sites } = createSites(2)
    const site = firstOf(sites)
    await openSession(site, 'a', ANYBODY)
    expect(site.sessions.findSilent()).toBe(undefined)
  })
})

describe('a session of two nodes', () => {
  async function share(settings: Partial<HttpSettings> = {}) {
    const created = createSites(2, settings)
    const [a, b] = created.sites as [HttpSite, HttpSite] // Two, as asked for.
    await Promise.all([a.node?.open(), b.node?.open()])
    const ours = await openSession(a, 'a')
    return { ...created, a, b, ours, theirs: await adoptSession(b, 'a') }
  }

  it('hears at once what was agreed on elsewhere', async () => {
    const { ours, theirs } = await share()
    theirs.link.logLevel = 'error'
    await theirs.save()
    await settled()
    expect([ours.link.logLevel, ours.version, ours.stale, ours.base?.logLevel]).toEqual([
      'error',
      2,
      false,
      'error',
    ])
    expect(ours.current).toBe(true)
  })

  it('that has no record yet is not over for want of one', async () => {
    const { a } = await share()
    const session = new Session(a.sessions, 'b', ANN)
    a.sessions.touch(session)
    await settled()
    expect(session.link.state).not.toBe('closed')
  })

  it('is told of when it has changed, and not when it begins', async () => {
    const { a, kept } = await share()
    const told: unknown[] = []
    await kept.subscribe('nodes', (letter) => void told.push(letter))
    const session = await openSession(a, 'b')
    expect(told).toEqual([])
    session.link.logLevel = 'error'
    await session.save()
    expect(told).toMatchObject([{ message: { kind: 'changed', session: 'b', version: 2 } }])
  })

  it('is read again where it has missed what was agreed on', async () => {
    const { a, b, ours, theirs } = await share()
    const agreement = { ...AGREED, logLevel: 'debug' } as const
    a.sessions.changed({ kind: 'changed', session: 'a', version: 3, agreement })
    expect([ours.stale, ours.version, ours.current, ours.link.logLevel]).toEqual([true, 1, false, 'info'])
    expect((await adoptSession(a, 'a')).stale).toBe(false)
    a.sessions.changed({ kind: 'changed', session: 'a', version: 1, agreement })
    expect(ours.stale).toBe(false)
    a.sessions.changed({ kind: 'changed', session: 'a', version: 2, agreement: {} as Agreement })
    expect(ours.stale).toBe(true)
    b.sessions.missed()
    expect([theirs.stale, theirs.current]).toEqual([true, false])
  })

  it('is read again at once where somebody listens, who may have to be told by it', async () => {
    const { a, kept, ours } = await share()
    await ours.standalone.open(createReader().exchange, {})
    const agreement = { ...AGREED, logLevel: 'debug' } as const
    await kept.put('session/a', { v: 1, principal: ANN, agreement } as never)
    a.sessions.changed({ kind: 'changed', session: 'a', version: 9, agreement })
    await settled()
    expect([ours.link.logLevel, ours.stale]).toEqual(['debug', false])
  })

  it('is read again at once where somebody listens, when anything may have changed', async () => {
    const { a, kept, ours } = await share()
    await ours.standalone.open(createReader().exchange, {})
    const agreement = { ...AGREED, logLevel: 'debug' } as const
    await kept.put('session/a', { v: 1, principal: ANN, agreement } as never)
    a.sessions.missed()
    await settled()
    expect([ours.link.logLevel, ours.stale]).toEqual(['debug', false])
  })

  it('has its stream where it was opened last, though the word of who had it before was lost', async () => {
    const { a, ours, theirs } = await share()
    if (a.node !== undefined) a.node.sendAll = async () => {}
    await ours.standalone.open(createReader().exchange, {})
    a.sessions.missed()
    await theirs.standalone.open(createReader().exchange, {})
    await settled()
    expect([ours.standalone.connected, theirs.standalone.connected]).toEqual([false, true])
  })

  it('keeps what both have changed', async () => {
    const { ours, theirs } = await share()
    ours.link.unsaved = true
    ours.link.logLevel = 'debug'
    theirs.link.subscriptions.add('note://a')
    await theirs.save()
    await settled()
    expect([ours.stale, ours.version]).toEqual([true, 1])
    await ours.save()
    await settled()
    for (const { link, version } of [ours, theirs])
      expect([link.logLevel, [...link.subscriptions], version]).toEqual(['debug', ['note://a'], 3])
  })

  it('that is read again has what was not written down, and else nothing to write', async () => {
    const { a, b, ours, theirs } = await share()
    ours.link.unsaved = true
    for (const { sessions } of [a, b]) await sessions.adopt('a')
    expect([ours.link.unsaved, theirs.link.unsaved]).toEqual([true, false])
  })

  it('ends on both', async () => {
    const { a, b, kept } = await share()
    await a.sessions.end('a')
    await settled()
    expect([a.sessions.has('a'), b.sessions.has('a'), b.sessions.warm.size]).toEqual([false, false, 0])
    expect(await kept.get('session/a')).toBe(undefined)
    expect([a.places.all.sessions, b.places.all.sessions]).toEqual([0, 0])
  })

  it('that has been ended meanwhile ends where somebody writes', async () => {
    const { a, kept, ours } = await share()
    await kept.delete('session/a')
    ours.link.logLevel = 'debug'
    await ours.save()
    expect(a.sessions.warm.size).toBe(0)
    expect(await kept.get('session/a')).toBe(undefined)
  })

  it('stays warm for a minute, and is left to the others after its time here', async () => {
    const { a, b, kept, pass, sweep } = await share({ sessionIdleMs: 100_000 })
    pass(60_000)
    sweep()
    expect([a.sessions.warm.size, b.sessions.warm.size]).toEqual([1, 1])
    pass(1)
    sweep()
    expect([a.sessions.warm.size, b.sessions.warm.size]).toEqual([0, 0])
    pass(40_000)
    sweep()
    await settled()
    expect([a.sessions.has('a'), (await kept.get('session/a')) !== undefined]).toEqual([false, true])
  })

  it('has its record and its places kept by sweeps for as long as somebody listens', async () => {
    const { a, kept, ours, pass, sweep } = await share({ maxSessions: 1, maxSessionsPerCaller: 1 })
    await ours.standalone.open(createReader().exchange, {})
    for (let quarter = 0; quarter < 10; quarter++) {
      pass(2501)
      sweep()
      await settled()
    }
    expect(await kept.get('session/a')).toBeDefined()
    for (const group of ['sessions', 'sessions/ann'])
      expect(await kept.enter(group, 'b', { ttlMs: 1000, limit: 1 })).toBe(false)
    expect(a.sessions.warm.get('a')).toBe(ours)
  })

  it('is not written about by a sweep before a quarter of its time has passed', async () => {
    const { a, ours, pass, sweep } = await share()
    await ours.standalone.open(createReader().exchange, {})
    const keep = vi.spyOn(a.sessions.places, 'keep')
    pass(2500)
    sweep()
    expect(keep).not.toHaveBeenCalled()
    pass(1)
    sweep()
    sweep()
    expect(keep).toHaveBeenCalledOnce()
    await settled()
  })

  it('has its record kept for longer while it is used', async () => {
    const { a, kept, ours, pass } = await share({ sessionIdleMs: 100_000 })
    expect([ours.isDue(1000 + 25_000), ours.isDue(1000 + 25_001)]).toEqual([false, true])
    pass(100_000)
    a.sessions.touch(ours)
    await settled()
    pass(50_000)
    expect(await kept.get('session/a')).toBeDefined()
    expect(ours.touchedAt).toBe(101_000)
    pass(80_000)
    expect(await kept.get('session/a')).toBe(undefined)
    a.sessions.touch(ours)
    await settled()
    expect(a.sessions.warm.size).toBe(0)
  })
})
