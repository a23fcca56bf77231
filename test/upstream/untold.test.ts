import type { ServerResponse } from 'node:http'
import { expect, it, vi } from 'vitest'
import { META } from '../../src/kernel/index.ts'
import { DONE, events, FakeServer, json, result } from '../client/hostile.ts'
import { clientOf, endAfterEach, ending, gatewayTo, lookedAt, namesOf, noted } from './gateway-of.ts'

endAfterEach()

const LONG = { timeout: 60_000 }

/** A server of the newest revision, whose change stream is what `listen` makes of it. */
async function telling(listen: (response: ServerResponse, id: unknown) => void) {
  const state = { listen, names: ['go'] }
  const server = await FakeServer.open(({ method, message: { id, method: asked } }, response) => {
    if (method !== 'POST') return response.writeHead(405).end()
    if (asked === 'subscriptions/listen') return state.listen(response, id)
    json(
      response,
      result(id, {
        resultType: 'complete',
        supportedVersions: ['2026-07-28'],
        capabilities: { tools: { listChanged: true } },
        tools: state.names.map((name) => ({ name, inputSchema: { type: 'object' } })),
        ...DONE,
      }),
    )
  })
  ending.push(() => server[Symbol.asyncDispose]())
  return Object.assign(server, { state })
}

const breaks = (response: ServerResponse) => void response.destroy()

function agrees(response: ServerResponse, id: unknown): void {
  const params = { notifications: { toolsListChanged: true }, _meta: { [META.subscriptionId]: id } }
  const method = 'notifications/subscriptions/acknowledged'
  events(response).write(`data: ${JSON.stringify({ jsonrpc: '2.0', method, params })}\n\n`)
}

it('a server whose change stream alone breaks is used, read by time, and asked again in pauses', async () => {
  const server = await telling(breaks)
  const gateway = gatewayTo({ behind: { url: server.url } })
  let time = Date.now()
  Object.assign(gateway.platform, { now: () => time })
  const client = await clientOf(gateway)
  const states = () => [...gateway.relaying.upstreams].map(({ state }) => state.state)
  expect(states()).toEqual(['ready'])
  expect(await client.callTool('go')).toMatchObject(DONE)
  expect(noted).toEqual([expect.stringMatching(/^behind: does not tell of changes for now, .*by time \(/)])
  server.state.names = ['go', 'stay']
  time += 60_000
  await namesOf(client)
  await vi.waitFor(async () => expect(await namesOf(client)).toEqual(['go', 'stay']))
  await vi.waitFor(() => expect(server.count('subscriptions/listen')).toBeGreaterThan(2), LONG)
  await lookedAt(gateway)
  expect(states()).toEqual(['ready'])
  expect(noted).toHaveLength(1)
  server.state.listen = agrees
  server.state.names = ['go']
  await vi.waitFor(async () => expect(await namesOf(client)).toEqual(['go']), LONG)
})

it('a change stream that breaks later, and does not come again, makes nobody sick', async () => {
  let stream: ServerResponse | undefined
  const server = await telling((response, id) => {
    stream = response
    agrees(response, id)
  })
  const gateway = gatewayTo({ behind: { url: server.url } })
  const client = await clientOf(gateway)
  server.state.listen = breaks
  stream?.destroy()
  await vi.waitFor(() => expect(noted).toHaveLength(1), LONG)
  expect(noted[0]).toMatch(/^behind: does not tell of changes for now/)
  expect(await client.callTool('go')).toMatchObject(DONE)
})
