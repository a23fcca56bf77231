import { expect, it, vi } from 'vitest'
import { talk } from '../../../test/setup/talk.ts'
import { defineServer } from '../../authoring/define-server.ts'
import type { Budgets } from '../budgets/budgets.ts'

const call = (id: number, name: string) => ({
  jsonrpc: '2.0',
  id,
  method: 'tools/call',
  params: { name, arguments: {} },
})
const calls = (count: number, name: string) => Array.from({ length: count }, (_, id) => call(id, name))
const cancel = (requestId: number) => ({
  jsonrpc: '2.0',
  method: 'notifications/cancelled',
  params: { requestId },
})

function serve(budgets: Partial<Budgets>) {
  const ends: (() => void)[] = []
  const begun = vi.fn()
  const server = defineServer({
    name: 's',
    version: '1',
    budgets,
    tools: [
      {
        name: 'large',
        run: () => {
          begun()
          return 'x'.repeat(10_000)
        },
      },
      { name: 'sized', input: { type: 'object' }, run: ({ length }) => 'x'.repeat(Number(length)) },
      {
        name: 'later',
        run: async () => {
          begun()
          await new Promise<void>((resolve) => ends.push(resolve))
          return 'x'.repeat(10_000)
        },
      },
    ],
  })
  const turn = () => new Promise(setImmediate)
  const endAll = async () => {
    for (let end = ends.shift(); end !== undefined; end = ends.shift()) {
      end()
      await turn()
    }
  }
  return { server, begun, ends, endAll, turn, to: talk(server, '2025-03-26') }
}

it('begins a few calls at a time, and answers all of them in their order', async () => {
  const { to, begun, ends, endAll, turn, server } = serve({ maxCallsPerBatch: 2 })
  to.send(calls(5, 'later'))
  expect(begun).toHaveBeenCalledTimes(2)
  ends.shift()?.()
  await turn()
  expect(begun).toHaveBeenCalledTimes(3)
  await endAll()
  expect(to.heard.map(({ id }) => id)).toEqual([0, 1, 2, 3, 4])
  expect(server.usage.read('maxCallsPerBatch')).toBe(2)
  expect(server.usage.read('maxBatchedBytes')).toBe(0)
})

it('does nothing more for a batch whose answers are large enough, and answers it at once where it can', () => {
  const { to, begun, server } = serve({ maxBatchAnswerBytes: 25_000 })
  to.send(calls(6, 'large'))
  expect(begun).toHaveBeenCalledTimes(3)
  expect(to.heard.filter((one) => 'result' in one)).toHaveLength(3)
  expect(to.heard[5]).toMatchObject({
    id: 5,
    error: {
      code: 429,
      message:
        'Too many requests: the other answers to this batch have more than 25000 bytes (--max-batch-answer); this was not done, send it in a part of its own',
    },
  })
  expect(server.usage.read('maxBatchAnswerBytes')).toBe(0)
})

it('holds no more answers to batches than there is room for, however many are at work', async () => {
  const { to, endAll, server } = serve({ maxBatchedBytes: 25_000 })
  to.send(calls(6, 'later'))
  await endAll()
  expect(to.heard.filter((one) => 'result' in one)).toHaveLength(2)
  expect(to.heard[5]).toMatchObject({ id: 5, error: { code: 429 } })
  expect(server.usage.read('maxBatchedBytes')).toBe(0)
})

it('lets notices overtake calls that wait, and never begins one that is called off', async () => {
  const { to, begun, endAll, turn } = serve({ maxCallsPerBatch: 1 })
  to.send([...calls(4, 'later'), cancel(0), cancel(2)])
  await turn()
  expect(begun).toHaveBeenCalledTimes(2)
  to.send(cancel(3))
  await endAll()
  expect(begun).toHaveBeenCalledTimes(2)
  expect(to.heard.map(({ id }) => id)).toEqual([1])
})

