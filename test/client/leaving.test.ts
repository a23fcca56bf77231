import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { connect } from '../../src/client/index.ts'
import { defineServer, serveHttp } from '../../src/index.ts'

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
