import { PassThrough } from 'node:stream'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { defineServer } from '../../authoring/define-server.ts'
import type { Call, Dialect } from '../../kernel/index.ts'
import { Conversation } from './conversation.ts'

const OPEN =
  '{"jsonrpc":"2.0","id":"open","method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"c","version":"1"}}}\n'

const call = (id: number, name: string) =>
  `${JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/call', params: { name, arguments: {} } })}\n`
const ping = (id: number) => `{"jsonrpc":"2.0","id":${id},"method":"ping"}\n`
const cancel = (requestId: number) =>
  `${JSON.stringify({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId } })}\n`

/** A conversation whose writes are counted, and whose reader may be slow. */
function converse({
  maxCalls = 100,
  maxUnsent = 10_000_000,
  full = () => false,
  dialect = {},
}: {
  maxCalls?: number
  maxUnsent?: number
  full?: () => boolean
  dialect?: Partial<Dialect>
} = {}) {
  const input = new PassThrough()
  const writes: string[] = []
  const drains: (() => void)[] = []
  const held: ((text?: string) => void)[] = []
  const noted: string[] = []
  let ended = 0
  const server = defineServer({
    name: 's',
    version: '1',
    dialect,
    modules: [
      { name: 'watch', observe: (event) => void (event.kind === 'noted' && noted.push(event.message)) },
    ],
    tools: [
      { name: 'now', run: () => 'now' },
      { name: 'large', run: () => 'x'.repeat(300_000) },
      { name: 'held', run: () => new Promise((resolve) => held.push((text = 'let go') => resolve(text))) },
      {
        name: 'asks',
        run: async (_args: unknown, call: Call) => {
          const answers = await call.link.ask({
            method: 'elicitation/create',
            params: {},
            outlet: call.outlet,
            timeoutMs: 10_000,
            signal: call.signal,
          })
          return String(answers['action'])
        },
      },
      { name: 'soon', run: async () => 'soon' },
      {
        name: 'announces',
        run: (_args: unknown, { link }: Call) => {
          link.hold()
          link.notify('notifications/message', { level: 'info', data: 'announced' })
          return 'done'
        },
      },
      { name: 'large_later', run: async () => 'x'.repeat(300_000) },
      {
        name: 'talks',
        run: async (_args: unknown, call: Call) => {
          await turn()
          for (let round = 0; round < 20; round++) call.log('error', 'y'.repeat(100_000))
          return 'said'
        },
      },
    ],
  })
  const conversation = new Conversation({
    server,
    input,
    output: {
      write: (text, written) => {
        if (text !== '') writes.push(text)
        written?.()
        return !full()
      },
      onceDrained: (resume) => drains.push(resume),
      get waiting() {
        return full() ? writes.join('').length : 0
      },
    },
    budgets: {
      ...server.budgets,
      maxLineBytes: 10_000,
      maxCallsPerPipe: maxCalls,
      maxUnsentPerPipeBytes: maxUnsent,
    },
    ended: () => ended++,
  })
  const ids = () =>
    writes
      .join('')
      .split('\n')
      .slice(0, -1)
      .map((line) => (JSON.parse(line) as { id?: unknown }).id)
  return { input, writes, drains, held, noted, conversation, ids, usage: server.usage, ended: () => ended }
}

/** Long enough for what settles now to have left. */
const turn = async () => {
  await new Promise(setImmediate)
  await new Promise(setImmediate)
}

// However long a test takes, nothing has waited for long unless it says so.
beforeEach(() => void vi.useFakeTimers({ toFake: ['performance'] }))
afterEach(() => void vi.useRealTimers())

it('answers one chunk in one write', async () => {
  const { input, writes, ids } = converse()
  input.write([OPEN, ping(1), call(2, 'now'), 'nonsense\n', ping(3)].join(''))
  await turn()
  expect(writes).toHaveLength(1)
  expect(ids()).toEqual(['open', 1, 2, undefined, 3])
})

it('sends what settles together in one write', async () => {
  const { input, writes } = converse()
  input.write(OPEN)
  await turn()
  input.write(call(1, 'soon') + call(2, 'soon') + call(3, 'soon'))
  await turn()
  expect(writes).toHaveLength(2)
})

/** Calls that end one after the other in one turn of the event loop. */
async function endTogether(texts: readonly string[], between = () => {}) {
  const { input, writes, held } = converse()
  input.write(OPEN + texts.map((_, id) => call(id, 'held')).join(''))
  await turn()
  for (const [at, text] of texts.entries())
    setImmediate(() => {
      held[at]?.(text)
      between()
    })
  await turn()
  return writes.slice(1).map((text) => text.trim().split('\n').length)
}

