import { describe, expect, it } from 'vitest'
import { introduction, talk } from '../../../test/setup/talk.ts'
import { defineServer } from '../../authoring/define-server.ts'
import { elicit } from '../../authoring/elicit.ts'
import { needs } from '../asking/needs.ts'
import type { Budgets } from '../budgets/budgets.ts'
import type { JsonObject } from '../jsonrpc/message.ts'

const JUNK = 'x'.repeat(10_000)

function serve(budgets: Partial<Budgets>) {
  const ends: (() => void)[] = []
  const server = defineServer({
    name: 's',
    version: '1',
    budgets,
    tools: [
      { name: 'at-once', run: () => 'done' },
      {
        name: 'later',
        run: async () => {
          await new Promise<void>((resolve) => ends.push(resolve))
          return 'done'
        },
      },
    ],
  })
  const end = async () => {
    ends.shift()?.()
    await new Promise(setImmediate)
  }
  return { server, end, to: talk(server, '2025-03-26'), used: () => server.usage.read('maxUnderwayBytes') }
}

const call = (id: number, name: string, more: JsonObject = {}) => ({
  jsonrpc: '2.0',
  id,
  method: 'tools/call',
  params: { name, arguments: {}, ...more },
})
const junk = { _meta: { junk: JUNK } }

describe('what calls under way were made with', () => {
  it('has a budget in bytes, which small calls and those that come later do not meet', async () => {
    const { to, used, end } = serve({ maxUnderwayBytes: 25_000 })
    to.send(call(1, 'later', junk))
    to.send(call(2, 'later', junk))
    expect(used()).toBeGreaterThan(20_000)
    to.send(call(3, 'at-once', junk))
    to.send(call(4, 'at-once'))
    expect(to.heard).toMatchObject([
      {
        id: 3,
        error: {
          code: 429,
          message: expect.stringContaining('at most 25000 bytes'),
        },
      },
      { id: 4, result: {} },
    ])
    await end()
    to.send(call(5, 'at-once', junk))
    expect(to.heard.at(-1)).toMatchObject({ id: 5, result: {} })
    to.send({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 2 } })
    await end()
    expect(used()).toBe(0)
    to.send(call(6, 'later', junk))
    const one = used()
    to.send({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 6 } })
    await end()
    to.send(call(7, 'later', junk))
    expect(used()).toBe(one)
    await end()
  })

  it('is no less for the others when a call that was called off comes to its end', async () => {
    const { to, used, end } = serve({})
    for (const id of [1, 2]) to.send(call(id, 'later'))
    to.send({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } })
    const left = used()
    await end()
    expect(used()).toBe(left)
    await end()
    expect(used()).toBe(0)
  })

  it('lets in a call of a kilobyte whatever others hold, and none that is larger', async () => {
    const { to, end } = serve({ maxUnderwayBytes: 15_000 })
    to.send(call(1, 'later', { ...junk }))
    const padded = (id: number, length: number) => {
      const unpadded = JSON.stringify(call(id, 'at-once', { _meta: { junk: '' } })).length
      return call(id, 'at-once', { _meta: { junk: 'x'.repeat(length - unpadded) } })
    }
    to.send(call(2, 'later', junk))
    to.send(padded(3, 1024))
    to.send(padded(4, 1025))
    expect(to.heard.map(({ id, error }) => [id, error !== undefined])).toEqual([
      [2, true],
      [3, false],
      [4, true],
    ])
    await end()
  })

  it('is counted by what it costs in memory', async () => {
    const { to, used, end } = serve({})
    to.send(call(1, 'later', { many: Array.from({ length: 1000 }, () => ({})) }))
    expect(used()).toBeGreaterThan(50_000)
    await end()
    to.send(call(1, 'later', { wide: 'ж'.repeat(30_000) }))
    expect(used()).toBeGreaterThan(60_000)
    await end()
  })

  it('is counted while a call of a batch waits for its turn, too', async () => {
    const { to, used, end } = serve({ maxCallsPerBatch: 1, maxUnderwayBytes: 60_000 })
    to.send([call(1, 'later'), call(2, 'later', junk), call(3, 'later', junk)])
    expect(used()).toBeGreaterThan(20_000)
    for (let turn = 0; turn < 3; turn++) await end()
    expect(to.heard.map(({ id }) => id)).toEqual([1, 2, 3])
    expect(used()).toBe(0)
  })

  it('counts while it listens', () => {
    const { server, used } = serve({ maxUnderwayBytes: 25_000 })
    const to = talk(server)
    const listen = (id: number) =>
      to.send({
        jsonrpc: '2.0',
        id,
        method: 'subscriptions/listen',
        params: { notifications: { toolsListChanged: true }, _meta: introduction({}, { junk: JUNK }) },
      })
    for (const id of [1, 2, 3]) listen(id)
    expect(to.heard.filter((one) => 'error' in one)).toMatchObject([{ id: 3, error: { code: 429 } }])
    expect(used()).toBeGreaterThan(20_000)
    to.close()
    expect(used()).toBe(0)
  })

  it('bounds the calls that wait for their clients, however small they are', async () => {
    const server = defineServer({
      name: 's',
      version: '1',
      budgets: { maxUnderwayBytes: 20_000 },
      tools: [{ name: 'asks', run: () => needs({ name: elicit({ message: 'Who?', schema: FORM }) }) }],
    })
    const to = talk(server, '2025-11-25', { elicitation: {} })
    for (let id = 1; id <= 6; id++) {
      to.send(call(id, 'asks'))
      await expect.poll(() => to.heard.length).toBe(id)
    }
    expect(to.heard.filter((one) => 'error' in one)).toMatchObject([
      { id: 5, error: { code: 429, message: expect.stringContaining('at most 20000 bytes') } },
      { id: 6, error: { code: 429 } },
    ])
    to.close()
    await expect.poll(() => server.usage.read('maxUnderwayBytes')).toBe(0)
  })
})

const FORM = { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] } as const
