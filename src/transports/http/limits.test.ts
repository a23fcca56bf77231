import { describe, expect, it } from 'vitest'
import type { Incoming, Link, Principal } from '../../kernel/index.ts'
import { type Away, checkCalls, checkOwnStreams, checkStreams, countRequests, Places } from './limits.ts'
import type { HttpSettings } from './settings.ts'

const ANNE: Principal = { id: 'anne', scopes: [] }
const BOB: Principal = { id: 'bob', scopes: [] }
const ANYBODY: Principal = { id: 'anybody', scopes: [], anonymous: true }

const request = { kind: 'request', id: 1, method: 'ping', params: {}, length: 2 } as const
const notice = { kind: 'notification', method: 'notifications/initialized', params: {} } as const
const batch = (...entries: (typeof request | typeof notice)[]): Incoming => ({ kind: 'batch', entries })

/** Only what is limited here is looked at. */
function limited(settings: Partial<HttpSettings> = {}) {
  const places = new Places()
  const all = {
    maxCalls: 10,
    maxCallsPerCaller: 10,
    maxQuestions: 10,
    maxStreams: 10,
    maxStreamsPerCaller: 10,
    maxStreamsPerSession: 10,
    ...settings,
  } as HttpSettings
  return { places, settings: all }
}

function away(places: Places, principal: Principal, { working = 0, asking = 0, present = false } = {}) {
  const one = { principal, working, asking, present, gone: false, giveUp: () => {} }
  one.giveUp = () => {
    one.gone = true
  }
  places.away.add(one satisfies Away)
  return one
}

const linkOf = (principal: Principal | undefined) => ({ principal }) as Link // Nothing else of it is asked for.

describe('requests', () => {
  it('are counted one by one, whatever comes along with them', () => {
    expect(countRequests(request)).toBe(1)
    expect(countRequests(notice)).toBe(0)
    expect(countRequests(batch(request, notice, request))).toBe(2)
  })
})

it('of anybody no places are found, not even those of somebody who is called the same', () => {
  const places = new Places()
  places.countCalls({ id: 'anybody' }, 1)
  expect([places.find({ id: 'anybody' })?.calls, places.find(ANYBODY)]).toEqual([1, undefined])
})

describe('calls', () => {
  const status = (state: ReturnType<typeof limited>, caller: Principal, incoming: Incoming = request) => {
    const refused = checkCalls(state, caller, incoming)
    return refused && [refused.status, refused.headers?.['retry-after']]
  }

  it('of one caller are let in up to its limit, and others are not held to it', () => {
    const state = limited({ maxCallsPerCaller: 2 })
    state.places.countCalls(ANNE, 1)
    expect(status(state, ANNE)).toBe(undefined)
    expect(status(state, ANNE, batch(request, request))).toEqual([429, '1'])
    state.places.countCalls(ANNE, 1)
    expect(status(state, ANNE)).toEqual([429, '1'])
    expect(status(state, ANNE, notice)).toBe(undefined)
    expect(status(state, BOB)).toBe(undefined)
    expect(status(state, ANYBODY)).toBe(undefined)
  })

  it('of callers that nobody knows have only the limit of all', () => {
    const state = limited({ maxCallsPerCaller: 1, maxCalls: 3 })
    state.places.countCalls(ANYBODY, 2)
    expect(status(state, ANYBODY)).toBe(undefined)
    expect(status(state, ANYBODY, batch(request, request))).toEqual([503, '1'])
  })

  it('of all are let in up to the limit of all', () => {
    const state = limited({ maxCalls: 2 })
    state.places.countCalls(ANNE, 1)
    expect(status(state, BOB)).toBe(undefined)
    state.places.countCalls(BOB, 1)
    expect(status(state, BOB)).toEqual([503, '1'])
    state.places.countCalls(ANNE, -1)
    expect(status(state, BOB)).toBe(undefined)
  })

  it('that wait for their client or only listen leave their places to others', () => {
    const state = limited({ maxCallsPerCaller: 1, maxCalls: 1 })
    for (const reason of ['asking', 'listening'] as const) {
      state.places.countCalls(ANNE, 1)
      expect(status(state, ANNE)).toEqual([429, '1'])
      state.places.rested(linkOf(ANNE), reason, 1)
      expect(status(state, ANNE)).toBe(undefined)
      state.places.rested(linkOf(ANNE), reason, -1)
      expect(status(state, ANNE)).toEqual([429, '1'])
      state.places.countCalls(ANNE, -1)
    }
  })

  it('that wait for their clients are bounded themselves', () => {
    const state = limited({ maxQuestions: 2 })
    state.places.rested(linkOf(ANNE), 'asking', 1)
    expect(status(state, BOB)).toBe(undefined)
    state.places.rested(linkOf(ANNE), 'asking', 1)
    expect(status(state, BOB)).toEqual([503, '10'])
  })

  it('are what is bounded: what calls wait for, and what nobody waits for, is let in', () => {
    const state = limited({ maxQuestions: 1 })
    state.places.rested(linkOf(ANNE), 'asking', 1)
    const answer = { kind: 'response', id: 1, result: {}, error: undefined } as Incoming
    for (const one of [answer, notice, batch(notice)]) expect(checkCalls(state, ANNE, one)).toBe(undefined)
    expect(checkCalls(state, ANNE, batch(notice, request))).toMatchObject({ status: 503 })
  })

  it('of clients that have gone make room, no more of them than are needed, the first who left first', () => {
    const state = limited({ maxCallsPerCaller: 3 })
    state.places.countCalls(ANNE, 3)
    const [others, back, idle] = [
      away(state.places, BOB, { working: 1 }),
      away(state.places, ANNE, { working: 1, present: true }),
      away(state.places, ANNE),
    ]
    const [first, second] = [
      away(state.places, ANNE, { working: 1 }),
      away(state.places, ANNE, { working: 1 }),
    ]
    expect(status(state, ANNE)).toBe(undefined)
    expect([others, back, idle, first, second].map(({ gone }) => gone)).toEqual([
      false,
      false,
      false,
      true,
      false,
    ])
    expect(status(state, ANNE, batch(request, request, request))).toEqual([429, '1'])
  })

  it('of anybody who has gone make room for anybody', () => {
    const state = limited({ maxCalls: 1, maxQuestions: 1 })
    state.places.countCalls(BOB, 1)
    state.places.rested(linkOf(BOB), 'asking', 1)
    const working = away(state.places, BOB, { working: 1 })
    expect(status(state, ANNE)).toEqual([503, '10'])
    const asking = away(state.places, BOB, { asking: 1 })
    expect(status(state, ANNE)).toBe(undefined)
    expect([working.gone, asking.gone]).toEqual([false, true])
    state.places.countCalls(BOB, 1)
    expect(status(state, ANNE)).toBe(undefined)
    expect(working.gone).toBe(true)
  })

  it('are given up until there is enough room, those of the caller first', () => {
    const places = new Places()
    const [bobs, annes] = [away(places, BOB), away(places, ANNE)]
    const present = away(places, ANNE, { present: true })
    places.makeRoom(linkOf(ANNE), () => annes.gone)
    expect([bobs.gone, annes.gone]).toEqual([false, true])
    places.makeRoom(linkOf(ANYBODY), () => bobs.gone)
    expect(bobs.gone).toBe(true)
    places.makeRoom(linkOf(undefined), () => false)
    expect(present.gone).toBe(false)
  })
})