it('sends what settles in one turn of the event loop in one write', async () => {
  expect(await endTogether(['a', 'b', 'c'])).toEqual([3])
})

it('does not wait for the end of a turn with what is long enough', async () => {
  const long = 'x'.repeat(20_000)
  expect(await endTogether([long, 'b', long, 'd'])).toEqual([1, 2, 1])
})

it('does not wait for the end of a turn that takes its time', async () => {
  expect(await endTogether(['a', 'b', 'c'], () => vi.advanceTimersByTime(2))).toEqual([2, 1])
})

it('goes on with what was said next where something fails', async () => {
  let fails = true
  const { input, ids } = converse({
    full: () => {
      if (!fails) return false
      fails = false
      throw new Error('broken')
    },
  })
  input.pause()
  expect(() => input.emit('data', Buffer.from(OPEN + call(1, 'large') + ping(2)))).toThrow('broken')
  await turn()
  expect(ids()).toEqual(['open', 2])
})

it('does not gather more than it should hold', async () => {
  const { input, writes } = converse()
  input.write(OPEN + call(1, 'large') + call(2, 'large') + ping(3))
  await turn()
  expect(writes.map((text) => text.length > 250_000)).toEqual([true, true, false])
})

it('takes up nothing more while nobody reads, and goes on when somebody does', async () => {
  let blocked = true
  const { input, ids, drains } = converse({ full: () => blocked })
  input.write(OPEN)
  await turn()
  input.write(ping(1))
  input.write(ping(2))
  await turn()
  expect(ids()).toEqual(['open'])
  blocked = false
  drains[0]?.()
  expect(ids()).toEqual(['open', 1, 2])
})

it('reads so far ahead and no further', async () => {
  const { input } = converse({ full: () => true })
  input.write(OPEN)
  await turn()
  for (let count = 0; count < 500; count++) {
    input.write(ping(count).padStart(9000))
    await turn()
  }
  expect(input.isPaused()).toBe(true)
  expect(input.readableLength + input.writableLength).toBeGreaterThan(3_000_000)
})

it('notices the end of input while nobody reads', async () => {
  const { input, ended } = converse({ full: () => true })
  input.end(OPEN + ping(1))
  await turn()
  expect(ended()).toBe(1)
})

it('reads no more messages ahead than it should hold, however short they are', async () => {
  const { input, usage } = converse({ full: () => true })
  input.write(OPEN)
  await turn()
  for (let count = 0; count < 30; count++) {
    input.write('1\n'.repeat(1000))
    await turn()
  }
  expect(input.isPaused()).toBe(true)
  expect(usage.read('maxReadAheadMessages')).toBe(10_000)
  expect(usage.read('maxReadAheadBytes')).toBe(10_000)
})

it('lets further calls wait while enough are at work, and nothing else', async () => {
  const { input, ids, held, usage } = converse({ maxCalls: 2 })
  input.write(OPEN + call(1, 'held') + call(2, 'held') + call(3, 'held') + call(4, 'now') + ping(5))
  await turn()
  expect(held).toHaveLength(2)
  expect(ids()).toEqual(['open', 5])
  expect(usage.read('maxReadAheadMessages')).toBe(2)
  held[1]?.()
  await turn()
  expect(held).toHaveLength(3)
  held[0]?.()
  await turn()
  expect(ids()).toEqual(['open', 5, 2, 1, 4])
  expect(usage.read('maxReadAheadBytes')).toBe(0)
})

it('lets cancels overtake the calls that wait for a place, and never begins a call that is cancelled', async () => {
  const { input, ids, held } = converse({ maxCalls: 2 })
  input.write(OPEN + [1, 2, 3, 4, 5].map((id) => call(id, 'held')).join(''))
  await turn()
  expect(held).toHaveLength(2)
  input.write(cancel(4) + cancel(1) + cancel(2))
  await turn()
  expect(held).toHaveLength(4)
  held[2]?.()
  held[3]?.()
  await turn()
  expect(ids()).toEqual(['open', 3, 5])
})

it('finds the call to be cancelled by its id, also when the client has used that twice', async () => {
  const { input, ids, held } = converse({ maxCalls: 1 })
  input.write(OPEN + call(1, 'held') + call(2, 'held') + call(2, 'now') + call(3, 'now'))
  await turn()
  input.write(cancel(2) + cancel(4))
  await turn()
  held[0]?.()
  await turn()
  expect(held).toHaveLength(1)
  expect(ids()).toEqual(['open', 1, 2, 3])
})

