import { expect, it } from 'vitest'
import type { Principal } from '../../../kernel/index.ts'
import { MemoryStore } from '../../../stores/memory.ts'
import { Places } from '../limits.ts'
import type { HttpState } from '../state.ts'
import { SessionPlaces } from './session-places.ts'

const ANN: Principal = { id: 'ann' }
const ANYBODY: Principal = { id: 'anybody', anonymous: true }

function createPlaces({
  maxSessions = 10,
  maxSessionsPerCaller = 10,
  shared = false,
  silent = [] as string[],
} = {}) {
  const store = new MemoryStore()
  const places = new Places()
  const failures: unknown[] = []
  const state = {
    store,
    places,
    settings: { maxSessions, maxSessionsPerCaller, sessionIdleMs: 1000 },
    server: { observe: (event: unknown) => void failures.push(event), platform: { now: () => 0 } },
    node: shared ? {} : undefined,
  } as unknown as HttpState // Only what is asked for here.
  const ended: string[] = []
  const owner = {
    findSilent: () => silent.shift(),
    end: async (id: string) => {
      ended.push(id)
      for (const principal of [ANN, ANYBODY]) await all.leave({ id, principal })
    },
  }
  const all = new SessionPlaces(state, owner)
  const take = async (id: string, principal: Principal) => (await all.take({ id, principal }))?.status
  return { all, take, store, places, ended, failures }
}

it('has so many for a caller, and so many in all', async () => {
  const { take } = createPlaces({ maxSessions: 3, maxSessionsPerCaller: 2 })
  expect([await take('1', ANN), await take('2', ANN), await take('3', ANN)]).toEqual([
    undefined,
    undefined,
    429,
  ])
  expect([await take('4', ANYBODY), await take('5', ANYBODY)]).toEqual([undefined, 503])
  expect(await take('6', { id: 'bob' })).toBe(503)
})

it('gives back what a caller has taken of its own where there is none in all', async () => {
  const { all, take } = createPlaces({ maxSessions: 1, maxSessionsPerCaller: 1 })
  expect([await take('1', ANYBODY), await take('2', ANN)]).toEqual([undefined, 503])
  await all.leave({ id: '1', principal: ANYBODY })
  expect(await take('3', ANN)).toBe(undefined)
})

it('has a session that was never used make room for another of the same caller', async () => {
  const { take, places, ended } = createPlaces({ maxSessionsPerCaller: 1 })
  await take('1', ANN)
  places.count(ANN, (share) => void share.sessions++)
  places.begin('1', ANN)
  expect(await take('2', ANN)).toBe(undefined)
  expect(ended).toEqual(['1'])
})

it('has one that is silent make room for anybody, and none for a caller that has all its own', async () => {
  const { take, ended } = createPlaces({ maxSessions: 1, silent: ['1'] })
  await take('1', ANYBODY)
  expect([await take('2', ANYBODY), await take('3', ANYBODY)]).toEqual([undefined, 503])
  expect(ended).toEqual(['1'])
  const own = createPlaces({ maxSessionsPerCaller: 1, silent: ['1'] })
  await own.take('1', ANN)
  expect([await own.take('2', ANN), own.ended]).toEqual([429, []])
})

it('is kept for as long as somebody says so where nodes share them, and for good where there is one', async () => {
  expect(createPlaces().all.ttlMs).toBe(Number.POSITIVE_INFINITY)
  const { all, store, take } = createPlaces({ shared: true, maxSessions: 1, maxSessionsPerCaller: 1 })
  expect(all.ttlMs).toBe(1250)
  let ended = 0
  const kept = { key: 'k', id: '1', principal: ANN, ended: () => void ended++ }
  all.keep(kept)
  await new Promise(setImmediate)
  expect(ended).toBe(1)
  await store.put('k', 1)
  all.keep(kept)
  await new Promise(setImmediate)
  expect([ended, await take('2', ANN), await take('2', ANYBODY)]).toEqual([1, 429, 503])
  const alone = createPlaces({ maxSessions: 1 })
  alone.all.keep(kept)
  await new Promise(setImmediate)
  expect([ended, await alone.take('2', ANYBODY)]).toEqual([1, undefined])
})

it.each(['touch', 'enter'] as const)(
  'tells the operator where a place cannot be kept: %s',
  async (broken) => {
    const { all, store, failures } = createPlaces({ shared: true })
    await store.put('k', 1)
    const { [broken]: works } = store
    Object.assign(store, {
      [broken]: async (...args: [string, ...never[]]) => {
        if (broken === 'touch' || args[0] === 'sessions/ann') throw new Error('away')
        return (works as (...given: unknown[]) => unknown).apply(store, args)
      },
    })
    all.keep({ key: 'k', id: '1', principal: ANN, ended: () => {} })
    await new Promise(setImmediate)
    expect(failures).toMatchObject([{ kind: 'crashed', error: { message: 'away' } }])
  },
)
