import { expect, it } from 'vitest'
import type { Link, Principal } from '../../../kernel/index.ts'
import { Traffic } from '../../traffic.ts'
import type { BodySink, Exchange, StreamWatch } from '../exchange.ts'
import { Places } from '../limits.ts'
import type { HttpState } from '../state.ts'
import { openSink } from './sink.ts'

const ANN: Principal = { id: 'ann' }

/** One stream to a client that reads when it is told to. */
function openStream({
  maxUnreadBytes = 100,
  maxUnsentBytes = 1000,
  link = undefined as Link | undefined,
} = {}) {
  let now = 0
  const timers: { readonly at: number; readonly run: () => void; off?: true }[] = []
  const after = (milliseconds: number, run: () => void) => {
    const timer: (typeof timers)[number] = { at: now + milliseconds, run }
    timers.push(timer)
    return () => {
      timer.off = true
    }
  }
  const pass = (milliseconds: number) => {
    now += milliseconds
    for (const timer of timers.splice(0)) {
      if (timer.off) continue
      if (timer.at <= now) timer.run()
      else timers.push(timer)
    }
  }
  const seen: unknown[] = []
  const usage = { saw: (...told: unknown[]) => void seen.push(told) }
  const state = {
    places: new Places(),
    sinks: new Set<BodySink>(),
    settings: { maxUnreadBytes },
    traffic: new Traffic({ maxArrivingBytes: 1000, maxUnsentBytes }, () => now),
    server: { usage, platform: { now: () => now, after } },
  } as unknown as HttpState // Only what is asked for here.
  const said: string[] = []
  let read = () => {}
  const body = {
    unread: 0,
    write() {},
    end: () => void said.push('end'),
    destroy: () => void said.push('destroy'),
    drained: (run: () => void) => {
      read = () => {
        read = () => {}
        run()
      }
    },
  }
  let watch: StreamWatch | undefined
  const exchange = {
    stream: (_headers: unknown, watching: StreamWatch) => {
      watch = watching
      return body
    },
  } as unknown as Exchange // The rest of it is not asked for.
  const gone = () => void said.push('gone')
  openSink(state, exchange, { headers: {}, gone, principal: ANN, link })
  if (watch === undefined) throw new Error('nobody watches')
  return { state, body, said, seen, pass, watch, read: () => read(), timers }
}

it('takes a place for as long as it is open', () => {
  const { state, watch, said } = openStream()
  expect([state.places.all.streams, state.places.find(ANN)?.streams, state.sinks.size]).toEqual([1, 1, 1])
  watch.ended()
  watch.ended()
  expect([state.places.all.streams, state.places.find(ANN), state.sinks.size]).toEqual([0, undefined, 0])
  expect(said).toEqual([])
  watch.gone()
  expect([said, state.places.all.streams]).toEqual([['gone'], 0])
})

it('is dropped when its reader has not read what was too much before, a moment later', () => {
  const { state, body, said, seen, pass, watch } = openStream()
  body.unread = 500
  watch.crowded(100)
  pass(50)
  expect(said).toEqual([])
  watch.crowded(101)
  watch.crowded(101)
  pass(49)
  expect(said).toEqual([])
  pass(1)
  expect(said).toEqual(['destroy', 'gone'])
  expect(seen).toContainEqual(['maxUnreadBytes', 500])
  expect([state.traffic.unsent, state.places.all.streams]).toEqual([0, 0])
})

it('is looked after by one clock, however much is written that its reader does not read', () => {
  const { body, watch, timers } = openStream()
  body.unread = 500
  for (let written = 0; written < 3; written++) watch.crowded(101)
  expect(timers).toHaveLength(1)
})

it('is kept where its reader has read meanwhile, and watched again after that', () => {
  const { body, said, pass, watch } = openStream()
  body.unread = 500
  watch.crowded(101)
  body.unread = 100
  pass(50)
  expect(said).toEqual([])
  body.unread = 101
  watch.crowded(101)
  pass(50)
  expect(said).toEqual(['destroy', 'gone'])
})

it('counts as unsent until it has been read', () => {
  const { state, body, watch, read } = openStream()
  for (let round = 0; round < 2; round++) {
    body.unread = 50
    watch.crowded(0)
    expect(state.traffic.unsent).toBe(50)
    body.unread = 0
    read()
    body.unread = 20
    expect(state.traffic.unsent).toBe(0)
  }
  watch.crowded(0)
  expect(state.traffic.unsent).toBe(20)
  watch.ended()
  expect(state.traffic.unsent).toBe(0)
})

it('is dropped where there is no room for more on the way', () => {
  const { body, said, watch } = openStream({ maxUnsentBytes: 50 })
  body.unread = 50
  watch.crowded(0)
  expect(said).toEqual(['destroy', 'gone'])
})

it('ends when what its caller proved itself with has expired, unless it has come with more', () => {
  const link = { principal: { id: 'ann', expires: 1000 } } as { principal: Principal }
  const { said, pass } = openStream({ link: link as Link })
  pass(999)
  expect(said).toEqual([])
  link.principal = { id: 'ann', expires: 3000 }
  pass(1)
  expect(said).toEqual([])
  pass(2000)
  expect(said).toEqual(['end', 'gone'])
})

it('is open to the last millisecond of what its caller proved itself with', () => {
  const link = { principal: { id: 'ann', expires: 1 } } as Link
  const { said, pass } = openStream({ link })
  expect(said).toEqual([])
  pass(1)
  expect(said).toEqual(['end', 'gone'])
})

it('waits for nothing once it has ended', () => {
  const link = { principal: { id: 'ann', expires: 1000 } } as Link
  const { said, pass, watch } = openStream({ link })
  watch.ended()
  pass(2000)
  expect(said).toEqual([])
})