it('begins nothing more for a client that has left', async () => {
  const { to, begun, endAll } = serve({ maxCallsPerBatch: 1 })
  to.send([...calls(3, 'later'), call(2, 'later')])
  to.close()
  await endAll()
  expect(begun).toHaveBeenCalledTimes(1)
})

it('begins so many calls in a turn, however soon they are answered, and answers all in their order', async () => {
  const { to, begun, turn } = serve({ maxBatchAnswerBytes: 4_000_000 })
  to.send(calls(200, 'large'))
  expect(begun).toHaveBeenCalledTimes(8)
  expect(to.heard).toEqual([])
  await expect.poll(() => to.heard).toHaveLength(200)
  expect(to.heard.map(({ id }) => id)).toEqual(calls(200, 'large').map(({ id }) => id))
  await turn()
  expect(begun).toHaveBeenCalledTimes(200)
})

it('waits once for the next turn, however many are answered in this one', async () => {
  const { to, begun, endAll, server } = serve({})
  const next: (() => void)[] = []
  Object.assign(server.platform, { after: (_ms: number, run: () => void) => next.push(run) })
  to.send(calls(20, 'later'))
  await endAll()
  expect([begun.mock.calls.length, next.length]).toEqual([8, 1])
})

it('begins as many in the next turn as in the first', async () => {
  const { to, begun, turn, server } = serve({})
  const next: (() => void)[] = []
  Object.assign(server.platform, { after: (_ms: number, run: () => void) => next.push(run) })
  to.send(calls(20, 'large'))
  const counts = [begun.mock.calls.length]
  for (let run = next.shift(); run !== undefined; run = next.shift()) {
    run()
    counts.push(begun.mock.calls.length)
  }
  expect(counts).toEqual([8, 16, 20])
  await turn()
  expect(to.heard).toHaveLength(20)
})

it('begins nothing more in the next turn for a client that has left', async () => {
  const { to, begun, server } = serve({})
  to.send(calls(200, 'large'))
  to.close()
  await expect.poll(() => server.usage.read('maxUnderwayBytes')).toBe(0)
  expect(begun).toHaveBeenCalledTimes(8)
})

it('waits for its calls, and for no turn, where fewer have begun than may in one', async () => {
  const { to, endAll, server } = serve({ maxCallsPerBatch: 2 })
  const after = vi.spyOn(server.platform, 'after')
  to.send(calls(3, 'later'))
  expect(after).not.toHaveBeenCalled()
  await endAll()
  expect(to.heard).toHaveLength(3)
})

it.each([
  ['maxBatchAnswerBytes', 'the other answers to this batch'],
  ['maxBatchedBytes', 'the answers to batches under way'],
] as const)('has answered enough when its answers are as large as %s lets them be', async (name, whose) => {
  const measured = serve({})
  measured.to.send(calls(2, 'later'))
  measured.ends.shift()?.()
  await measured.turn()
  const bytes = measured.server.batched.total
  await measured.endAll()
  const { to, begun } = serve({ [name]: bytes })
  to.send(calls(2, 'large'))
  expect(begun).toHaveBeenCalledOnce()
  expect(to.heard).toMatchObject([
    { id: 0, result: {} },
    { id: 1, error: { message: expect.stringContaining(`${whose} have more than ${bytes} bytes`) } },
  ])
})

it('keeps an answer of four kilobytes to a batch whatever there is room for, and none that is larger', async () => {
  const { to, server } = serve({ maxBatchedBytes: 10 })
  const sized = (length: number) => ({
    ...call(1, 'sized'),
    params: { name: 'sized', arguments: { length } },
  })
  const ask = (length: number) => {
    to.heard.length = 0
    to.send([sized(length)])
    return 'result' in (to.heard[0] ?? {})
  }
  const sizes: number[] = []
  const { count } = server.batched
  server.batched.count = (...args) => {
    sizes.push(args[1])
    count.apply(server.batched, args)
  }
  expect(ask(1000)).toBe(true)
  const rest = (sizes[0] ?? 0) - 1000
  expect([ask(4096 - rest), ask(4097 - rest)]).toEqual([true, false])
})