it('does not go through the calls that wait for every cancel', async () => {
  const { input, ids } = converse({ maxCalls: 1 })
  input.write(OPEN + call(0, 'held'))
  for (let id = 1; id <= 1000; id++) input.write(call(id, 'held'))
  await turn()
  const looked = vi.spyOn(Object.getPrototypeOf(new Set().values()), 'next')
  input.write(Array.from({ length: 500 }, () => cancel(-1)).join('') + ping(9999))
  while (!ids().includes(9999)) await turn()
  const { length } = looked.mock.calls
  looked.mockRestore()
  expect(length).toBeLessThan(10_000)
})

it('lets answers overtake the calls that wait for a place', async () => {
  const { input, writes, held } = converse({ maxCalls: 1 })
  input.write(OPEN.replace('"capabilities":{}', '"capabilities":{"elicitation":{}}'))
  input.write(call(1, 'asks'))
  await turn()
  const question = JSON.parse(writes.at(-1) ?? '')
  input.write(call(2, 'held') + call(3, 'held'))
  await turn()
  expect(held).toHaveLength(0)
  input.write(`${JSON.stringify({ jsonrpc: '2.0', id: question.id, result: { action: 'decline' } })}\n`)
  await turn()
  expect(writes.at(-1)).toContain('decline')
})

it('answers when an answer is ready, or in the order of the calls where the dialect says so', async () => {
  const said = async (dialect: Partial<Dialect>) => {
    const { input, ids, held } = converse({ dialect })
    input.write(OPEN + call(1, 'held') + call(2, 'now') + call(3, 'held') + call(4, 'none') + ping(5))
    input.write(call(6, 'held') + cancel(6) + call(7, 'soon'))
    await turn()
    held[1]?.()
    await turn()
    held[0]?.()
    await turn()
    return ids()
  }
  expect(await said({})).toEqual(['open', 2, 4, 5, 7, 3, 1])
  expect(await said({ answers: 'as-called' })).toEqual(['open', 5, 1, 2, 3, 4, 7])
})

it('keeps what has to follow an answer until one has left, also where answers wait for each other', async () => {
  const { input, ids, held } = converse({ dialect: { answers: 'as-called' } })
  input.write(OPEN + call(1, 'held') + call(2, 'announces'))
  await turn()
  expect(ids()).toEqual(['open'])
  held[0]?.()
  await turn()
  expect(ids()).toEqual(['open', 1, undefined, 2])
})

it('holds no more answers than there may be calls at work', async () => {
  const { input, ids, held } = converse({ maxCalls: 3, dialect: { answers: 'as-called' } })
  input.write(OPEN + call(1, 'held') + [2, 3, 4, 5].map((id) => call(id, 'held')).join(''))
  await turn()
  held[1]?.()
  held[2]?.()
  await turn()
  input.write(ping(9))
  await turn()
  expect(held).toHaveLength(3)
  held[0]?.()
  await turn()
  expect(held).toHaveLength(5)
  expect(ids()).toEqual(['open', 9, 1, 2, 3])
})

it('finishes when everything that was read is answered', async () => {
  const { input, ids, held, conversation } = converse({ maxCalls: 1 })
  input.write(OPEN + call(1, 'held') + call(2, 'now'))
  await turn()
  let finished = false
  const finishing = conversation.finish().then(() => {
    finished = true
  })
  await turn()
  expect(finished).toBe(false)
  held[0]?.()
  await finishing
  expect(ids()).toEqual(['open', 1, 2])
})

it('answers all that was read when it gives up, however much that is, and counts it', async () => {
  const { input, ids, held, conversation } = converse({ maxCalls: 1 })
  const all = Array.from({ length: 2500 }, (_, id) => id)
  input.write(OPEN + all.map((id) => call(id, 'held')).join(''))
  while (held.length === 0) await turn()
  expect(await conversation.giveUp()).toBe(2500)
  expect(new Set(ids())).toEqual(new Set(['open', ...all]))
  expect(held).toHaveLength(1)
})

it('finishes at once when there is nothing to do, and says nothing', async () => {
  const { writes, conversation } = converse()
  await conversation.finish()
  expect(writes).toEqual([])
})

it('counts no longer among what its server uses once it has finished', async () => {
  const { input, conversation, usage } = converse()
  input.write(OPEN)
  await turn()
  expect(usage.read('maxLineBytes')).toBeGreaterThan(0)
  await conversation.finish()
  expect(usage.read('maxLineBytes')).toBe(0)
})

it('takes text as well as bytes', async () => {
  const { input, ids } = converse()
  input.setEncoding('utf8')
  input.write(`${ping(1)}{"jsonrpc":"2.0","id":"ü","method":"ping"}\n`)
  await turn()
  expect(ids()).toEqual([1, 'ü'])
})

