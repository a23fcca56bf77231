import type { ServerResponse } from 'node:http'
import { expect, it, vi } from 'vitest'
import { createTestClient } from '../../src/index.ts'
import { OTHERS_WAIT_MS } from '../../src/modules/upstream/within.ts'
import { events, FakeServer, handshakes, json, result } from '../client/hostile.ts'
import { clientOf, endAfterEach, ending, gatewayTo, lookedAt, namesOf } from './gateway-of.ts'

endAfterEach()

it('whoever tells of a change and does not list it holds up no other', async () => {
  const state = { names: ['go'], sessions: 0, hung: 0 }
  const streams = new Map<unknown, ServerResponse>()
  let hanging: string | undefined
  const server = await FakeServer.open(({ method, headers, message }, response) => {
    const session = headers['mcp-session-id']
    if (method === 'GET') {
      streams.set(session, events(response))
      return response.flushHeaders()
    }
    if (message.method === 'initialize') state.sessions++
    if (handshakes({ method, headers, message }, response, `s${state.sessions}`)) return
    if (message.method === 'tools/call') {
      hanging = String(session)
      state.names = ['go', 'stay']
      json(response, result(message.id, { content: [] }))
      return tell(hanging)
    }
    if (message.method === 'tools/list' && session === hanging) return void state.hung++
    const tools = state.names.map((name) => ({ name, inputSchema: { type: 'object' } }))
    json(response, result(message.id, { tools, resources: [], resourceTemplates: [] }))
  })
  const tell = (session: unknown) => {
    const changed = { jsonrpc: '2.0', method: 'notifications/tools/list_changed' }
    streams.get(session)?.write(`data: ${JSON.stringify(changed)}\n\n`)
  }
  ending.push(() => server[Symbol.asyncDispose]())
  const gateway = gatewayTo({ behind: { url: server.url } })
  const { after } = gateway.platform
  const waiting = new Set<() => void>()
  const held: typeof after = (milliseconds, run) => {
    if (milliseconds !== OTHERS_WAIT_MS) return after(milliseconds, run)
    waiting.add(run)
    return () => void waiting.delete(run)
  }
  const alice = await clientOf(gateway)
  const bob = await createTestClient(gateway)
  Object.assign(gateway.platform, { after: held })
  await alice.callTool('go')
  await vi.waitFor(() => expect(state.hung).toBeGreaterThan(0))
  await vi.waitFor(async () => {
    for (const run of [...waiting]) run()
    expect(await namesOf(bob)).toEqual(['go', 'stay'])
  })
  await lookedAt(gateway)
})