describe('streams', () => {
  it('are bounded for a caller, for all, and for a session', () => {
    const state = limited({ maxStreamsPerCaller: 2, maxStreams: 3, maxStreamsPerSession: 1 })
    const open = (caller: Principal) => state.places.count(caller, (share) => void share.streams++)
    open(ANNE)
    expect(checkStreams(state, ANNE)).toBe(undefined)
    open(ANNE)
    expect(checkStreams(state, ANNE)).toMatchObject({ status: 429, headers: { 'retry-after': '10' } })
    expect(checkStreams(state, BOB)).toBe(undefined)
    open(ANYBODY)
    expect(checkStreams(state, BOB)).toMatchObject({ status: 503, headers: { 'retry-after': '10' } })
    expect(checkOwnStreams({ openStreams: 0, state })).toBe(undefined)
    expect(checkOwnStreams({ openStreams: 1, state })).toMatchObject({
      status: 429,
      headers: { 'retry-after': '1' },
    })
  })

  it('are had by nobody where a caller may have none', () => {
    const state = limited({ maxStreamsPerCaller: 0 })
    expect(checkStreams(state, ANNE)).toMatchObject({ status: 429 })
  })
})

describe('places', () => {
  it('of a caller are forgotten with the last of them', () => {
    const places = new Places()
    for (const kind of ['calls', 'asking', 'listening', 'sessions', 'streams'] as const) {
      places.count(ANNE, (share) => void share[kind]++)
      expect(places.find(ANNE)?.[kind]).toBe(1)
      places.count(ANNE, (share) => void share[kind]--)
      expect(places.find(ANNE)).toBe(undefined)
    }
  })

  it('are known of the caller that has most', () => {
    const places = new Places()
    expect(places.most(({ calls }) => calls)).toBe(0)
    places.countCalls(ANNE, 2)
    places.countCalls(BOB, 3)
    places.countCalls(ANYBODY, 4)
    expect(places.most(({ calls }) => calls)).toBe(3)
    expect(places.find(ANYBODY)).toBe(undefined)
    expect(places.all.calls).toBe(9)
  })

  it('of sessions that were never used are the first to be given to others', () => {
    const places = new Places()
    expect(places.unused(ANNE)).toBe(undefined)
    for (const [session, caller] of [
      ['a1', ANNE],
      ['b1', BOB],
      ['a2', ANNE],
    ] as const) {
      places.count(caller, (share) => void share.sessions++)
      places.begin(session, caller)
    }
    expect([places.unused(), places.unused(ANNE), places.unused(BOB)]).toEqual(['a1', 'a1', 'b1'])
    places.use('a1', ANNE)
    expect([places.unused(), places.unused(ANNE)]).toEqual(['b1', 'a2'])
    places.use('b1')
    expect([places.unused(), places.unused(BOB)]).toEqual(['a2', undefined])
  })

  it('are waited for until no call is under way, or it is late', async () => {
    const places = new Places()
    const late = new AbortController()
    expect(await places.idle(late.signal)).toBe(true)
    places.countCalls(ANNE, 2)
    let idle: boolean | undefined
    const waiting = places.idle(late.signal).then((answer) => {
      idle = answer
    })
    places.countCalls(ANNE, -1)
    await new Promise(setImmediate)
    expect(idle).toBe(undefined)
    places.countCalls(ANNE, -1)
    await waiting
    expect(idle).toBe(true)
    places.countCalls(ANNE, 1)
    const again = places.idle(late.signal)
    late.abort()
    expect(await again).toBe(false)
    expect(await places.idle(late.signal)).toBe(false) // It was late already.
  })
})
