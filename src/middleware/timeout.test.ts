import { expect, it } from 'vitest'
import { defineServer } from '../authoring/define-server.ts'
import { createTestClient, type ErrorReply } from '../index.ts'
import type { Call, KernelEvent } from '../kernel/index.ts'
import { timeout } from './timeout.ts'

/** A server with things that never end of themselves. */
function slow(ms: number) {
  const events: KernelEvent[] = []
  const stopped: string[] = []
  const never = (name: string, call: Call) =>
    new Promise<string>((_resolve, reject) => {
      call.signal.addEventListener('abort', () => {
        stopped.push(name)
        call.log('error', 'too late')
        reject(new Error('stopped'))
      })
    })
  const server = defineServer({
    name: 'slow',
    version: '1.0.0',
    middleware: [timeout({ ms })],
    observe: (event: KernelEvent) => void events.push(event),
    tools: [
      { name: 'never', run: (_args, call: Call) => never('tool', call) },
      { name: 'soon', run: async () => 'done' },
      { name: 'at-once', run: () => 'done' },
      { name: 'broken', run: () => Promise.reject(new Error('broken')) },
    ],
    resources: [{ uri: 'slow://one', name: 'one', read: (call: Call) => never('resource', call) }],
    prompts: [{ name: 'slow', render: (_args, call: Call) => never('prompt', call) }],
  })
  return { server, events, stopped }
}

it.each(['2025-11-25', '2026-07-28'])('a tool that takes too long is told to stop (%s)', async (revision) => {
  const { server, stopped, events } = slow(1)
  const client = await createTestClient(server, { revision })
  expect(await client.callTool('never')).toMatchObject({
    isError: true,
    content: [{ type: 'text', text: 'Timed out: the tool never took longer than 1 ms (timeout)' }],
  })
  expect(stopped).toEqual(['tool'])
  expect(events.filter(({ kind }) => kind === 'crashed')).toEqual([])
  expect(client.notices).toEqual([])
})

it.each([
  ['resources/read', { uri: 'slow://one' }, 'resource'],
  ['prompts/get', { name: 'slow' }, 'prompt'],
])('%s that takes too long is an error', async (method, params, name) => {
  const { server, stopped } = slow(1)
  const client = await createTestClient(server)
  const error = await client.request(method, params).catch((reason: ErrorReply) => reason)
  expect(error).toMatchObject({
    code: -32603,
    message: `Timed out: ${method} took longer than 1 ms (timeout)`,
  })
  expect(stopped).toEqual([name])
})

it('leaves nothing behind: the id of a call that took too long is free again', async () => {
  const { server } = slow(1)
  const links: Call['link'][] = []
  server.tools.add({
    name: 'look',
    run: (_args, call: Call) => {
      links.push(call.link)
      return 'looked'
    },
  })
  const client = await createTestClient(server)
  await client.callTool('never')
  await client.callTool('look')
  expect(links.map(({ calls, busy }) => [calls.size, busy])).toEqual([[0, 0]])
})

it('starts no clock for a call that answers at once, and stops that of one that is done', async () => {
  const { server } = slow(60_000)
  const clocks: string[] = []
  const counting = {
    ...server,
    platform: {
      ...server.platform,
      after: () => {
        clocks.push('started')
        return () => void clocks.push('stopped')
      },
    },
  }
  const layer = timeout({ ms: 60_000 })
  const call = { method: 'tools/call', server: counting } as unknown as Call
  expect(layer(call, () => ({}))).toEqual({})
  expect(clocks).toEqual([])
  await layer(call, async () => ({}))
  expect(clocks).toEqual(['started', 'stopped'])
})

it('leaves the errors and results of others as they are', async () => {
  const client = await createTestClient(slow(60_000).server)
  expect(await client.callTool('soon')).toMatchObject({ content: [{ text: 'done' }] })
  expect(await client.callTool('at-once')).toMatchObject({ content: [{ text: 'done' }] })
  expect(await client.callTool('broken')).toMatchObject({ isError: true, content: [{ text: 'broken' }] })
})

it.each([0.5, 2 ** 31 - 1])('takes %d ms', (ms) => {
  expect(() => timeout({ ms })).not.toThrow()
})

it.each([0, -1, Number.NaN, 2 ** 31])('refuses %d ms at the start', (ms) => {
  expect(() => timeout({ ms })).toThrow(TypeError)
})
