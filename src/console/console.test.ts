import { expect, it } from 'vitest'
import { Console, type ConsoleLimits } from './console.ts'
import type { ConsoleEvent } from './events.ts'

/** A console by a clock of our own, and readers that take what they are told when we say so. */
function create(limits: Partial<ConsoleLimits> = {}) {
  const timers = new Set<() => void>()
  let state = { sessions: [], nodes: [], usage: {} as { [name: string]: { used: number; limit: number } } }
  const console = new Console({
    limits: { messages: 10_000, bytes: 1e7, messageBytes: 1e6, readers: 4, ...limits },
    clock: {
      now: () => 1000,
      randomId: () => 'run-1',
      after: (_ms, run) => {
        timers.add(run)
        return () => timers.delete(run)
      },
    },
    hello: () => ({
      ...{ server: { name: 's', version: '1' }, endpoint: './mcp', sse: null },
      ...{ revisions: [], keyNeeded: false, opensMcp: false, panels: [] },
    }),
    state: () => state,
  })
  const pass = () => {
    for (const run of [...timers]) {
      timers.delete(run)
      run()
    }
  }
  const add = (count = 1, text = 'hi') => {
    for (let one = 0; one < count; one++)
      console.add({
        ...{ connection: 'c1', transport: 'stdio', direction: 'in', revision: null },
        printed: JSON.stringify({ jsonrpc: '2.0', method: 'x', params: { text } }),
      })
  }
  const use = (used: number) => {
    state = { ...state, usage: { maxCalls: { used, limit: 9 } } }
  }
  return { console, pass, add, use, timers }
}

function createSink() {
  const told: ConsoleEvent[] = []
  const sink = {
    told,
    unread: 0,
    ended: false,
    most: 0,
    slow: false,
    tell(text: string) {
      told.push(JSON.parse(text) as ConsoleEvent)
      if (sink.slow) sink.unread += text.length
      sink.most = Math.max(sink.most, sink.unread)
    },
    end() {
      sink.ended = true
    },
  }
  return sink
}

const typesOf = ({ told }: { told: readonly ConsoleEvent[] }) => told.map(({ type }) => type)
const seqsOf = ({ told }: { told: readonly ConsoleEvent[] }) =>
  told.flatMap((event) => (event.type === 'messages' ? event.items.map(({ seq }) => seq) : []))

it('says whose it is, tells what is kept after a number, and goes on with what comes', () => {
  const { console, add, pass } = create()
  add(5)
  const sink = createSink()
  console.read(sink, 2)
  expect(typesOf(sink)).toEqual(['hello', 'state', 'messages'])
  expect(seqsOf(sink)).toEqual([3, 4, 5])
  add(3)
  expect(seqsOf(sink)).toEqual([3, 4, 5]) // Not one by one.
  pass()
  expect(seqsOf(sink)).toEqual([3, 4, 5, 6, 7, 8])
})

it('tells a reader that comes with a number of another run all there is', () => {
  const { console, add } = create()
  add(2)
  const sink = createSink()
  console.read(sink, 5000)
  expect(seqsOf(sink)).toEqual([1, 2])
})

it('says how many are not told, because they are not kept any more', () => {
  const { console, add } = create({ messages: 10 })
  add(25)
  const sink = createSink()
  console.read(sink, 3)
  expect(sink.told.find(({ type }) => type === 'dropped')).toEqual({ type: 'dropped', count: 12 })
  expect(seqsOf(sink)).toHaveLength(10)
})

it('makes nothing grow for a reader that does not read, and tells it what it has missed', () => {
  const { console, add, pass } = create({ messages: 100 })
  const sink = createSink()
  sink.slow = true
  console.read(sink, 0)
  const begun = sink.told.length
  for (let round = 0; round < 50; round++) {
    add(200, 'x'.repeat(1000))
    pass()
  }
  expect(sink.told.length).toBe(begun)
  expect(sink.most).toBeLessThan(300 * 1024)
  expect(console.messages.size).toBe(100)
  sink.unread = 0
  sink.slow = false
  pass()
  expect(sink.told.find(({ type }) => type === 'dropped')).toEqual({ type: 'dropped', count: 9900 })
  expect(seqsOf(sink).at(-1)).toBe(10_000)
})

it('tells ten thousand messages, in batches that are not long', () => {
  const { console, add, pass } = create()
  const sink = createSink()
  console.read(sink, 0)
  add(10_000, 'x'.repeat(100))
  for (let round = 0; round < 100; round++) pass()
  expect(seqsOf(sink)).toEqual(Array.from({ length: 10_000 }, (_, index) => index + 1))
  const batches = sink.told.filter(({ type }) => type === 'messages')
  for (const batch of batches) expect(JSON.stringify(batch).length).toBeLessThan(700 * 1024)
})

it('looks at the server while somebody reads, and tells when something has changed', () => {
  const { console, pass, use, timers } = create()
  expect(timers.size).toBe(0)
  const sink = createSink()
  const leave = console.read(sink, 0)
  pass()
  pass()
  expect(typesOf(sink)).toEqual(['hello', 'state'])
  use(3)
  pass()
  pass()
  expect(typesOf(sink)).toEqual(['hello', 'state', 'state'])
  leave()
  expect(timers.size).toBe(0)
})

it('tells of what happens beside the messages, also who comes later', () => {
  const { console, pass } = create()
  const early = createSink()
  console.read(early, 0)
  console.notice('info', 'reloaded in 84 ms: +1 tool')
  console.notice('error', 'password=hunter2 is wrong')
  pass()
  const late = createSink()
  console.read(late, 0)
  for (const { told } of [early, late])
    expect(told.filter(({ type }) => type === 'notice')).toEqual([
      { type: 'notice', level: 'info', text: 'reloaded in 84 ms: +1 tool', time: 1000 },
      { type: 'notice', level: 'error', text: 'password=[redacted] is wrong', time: 1000 },
    ])
})

it('says once more whose it is when asked to', () => {
  const { console } = create()
  const sink = createSink()
  console.read(sink, 0)
  console.greet()
  expect(typesOf(sink)).toEqual(['hello', 'state', 'hello'])
})

it('ends everybody when it is closed, with the last that there is', () => {
  const { console, timers, add } = create()
  const sinks = [createSink(), createSink()]
  for (const sink of sinks) console.read(sink, 0)
  add(2)
  console.close()
  expect(sinks.map(seqsOf)).toEqual([
    [1, 2],
    [1, 2],
  ])
  expect(sinks.map(({ ended }) => ended)).toEqual([true, true])
  expect([console.readers, timers.size]).toEqual([0, 0])
})

it('keeps the beginning of a message that is too long', () => {
  const { console, add } = create({ messageBytes: 5000 })
  add(1, `password=hunter2 ${'x'.repeat(100_000)}`)
  const [kept] = console.messages.after(0)
  expect(kept).toMatchObject({ cut: true, bytes: 100_068 })
  expect(kept?.text.length).toBeLessThan(3000)
  expect(kept?.text).not.toContain('hunter2')
})