it('takes up a flood of lines in turns, so that the process can do other things between them', async () => {
  const { input, ids } = converse()
  let answeredAtOnce = 0
  input.once('data', () => setImmediate(() => (answeredAtOnce = ids().length)))
  input.write('1\n'.repeat(9000))
  input.write(ping(1))
  while (!ids().includes(1)) await new Promise(setImmediate)
  expect(ids()).toHaveLength(9001)
  expect(answeredAtOnce).toBeLessThan(5000)
})

it('puts an error in the place of a large answer when too much waits to be read, and keeps short ones', async () => {
  let unread = false
  const { input, writes, drains, noted, usage } = converse({ maxUnsent: 1_000_000, full: () => unread })
  input.write(OPEN)
  await turn()
  unread = true
  const calls = Array.from({ length: 10 }, (_, id) => call(id, 'large_later'))
  input.write(calls.join('') + call(10, 'soon'))
  await turn()
  const answers = writes.join('').trim().split('\n').slice(1)
  const said = answers.map((line) => JSON.parse(line) as { id: number; error?: { message: string } })
  expect(said.map(({ id }) => id).toSorted((a, b) => a - b)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10])
  const lost = said.filter(({ error }) => error !== undefined)
  expect(lost.map(({ id }) => id)).toEqual([3, 4, 5, 6, 7, 8, 9])
  expect(lost[0]?.error?.message).toMatch(
    /^The call is done, and its answer of 300\d+ bytes is lost: 9\d+ bytes wait to be read already, of at most 1000000 \(--max-unsent-per-pipe\)\. Read them, then ask again$/,
  )
  expect(noted).toEqual([expect.stringMatching(/^The client does not read: 9\d+ bytes wait to be read/)])
  expect(usage.read('maxUnsentPerPipeBytes')).toBeGreaterThan(900_000)
  unread = false
  drains[0]?.()
  input.write(call(11, 'large_later'))
  await turn()
  expect(writes.at(-1)?.length).toBeGreaterThan(300_000)
})

it('counts the answers that wait for those of earlier calls', async () => {
  const { input, writes, held, usage } = converse({ maxUnsent: 1_000_000, dialect: { answers: 'as-called' } })
  const calls = Array.from({ length: 10 }, (_, id) => call(id, 'large_later'))
  input.write(OPEN + call(-1, 'held') + calls.join(''))
  await turn()
  expect(usage.read('maxUnsentPerPipeBytes')).toBeGreaterThan(900_000)
  expect(usage.read('maxUnsentPerPipeBytes')).toBeLessThan(1_000_000)
  held[0]?.()
  await turn()
  expect(writes.join('').match(/Read them, then ask again/g)).toHaveLength(7)
  expect(usage.read('maxUnsentPerPipeBytes')).toBe(0)
})

it('leaves notices out when too much waits to be read', async () => {
  let unread = false
  const { input, writes, ids } = converse({ maxUnsent: 1_000_000, full: () => unread })
  input.write(OPEN)
  await turn()
  unread = true
  input.write(call(1, 'talks'))
  await turn()
  await turn()
  expect(ids()).toContain(1)
  expect(writes.join('').match(/notifications\/message/g)).toHaveLength(9)
})

it('gives one answer of any size to a client that has read everything', async () => {
  const { input, writes } = converse({ maxUnsent: 1000 })
  input.write(OPEN)
  await turn()
  input.write(call(1, 'large'))
  await turn()
  expect(writes.at(-1)?.length).toBeGreaterThan(300_000)
})

it('lets whatever else there is have its turn after a thousand messages, however many chunks have come', async () => {
  const { input, writes } = converse()
  const answered = () => writes.join('').split('\n').length - 1
  input.emit('data', Buffer.from(OPEN))
  for (let chunk = 0; chunk < 3; chunk++) input.emit('data', Buffer.from('1\n'.repeat(3000)))
  expect(answered()).toBeGreaterThan(0)
  expect(answered()).toBeLessThanOrEqual(1001)
  for (let round = 0; round < 20; round++) await turn()
  expect(answered()).toBe(9001)
})

it('looks at few lines at a time, however short they are', () => {
  const { input } = converse()
  const parse = vi.spyOn(JSON, 'parse')
  input.emit('data', Buffer.from(OPEN))
  parse.mockClear()
  input.emit('data', Buffer.from('1\n'.repeat(16_000)))
  expect(parse.mock.calls.length).toBeLessThan(1500)
  parse.mockRestore()
})
