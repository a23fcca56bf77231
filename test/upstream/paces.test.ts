import type { ServerResponse } from 'node:http'
import { describe, expect, it, vi } from 'vitest'
import type { Server } from '../../src/kernel/index.ts'
import { events, FakeServer, handshakes, json, OPENED, result } from '../client/hostile.ts'
import { endAfterEach, ending, gatewayTo, lookedAt } from './gateway-of.ts'
import { entry, granted, renewingServer } from './renewing.ts'
import { keep, signInBeforeEach } from './signing-in.ts'

signInBeforeEach()
endAfterEach()

describe('two gateways with one file of tokens', () => {
  /** A gateway whose pauses do not end; gives how long they would be. */
  async function resting(url: string): Promise<readonly number[]> {
    const gateway = gatewayTo({ files: entry(url) })
    const pauses: number[] = []
    const { after } = gateway.platform
    const hold = (milliseconds: number, run: () => void) => {
      if (milliseconds < 1000) return after(milliseconds, run)
      pauses.push(milliseconds)
      return () => {}
    }
    Object.assign(gateway.platform, { after: hold })
    await gateway.start()
    return pauses
  }

  it.each([
    ['refuses each token in turn', false],
    ['takes each, and each is over at once', true],
  ])('rest between their tries where a server %s', async (_, isTaken) => {
    let count = 0
    const give = () => granted(`access-${++count}`, { expires_in: 0, refresh_token: `refresh-${count}` })
    const { url } = await renewingServer({ takes: () => isTaken, give })
    keep('files', url, { access: 'old', refresh: 'r', renew: 1, expires: 1 })
    const both = [await resting(url), await resting(url)]
    // Each waits for a second after it has failed, or one of them before it tries the next token.
    const least = isTaken ? 1 : 2
    const short = () => both.flat().filter((pauseMs) => pauseMs === 1000)
    await vi.waitFor(() => expect(short()).toHaveLength(least), { timeout: 20_000 })
    expect(count).toBeLessThan(12)
  })
})

/** Has the clock of a gateway turned by hand, and every pause end at once. */
function hurried(gateway: Server) {
  let time = Date.now()
  const pauses: number[] = []
  const { after } = gateway.platform
  Object.assign(gateway.platform, {
    now: () => time,
    after: (milliseconds: number, run: () => void) =>
      after(0, () => {
        pauses.push(milliseconds)
        time += milliseconds
        run()
      }),
  })
  return {
    pauses,
    pass: (milliseconds: number) => {
      time += milliseconds
    },
  }
}

it('long lists that change a little after they were read, again and again, are read the less often', async () => {
  const streams: ServerResponse[] = []
  let reads = 0
  const server = await FakeServer.open((heard, response) => {
    const { id, method } = heard.message
    if (heard.method === 'GET') {
      streams.push(events(response))
      return response.flushHeaders()
    }
    if (method === 'initialize')
      return json(response, result(id, { ...OPENED, capabilities: { tools: { listChanged: true } } }))
    if (handshakes(heard, response)) return undefined
    const end = performance.now() + 300
    while (performance.now() < end); // As long as it takes to read a long list.
    reads++
    return json(response, result(id, { tools: [{ name: `t${reads}`, inputSchema: { type: 'object' } }] }))
  })
  ending.push(() => server[Symbol.asyncDispose]())
  const gateway = gatewayTo({ hog: { url: server.url, revision: '2025-11-25' } })
  const { pauses, pass } = hurried(gateway)
  await gateway.start()
  await lookedAt(gateway)
  await vi.waitFor(() => expect(streams).toHaveLength(1))
  pauses.length = 0
  for (let round = 2; round < 6; round++) {
    pass(600)
    streams[0]?.write(
      `data: ${JSON.stringify({ jsonrpc: '2.0', method: 'notifications/tools/list_changed' })}\n\n`,
    )
    await vi.waitFor(() => expect(gateway.tools.has(`t${round}`)).toBe(true))
    await lookedAt(gateway)
  }
  expect(pauses).toHaveLength(4)
  expect(pauses.at(-1)).toBeGreaterThan(1000)
})
