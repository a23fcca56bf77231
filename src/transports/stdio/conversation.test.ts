import { PassThrough } from 'node:stream'
import { expect, it } from 'vitest'
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
  full = () => false,
  dialect = {},
}: {
  maxCalls?: number
  full?: () => boolean
  dialect?: Partial<Dialect>
} = {}) {
  const input = new PassThrough()
  const writes: string[] = []
  const drains: (() => void)[] = []
  const held: (() => void)[] = []
  let ended = 0
  const server = defineServer({
    name: 's',
    version: '1',
    dialect,
    tools: [
      { name: 'now', run: () => 'now' },
      { name: 'large', run: () => 'x'.repeat(300_000) },
      { name: 'held', run: () => new Promise((resolve) => held.push(() => resolve('let go'))) },
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
    },
    budgets: { ...server.budgets, maxLineBytes: 10_000, maxCallsPerPipe: maxCalls },
    ended: () => ended++,
  })
  const ids = () =>
    writes
      .join('')
      .split('\n')
      .slice(0, -1)
      .map((line) => (JSON.parse(line) as { id?: unknown }).id)
  return { input, writes, drains, held, conversation, ids, usage: server.usage, ended: () => ended }
}

const turn = () => new Promise(setImmediate)

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

it('holds no more answers than there may be calls at work', async () => {
  const { input, ids, held } = converse({ maxCalls: 3, dialect: { answers: 'as-called' } })
  input.write(OPEN + call(1, 'held') + [2, 3, 4, 5].map((id) => call(id, 'held')).join(''))
  await turn()
  held[1]?.()
  held[2]?.()
  await turn()
  expect(held).toHaveLength(3)
  held[0]?.()
  await turn()
  expect(held).toHaveLength(5)
  expect(ids()).toEqual(['open', 1, 2, 3])
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

it('finishes at once when there is nothing to do, and says nothing', async () => {
  const { writes, conversation } = converse()
  await conversation.finish()
  expect(writes).toEqual([])
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
