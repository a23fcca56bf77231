import { PassThrough } from 'node:stream'
import { expect, it } from 'vitest'
import { defineServer } from '../../authoring/define-server.ts'
import { Conversation } from './conversation.ts'

const OPEN =
  '{"jsonrpc":"2.0","id":"open","method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"c","version":"1"}}}\n'

const call = (id: number, name: string) =>
  `${JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/call', params: { name, arguments: {} } })}\n`
const ping = (id: number) => `{"jsonrpc":"2.0","id":${id},"method":"ping"}\n`
const cancel = (requestId: number) =>
  `${JSON.stringify({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId } })}\n`

/** A conversation whose writes are counted, and whose reader may be slow. */
function converse({ maxCalls = 100, full = () => false }: { maxCalls?: number; full?: () => boolean } = {}) {
  const input = new PassThrough()
  const writes: string[] = []
  const drains: (() => void)[] = []
  const held: (() => void)[] = []
  let ended = 0
  const server = defineServer({
    name: 's',
    version: '1',
    tools: [
      { name: 'now', run: () => 'now' },
      { name: 'large', run: () => 'x'.repeat(300_000) },
      { name: 'held', run: () => new Promise((resolve) => held.push(() => resolve('let go'))) },
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
    maxLineBytes: 10_000,
    maxCalls,
    ended: () => ended++,
  })
  const ids = () =>
    writes
      .join('')
      .split('\n')
      .slice(0, -1)
      .map((line) => (JSON.parse(line) as { id?: unknown }).id)
  return { input, writes, drains, held, conversation, ids, ended: () => ended }
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
  for (let count = 0; count < 100; count++) {
    input.write(ping(count).padStart(50_000))
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

it('lets further calls wait while enough are at work, but nothing else', async () => {
  const { input, ids, held } = converse({ maxCalls: 2 })
  input.write(
    OPEN + call(1, 'held') + call(2, 'held') + cancel(1) + call(3, 'held') + call(4, 'now') + ping(5),
  )
  await turn()
  expect(held).toHaveLength(3)
  expect(ids()).toEqual(['open'])
  held[1]?.()
  await turn()
  expect(ids()).toEqual(['open', 2, 4, 5])
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
