import { describe, expect, it } from 'vitest'
import { createReader } from '../../../../test/http/reader.ts'
import { adoptSession, createSites, openSession, settled } from '../../../../test/http/sites.ts'
import { type JsonObject, parse } from '../../../kernel/index.ts'
import type { HttpSite } from '../site.ts'
import type { NodeMessage } from './messages.ts'
import { routeElsewhere } from './route.ts'

/** What a session that two nodes know hands on, to whom, and what its client is answered. */
async function begin() {
  const { sites } = createSites(2)
  const [a, b] = sites as [HttpSite, HttpSite] // Two, as asked for.
  await Promise.all([a.node?.open(), b.node?.open()])
  await openSession(a, 's')
  const session = await adoptSession(b, 's')
  const told: unknown[] = []
  Object.assign(b.node ?? {}, {
    send: async (to: string, message: NodeMessage) => void told.push([to, message]),
    sendAll: async (message: NodeMessage) => void told.push(['all', message]),
  })
  const route = async (message: JsonObject) => {
    const { exchange, answers } = createReader()
    const incoming = parse(JSON.stringify({ jsonrpc: '2.0', ...message }), b.server.dialect)
    const routed = routeElsewhere(session, exchange, incoming)
    await settled()
    const [answer] = answers
    return [routed, answer?.status, told.splice(0)]
  }
  return { a, b, session, route }
}

const NOT_ROUTED = [false, undefined, []]

describe('an answer', () => {
  it('goes to the node that has asked', async () => {
    const { route } = await begin()
    const [routed, status, told] = await route({ id: '0123456789-1', result: {} })
    expect([routed, status]).toEqual([true, 202])
    const message = { kind: 'posted', session: 's', message: { kind: 'response', id: '0123456789-1' } }
    expect(told).toMatchObject([['0123456789', message]])
  })

  it('to a question of our own, or of nobody, stays here', async () => {
    const { route, b } = await begin()
    expect(await route({ id: `${b.node?.id}-1`, result: {} })).toEqual(NOT_ROUTED)
    expect(await route({ id: 7, result: {} })).toEqual(NOT_ROUTED)
  })
})

describe('a notice', () => {
  it('that is for a call goes to all, and nothing of it that no call hears of', async () => {
    const { route } = await begin()
    const params = { requestId: 1, reason: 'because', _meta: { more: 'than that' } }
    expect(await route({ method: 'notifications/cancelled', params })).toMatchObject([
      true,
      202,
      [['all', { kind: 'posted', session: 's', message: { params: { requestId: 1, reason: 'because' } } }]],
    ])
    const [, , told] = await route({ method: 'notifications/cancelled', params })
    expect(JSON.stringify(told)).not.toContain('than that')
    expect(await route({ method: 'notifications/roots/list_changed' })).toMatchObject([
      true,
      202,
      [['all', {}]],
    ])
  })

  it('for a call that is here stays here, and so does one that no call hears of', async () => {
    const { route, session } = await begin()
    session.link.calls.set(1, {} as never)
    expect(await route({ method: 'notifications/cancelled', params: { requestId: 1 } })).toEqual(NOT_ROUTED)
    expect(await route({ method: 'notifications/initialized' })).toEqual(NOT_ROUTED)
    expect(await route({ method: 'toString' })).toEqual(NOT_ROUTED)
    session.link.calls.delete(1)
  })

  it('is no longer than a thousand characters', async () => {
    const { route } = await begin()
    const cancel = (length: number) =>
      route({ method: 'notifications/cancelled', params: { requestId: 'x'.repeat(length) } })
    expect((await cancel(1000 - '{"requestId":""}'.length))[0]).toBe(true)
    expect(await cancel(1001 - '{"requestId":""}'.length)).toEqual(NOT_ROUTED)
  })
})

it('a request is answered here', async () => {
  const { route } = await begin()
  expect(await route({ id: 1, method: 'ping' })).toEqual(NOT_ROUTED)
})
