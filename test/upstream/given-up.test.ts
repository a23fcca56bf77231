import { describe, expect, it } from 'vitest'
import { child } from '../client/hostile.ts'
import { clientOf, endAfterEach, gatewayTo, textOf } from './gateway-of.ts'

endAfterEach()

/** Asks its caller, and tells what it has heard since by `heard`. */
const CURIOUS = child(`
  globalThis.heard ??= []
  if (method === 'tools/list')
    return reply({ tools: ['ask', 'heard'].map((name) => ({ name, inputSchema: { type: 'object' } })) })
  if (method === undefined) return heard.push('answer')
  if (method === 'notifications/cancelled') return heard.push('cancelled')
  if (params?.name === 'heard') return reply({ content: [{ type: 'text', text: heard.toSorted().join() }] })
  if (params?.name === 'ask')
    say({ jsonrpc: '2.0', id: 'q', method: 'elicitation/create', params: { message: 'Who?', requestedSchema: { type: 'object', properties: {} } } })
`)

describe.each([{}, { shared: true }])('a question of an upstream (%j)', (how) => {
  it('is answered, and its call cancelled, when its caller gives that up while it is asked', async () => {
    const stop = new AbortController()
    const gateway = gatewayTo({ behind: { ...CURIOUS, ...how } })
    const client = await clientOf(gateway, {
      revision: '2025-11-25',
      answers: {
        'elicitation/create': () => {
          stop.abort()
          return new Promise(() => {})
        },
      },
    })
    await expect(client.callTool('ask', {}, { signal: stop.signal })).rejects.toThrow()
    await expect.poll(async () => textOf(await client.callTool('heard'))).toBe('answer,cancelled')
  })
})
