import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it, onTestFinished } from 'vitest'
import { connect } from '../../src/client/index.ts'
import { type Call, defineServer, serveHttp } from '../../src/index.ts'
import { FakeServer, handshakes } from './hostile.ts'

/** Longer than a client needs to take its leave, shorter than it waits before it does. */
const SLOW_MS = 100

it('ends no session whose stream it is just asking for, which would be refused', async () => {
  const order: string[] = []
  let hearLeave = () => {}
  const left = new Promise<void>((resolve) => {
    hearLeave = resolve
  })
  const server = defineServer({ name: 'slow', version: '1.0.0', tools: [] })
  const listening = await serveHttp(server, {
    port: 0,
    supervise: false,
    greeting: 'none',
    middleware: [
      async (exchange, next) => {
        if (exchange.method === 'DELETE') hearLeave()
        if (exchange.method === 'GET') await Promise.race([left, sleep(SLOW_MS)])
        order.push(exchange.method)
        return next(exchange)
      },
    ],
  })
  const client = await connect(listening.url, { revision: '2025-11-25' })
  await client.close()
  await listening.close()
  expect(order.filter((method) => method !== 'POST')).toEqual(['GET', 'DELETE'])
})

it.each(['/mcp', '/sse'])('tells its server what was called off just before it leaves: %s', async (path) => {
  const reasons: (string | undefined)[] = []
  let begin = () => {}
  const begun = new Promise<void>((resolve) => {
    begin = resolve
  })
  const run = (_args: unknown, call: Call) =>
    new Promise<string>((resolve) => {
      call.whenCancelled((reason) => {
        reasons.push(reason)
        resolve('')
      })
      begin()
    })
  const server = defineServer({ name: 'slow', version: '1.0.0', tools: [{ name: 'slow', run }] })
  const listening = await serveHttp(server, { port: 0, supervise: false, greeting: 'none', ssePair: true })
  onTestFinished(() => listening.close().then(() => {}))
  const client = await connect(new URL(path, listening.url), { revision: '2024-11-05' })
  const stop = new AbortController()
  const calling = client.callTool('slow', {}, { signal: stop.signal })
  await begun
  stop.abort()
  const left = client.close()
  await expect(calling).rejects.toThrow()
  await left
  await expect.poll(() => reasons).toEqual(['The client gave up'])
})

it('names what it speaks from the first message on that follows the handshake', async () => {
  await using server = await FakeServer.open((heard, response) => void handshakes(heard, response))
  const client = await connect(server.url, { revision: '2025-11-25' })
  await client.close()
  const spoken = server.heard.map(({ message, headers }) => [message.method, headers['mcp-protocol-version']])
  expect(spoken.slice(0, 2)).toEqual([
    ['initialize', undefined],
    ['notifications/initialized', '2025-11-25'],
  ])
})
