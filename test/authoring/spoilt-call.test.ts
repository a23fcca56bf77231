import { expect, it } from 'vitest'
import { createTestClient, defineServer } from '../../src/index.ts'
import type { Call } from '../../src/kernel/calls/call.ts'

/** What a tool may do to its call, by mistake or not. */
const SPOILS: { readonly [name: string]: (call: Call) => unknown } = {
  'freezes it': (call) => Object.freeze(call),
  'freezes what it holds': (call) => Object.values(call).map((one) => Object.freeze(one)),
  'takes its request away': (call) => Object.assign(call, { request: undefined }),
  'takes its client away': (call) => Object.assign(call, { peer: undefined }),
  'freezes its conversation': (call) => Object.freeze(call.link),
  'freezes what its server holds': (call) => Object.values(call.server).map((one) => Object.freeze(one)),
  'gives it another id': (call) => Object.assign(call, { request: { ...call.request, id: 'another' } }),
  'empties it': (call) => Object.keys(call).map((key) => Reflect.deleteProperty(call, key)),
}

const spoiling = (spoil: (call: Call) => unknown) => {
  const crashed: unknown[] = []
  const server = defineServer({
    name: 's',
    version: '1',
    modules: [{ name: 'log', observe: (event) => void (event.kind === 'crashed' && crashed.push(event)) }],
    tools: [
      { name: 'now', run: (_args, call) => void spoil(call as unknown as Call) },
      { name: 'later', run: async (_args, call) => void spoil(call as unknown as Call) },
    ],
  })
  return { server, crashed }
}

it.each(Object.entries(SPOILS))('a tool that %s is answered, or its error is', async (_name, spoil) => {
  const { server, crashed } = spoiling(spoil)
  const client = await createTestClient(server)
  const other = await createTestClient(server, { revision: '2025-11-25' })
  for (const name of ['now', 'later']) {
    const crashes = crashed.length
    const isAnswered = await client.callTool(name).then(
      () => true,
      () => crashed.length > crashes,
    )
    expect(isAnswered).toBe(true)
  }
  for (const one of [client, other, await createTestClient(server)]) expect(await one.tools()).toHaveLength(2)
})

it('a tool that freezes its call gives what it gives', async () => {
  const { server, crashed } = spoiling(Object.freeze)
  const client = await createTestClient(server)
  for (const name of ['now', 'later']) expect((await client.callTool(name)).content).toEqual([])
  expect(crashed).toEqual([])
})

it('a tool that has frozen its call can be called off', async () => {
  const calledOff = new Promise<void>((resolve) => {
    const run = (_args: unknown, call: object) => {
      const { signal } = Object.freeze(call) as Call
      signal.addEventListener('abort', () => resolve())
      setImmediate(() => controller.abort())
      return new Promise(() => {})
    }
    const server = defineServer({ name: 's', version: '1', tools: [{ name: 'wait', run }] })
    const controller = new AbortController()
    void createTestClient(server).then((client) =>
      client.callTool('wait', {}, { signal: controller.signal }).catch(() => {}),
    )
  })
  await expect(calledOff).resolves.toBeUndefined()
})
