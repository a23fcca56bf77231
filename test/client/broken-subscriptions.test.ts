import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { connectBy } from '../../src/client/connect-by.ts'
import { ClientError } from '../../src/client/errors.ts'
import { LIMITS } from '../../src/client/limits.ts'
import { DEFAULTS } from '../../src/client/options.ts'
import type { Ear, Sent, Wire } from '../../src/client/wire.ts'
import { META } from '../../src/kernel/index.ts'

beforeEach(() => {
  vi.useFakeTimers()
})

afterEach(() => {
  vi.useRealTimers()
})

const REVISION = '2026-07-28'

/** A way to a server that agrees to tell of changes, and breaks off after a while. */
function breaking(ear: Ear, asked: number[], lastsMs: number): Wire {
  const say = (message: object) => ear.hear(JSON.stringify({ jsonrpc: '2.0', ...message }))
  const agree = (id: Sent['id']) => {
    asked.push(Date.now())
    const params = { notifications: { toolsListChanged: true }, _meta: { [META.subscriptionId]: id } }
    say({ method: 'notifications/subscriptions/acknowledged', params })
    setTimeout(() => ear.fail(new ClientError('lost', 'broken'), id), lastsMs)
  }
  return {
    send: async ({ id, method }) => {
      if (method === 'subscriptions/listen') agree(id)
      else
        say({ id, result: { supportedVersions: [REVISION], capabilities: { tools: { listChanged: true } } } })
    },
    cancel: () => {},
    opened: () => {},
    keeps: false,
    close: async () => {},
  }
}

async function listened(lastsMs: number, forMs: number) {
  const asked: number[] = []
  const settled = { ...DEFAULTS, revision: REVISION }
  const client = await connectBy(() => ({ first: (ear) => breaking(ear, asked, lastsMs) }), settled, LIMITS)
  const changes: string[] = []
  await client.listen({ tools: true }, ({ kind }) => changes.push(kind))
  await vi.advanceTimersByTimeAsync(forMs)
  await client.close()
  const pauses = asked.slice(1).map((time, at) => time - Number(asked[at]) - lastsMs)
  return { changes, pauses }
}

it('a subscription that is agreed to and breaks off is asked for less and less often, and never given up', async () => {
  const { changes, pauses } = await listened(5, 150_000)
  expect(pauses).toEqual([200, 400, 800, 1600, 3200, 6400, 12_800, 25_600, 30_000, 30_000, 30_000])
  expect(changes).toHaveLength(pauses.length)
})

it('one that was there for long is asked for at once', async () => {
  const { pauses } = await listened(60_000, 300_000)
  expect(pauses).toEqual([200, 200, 200, 200])
})
