import { expect, it as test } from 'vitest'
import { Child, call, needProc, OPENING, ping, textOf } from './child.ts'

/** Each has a process of its own, and most of them wait most of the time. */
const it = test.concurrent

it('keeps stdout for the protocol, whatever a tool writes', async () => {
  await using child = new Child()
  child.say(...OPENING, call(1, 'chatty'), call(2, 'chatty'))
  expect(textOf(await child.answer(1))).toBe('quiet')
  expect(textOf(await child.answer(2))).toBe('quiet')
  child.process.stdin.end()
  await child.closed
  const output = Buffer.concat(child.chunks).toString()
  expect(output).not.toContain('from')
  for (const way of ['console.log', 'console.info', 'console.table', 'process.stdout.write', 'bytes'])
    expect(child.stderr).toContain(`from ${way}`.replace('from console.table', 'console.table'))
  expect(child.stderr).toContain('from process.stdout.end')
})

it('answers many requests that came together in one piece', async () => {
  await using child = new Child()
  child.say(ping('first'))
  await child.answer('first')
  const before = child.chunks.length
  child.say(...Array.from({ length: 200 }, (_, id) => ping(id)))
  await child.answer(199)
  expect(child.chunks.length - before).toBeLessThan(20) // One, unless the machine is so slow that others have a turn between.
})

it.each(['bigint', 'bigint_later', 'circular', 'bigint_block', 'throw_nothing', 'bigint_log'])(
  'tells of a failure under its id when a tool gives what is no JSON: %s',
  async (tool) => {
    await using child = new Child()
    child.say(...OPENING, call('odd', tool))
    const { result, error } = await child.answer('odd')
    expect(result?.['isError'] ?? error?.code).toBe(tool === 'bigint_block' ? -32603 : true)
    child.say(ping('after'))
    expect(await child.answer('after')).toMatchObject({ result: {} })
  },
)

it('sends a result of 5 MB whole', async () => {
  await using child = new Child()
  child.say(...OPENING, call(1, 'large', { bytes: 5_000_000 }))
  expect(textOf(await child.answer(1))).toBe('x'.repeat(5_000_000))
})

it('sends a result of 5 MB whole when the input ends at once', async () => {
  await using child = new Child({ reading: 'later' })
  child.say(...OPENING, call(1, 'large', { bytes: 5_000_000 }))
  child.process.stdin.end()
  child.read()
  expect(textOf(await child.answer(1))).toBe('x'.repeat(5_000_000))
  expect(await child.ended).toBe(0)
})

test('waits with reading when nobody reads, and then answers all of 50,000 calls', async (context) => {
  needProc(context)
  await using child = new Child({ reading: 'later' })
  const count = 50_000
  child.say(...OPENING)
  for (let id = 1; id <= count; id++) child.say(call(id, 'echo', { text: 'some text to be given back' }))
  await settled(() => child.process.stdin.writableLength)
  expect(child.process.stdin.writableLength).toBeGreaterThan(0)
  child.read()
  const ids = new Set<unknown>()
  for (let heard = await child.next(); heard !== undefined; heard = await child.next()) {
    if (heard.result !== undefined) ids.add(heard.id)
    if (ids.size === count + 1) break
  }
  expect(child.peakMemory()).toBeLessThan(300)
  child.process.stdin.end()
  expect(await child.ended).toBe(0)
})

test('does not pile up large results that nobody reads', async (context) => {
  needProc(context)
  await using child = new Child({ reading: 'later' })
  const count = 300
  child.say(...OPENING)
  for (let id = 1; id <= count; id++) child.say(call(id, 'large', { bytes: 1_000_000 }))
  await settled(() => child.process.stdin.writableLength)
  child.read()
  await child.answer(count)
  expect(child.peakMemory()).toBeLessThan(300)
})

test('keeps only so much of a log that nobody reads', async (context) => {
  needProc(context)
  await using child = new Child()
  child.process.stderr.pause()
  child.say(...OPENING)
  for (let id = 1; id <= 20_000; id++) child.say(call(id, 'chatty'))
  await child.answer(20_000)
  expect(child.peakMemory()).toBeLessThan(300)
})

it('goes on when nobody wants its log', async () => {
  await using child = new Child()
  child.process.stderr.destroy()
  child.say(...OPENING)
  for (let id = 1; id <= 100; id++) {
    child.say(call(id, 'chatty'))
    expect(textOf(await child.answer(id))).toBe('quiet')
  }
})

it('lets a cancellation through when as many calls as allowed are at work', async () => {
  await using child = new Child({ settings: { maxCallsPerPipe: 2 } })
  const cancel = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } }
  child.say(...OPENING, call(1, 'never'), call(2, 'never'), cancel, call(3, 'echo', { text: 'next' }))
  expect(textOf(await child.answer(3))).toBe('next')
})

it('stays up while reading is paused and its only call waits for nothing', async () => {
  await using child = new Child({ settings: { maxCallsPerPipe: 1, parentCheckMs: 50 } })
  child.say(...OPENING, call(1, 'never'))
  for (let id = 2; id < 30_000; id++) child.say(call(id, 'echo', { text: 'waits for its turn' }))
  await settled(() => child.process.stdin.writableLength)
  expect(child.process.stdin.writableLength).toBeGreaterThan(0)
  expect(child.process.exitCode).toBe(null)
})

it.each(['unreadable', 'refused', 'crashed', 'link-opened'])(
  'survives an observer that fails on %s',
  async (kind) => {
    await using child = new Child({ env: { FAIL_ON: kind } })
    child.say(call(1, 'echo'), ...OPENING, call(2, 'bigint_later'), call(3, 'throw_nothing'))
    child.write('nonsense\n')
    child.say(call(4, 'echo', { text: 'here' }))
    expect(textOf(await child.answer(4))).toBe('here')
    child.process.stdin.end()
    expect(await child.ended).toBe(0)
    await child.closed
    expect(child.stderr).toContain('an observer that fails')
  },
)

/** Waits until a number no longer changes. */
async function settled(read: () => number): Promise<void> {
  for (let before = -1, now = read(); before !== now; ) {
    await new Promise((resolve) => setTimeout(resolve, 200))
    before = now
    now = read()
  }
}
